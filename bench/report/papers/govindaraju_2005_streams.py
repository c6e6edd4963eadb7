"""Figures 5 to 9 of Govindaraju et al. 2005: streams, the CPU and the GPU in the same plots."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bench.report.curves import OURS_ALONE, curve
from bench.report.papers.govindaraju_2005_sorting import PAPER
from bench.report.parts import Curve, Grid, Part, Plot
from bench.shared.record import Record, Row
from bench.sources import Sources
from shadersort.streams import FrequencySummary

SPEED = "mvalues_per_s"
OPERATIONS = ("sort", "merge", "compress")
DATA = {"uniform": "uniform", "Zipf, 1.2": "zipf 1.2"}
MILLION = 10**6

BARE = "np.sort of the windows"
PEERS = ((BARE, "7"), ("KLL, k=200", "6"))

AS_PRINTED = "as printed, "
"""How labels of summaries that do what the paper prints begin."""

LOOKS = {
    "NumPy": "np.sort",
    "pbsn, blend": "blend",
    "pbsn, compute": "compute",
    "bitonic, compute": "bitonic",
    "CUDA": "cupy.sort",
}
"""Colours and markers of sorters, by how their labels begin."""

PLACES = (
    "With CUDA the stream is in the memory of the GPU from the start, and counting, merging and "
    "compressing run there, too; with each other sorter the stream is on the host."
)
CHOSEN = (
    '"Chosen by size": a sorter that measures from which size of windows on drawing is faster, and '
    "sorts smaller windows by NumPy; named is what sorted."
)
SLIDING = "streams-sliding-printed-nvidia-h200"
"""The record of sliding windows as printed."""

LENGTHS = (
    "One length: the window has exactly this length; all lengths: any window up to it may be asked "
    "about."
)


def parts(records: Sources) -> list[Part]:
    """Return these figures."""
    quantiles, counts = (records[f"streams-{of}-numpy"] for of in ("figures", "frequencies"))
    whole, printed = (records[f"streams-{of}-nvidia-h200"] for of in ("figures", "printed"))
    of_counts, of_ranks = (
        records[f"streams-sliding-{of}-nvidia-h200"] for of in ("frequencies", "quantiles")
    )
    sliding = [records[SLIDING]] if SLIDING in records else []
    epsilons = {row["epsilon"] for row in counts.rows}
    least = min(round(FrequencySummary(each).window * each) for each in epsilons)
    windows = f"The paper's windows have 1/ε values; ours have {least} times as many or more."
    return [
        _figure(
            5,
            "frequencies: values a second over ε, on CPU and GPU",
            [*_speeds("frequencies", whole, printed), *_speeds("frequencies", counts)],
            *_told([whole, counts, printed]),
            *(PLACES, windows),
        ),
        _operations([whole, printed, counts]),
        _figure(
            7,
            "quantiles: values a second over ε, on CPU and GPU, beside a bare sort of the windows",
            [*_speeds("quantiles", whole, printed), *_speeds("quantiles", quantiles)],
            *_told([whole, quantiles, printed]),
            PLACES,
        ),
        _figure(
            8,
            "frequencies of the last 1,000,000 values: values a second over ε, on CPU and GPU",
            _sliding("frequencies", MILLION, [of_counts, counts], sliding),
            *_told([of_counts, counts, *sliding]),
            *(PLACES, CHOSEN, LENGTHS),
        ),
        _figure(
            9,
            "quantiles of the last 10,000,000 values: values a second over ε, on CPU and GPU",
            _sliding("quantiles", 10 * MILLION, [of_ranks, quantiles], sliding),
            *_told([of_ranks, quantiles, *sliding]),
            *(PLACES, CHOSEN),
        ),
    ]


def _figure(number: int, fact: str, plots: Sequence[Plot], *notes: str) -> Part:
    return Part(PAPER, f"Figure {number}", fact, notes=[OURS_ALONE, *notes], plots=plots)


def _by_sorter(rows: Iterable[Row], record: Record) -> Iterator[tuple[str, list[Row]]]:
    """Yield what sorted, as the sorter told it, and its rows; older rows are of NumPy's threads."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        label = row.get("label") or f"NumPy, {record.host['cores']} threads, {row['dtype']}"
        found.setdefault(label, []).append(row)
    yield from found.items()


def _series(rows: list[Row], record: Record) -> list[Curve]:
    """Return a curve of speeds for each thing that sorted, named by its label."""
    found = []
    for label, some in _by_sorter(rows, record):
        sorter = label.removeprefix(AS_PRINTED)
        look = next((look for start, look in LOOKS.items() if sorter.startswith(start)), "")
        name = label.replace(f", {record.device}", "")
        line: Any = "dashed" if label.startswith(AS_PRINTED) else "solid"
        found.append(curve(name, some, "epsilon", SPEED, look=look, line=line))
    return found


def _speeds(workload: str, *records: Record) -> list[Plot]:
    """Plot values a second over the error: a plot for each stream, with all of some records."""
    method = {"frequencies": "FrequencySummary", "quantiles": "QuantileSummary"}[workload]
    plots = []
    for name, data in DATA.items():
        of = {"workload": workload, "method": method, "data": data}
        drawn = [each for record in records for each in _series(record.where(**of), record)]
        if drawn and workload == "quantiles":
            for peer, look in PEERS:
                rows = records[0].where(workload=workload, method=peer)
                drawn.append(curve(peer, rows, "epsilon", SPEED, look=look))
        plots.append(_plot(f"{records[0].device}: {name}", drawn))
    return [plot for plot in plots if plot.curves]


def _plot(title: str, drawn: Iterable[Curve]) -> Plot:
    return Plot(title, "ε", "M values/s", [each for each in drawn if each.points])


def _sliding(
    of: str, window: int, records: Sequence[Record], printed: Sequence[Record]
) -> list[Plot]:
    """Plot a sliding window of one length, and of all lengths at once, for each record.

    What was measured as printed, which has one length, stands in the first record's plot.
    """
    plots = []
    for record in records:
        for label, shortest in (("one length", window), ("all lengths", 1)):
            wanted: Row = {"workload": f"sliding-{of}", "window": window, "shortest": shortest}
            some = [record, *(printed if record is records[0] else ())]
            drawn = [
                each for one in some for each in _series(one.where(**wanted, data="uniform"), one)
            ]
            plots.append(_plot(f"{record.device}: {label}", drawn))
    return plots


def _told(records: Iterable[Record]) -> list[str]:
    """Return a note on each record: its device, its values, and its CPU."""
    notes = []
    for record in records:
        row, host = record.rows[0], ""
        if record.described["kind"] != "numpy":
            host = f"; NumPy on {record.host['cpu']}, {record.host['cores']} cores"
        printed = any(each.get("label", "").startswith(AS_PRINTED) for each in record.rows)
        how = "Measured as printed" if printed else "Measured"
        notes.append(f"{how}: {record.label}; {row['keys']:,} values of {row['dtype']}{host}.")
    return notes


def _operations(records: list[Record]) -> Part:
    """Shares of the time by operation; while kernels run, the host's time says nothing."""
    ours = (f"{name}, measured" for name in (*OPERATIONS, "rest"))
    head = ["sorted by", "stream", "ε", "sort, paper", *ours]
    rows, plots = [], []
    for record in records:
        known = record.where(workload="frequencies", method="FrequencySummary", data="uniform")
        timed = [row for row in known if not row["sorter"].startswith("cuda")]
        for label, some in _by_sorter(timed, record):
            by = label.replace(f", {record.device}", "")
            rows += [[by, row["data"], *_shares(row)] for row in some]
            drawn = [curve(name, some, "epsilon", f"{name}_share") for name in OPERATIONS]
            at = sorted(row["epsilon"] for row in some)
            for which, share in (("least", 0.8), ("most", 0.9)):
                points = [(epsilon, share) for epsilon in at]
                drawn.append(Curve(f"sort, paper, {which}", points, "0", "dotted"))
            plots.append(Plot(by, "ε", "share of the time", drawn, "x"))
    notes = ["Open markers: of the paper only the share of sorting is in the text."]
    fact = "frequencies: shares of the time by operation"
    grids = [Grid(head, rows, left=3)]
    return Part(PAPER, "Figure 6", fact, notes=[*notes, *_told(records)], grids=grids, plots=plots)


def _shares(row: Row) -> list[str]:
    known = [row.get(f"{name}_share", 0.0) for name in OPERATIONS]
    told = (f"{100 * share:.0f}%" for share in (*known, 1 - sum(known)))
    return [f"{row['epsilon']:g}", "80–90%", *told]
