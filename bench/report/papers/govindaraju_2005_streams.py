"""Figures 5 to 9 of Govindaraju et al. 2005: streams, the CPU and the GPU in the same plots."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from bench.report.curves import OURS_ALONE, curve
from bench.report.govindaraju_2005_sorting import PAPER
from bench.report.parts import Grid, Part
from bench.report.plot import Curve, Plot
from bench.report.series import (
    CHOSEN,
    PAPERS,
    PLACES,
    by_sorter,
    in_words,
    is_printed,
    label_of,
    line_of,
    look_of,
    without_device,
)
from bench.shared.record import Library, Record, Row
from bench.shared.words import about, joined, span
from shadersort.streams.lossy_counting import buckets_of_windows

SPEED = "mvalues_per_s"
OPERATIONS = ("sort", "merge", "compress")
DATA = {"uniform": "uniform", "Zipf, 1.2": "zipf 1.2"}
MILLION = 10**6

AS_PRINTED = ("streams-printed-nvidia-h200",)
"""Records of summaries as printed, on the GPU's host; those that exist are drawn beside ours."""

BARE = "np.sort of the windows"
PEERS = ((BARE, "7"), ("KLL, k=200", "6"))


def parts(records: Library) -> list[Part]:
    """Return these figures."""
    quantiles, counts = (records[f"streams-{of}-numpy"] for of in ("figures", "frequencies"))
    whole = records["streams-figures-nvidia-h200"]
    printed = [records[name] for name in AS_PRINTED if name in records]
    sliding = {
        of: records[f"streams-sliding-{of}-nvidia-h200"] for of in ("frequencies", "quantiles")
    }
    return [
        _frequencies([whole, counts], printed),
        _operations([whole, counts], printed),
        _quantiles([whole, quantiles], printed),
        _sliding_frequencies([sliding["frequencies"], counts]),
        _sliding_quantiles([sliding["quantiles"], quantiles]),
    ]


def _figure(number: int, fact: str, changed: str, plots: Sequence[Plot], *notes: str) -> Part:
    return Part(PAPER, f"Figure {number}", fact, changed, [OURS_ALONE, *notes], plots=plots)


def _plot(title: str, drawn: Iterable[Curve]) -> Plot:
    return Plot(title, "ε", "M values/s", [each for each in drawn if each.points])


def _series(rows: list[Row], record: Record) -> list[Curve]:
    """Return a curve of speeds for each thing that sorted, named by its label."""
    return [
        curve(
            without_device(label, record),
            some,
            "epsilon",
            SPEED,
            look=look_of(label),
            line=line_of(label),
        )
        for label, some in by_sorter(rows, record)
    ]


def _told(records: Iterable[Record]) -> list[str]:
    """Return a note on each record: its device, its values, its CPU, and whether PBSN was drawn."""
    return [note for record in records for note in _told_of(record)]


def _told_of(record: Record) -> list[str]:
    row, sorters = record.rows[0], {row["sorter"] for row in record.rows}
    host = ""
    if record.described["kind"] != "numpy" and "numpy" in sorters:
        host = f"; NumPy on {record.host['cpu']}, {record.host['cores']} cores"
    labels = [label_of(each, record) for each in record.rows if "entries" in each]
    how = "Measured as printed" if all(map(is_printed, labels)) else "Measured"
    notes = [f"{how}: {record.label}; {row['keys']:,} values of {row['dtype']}{host}."]
    if "textures" in sorters and not any(label.startswith(PAPERS) for label in labels):
        (drawn,) = {label for label in labels if not label.startswith(("CUDA", "NumPy"))}
        shaders = "compute shaders" if ", compute, " in drawn else "fragment shaders"
        notes.append(f"PBSN by blending, the paper's way, was not measured: {drawn} is {shaders}.")
    return notes


def _against(rows: list[Row], record: Record) -> str:
    """Return how many times as fast as NumPy each other sorter is, in values a second.

    If NumPy was not measured, they are compared with the first.
    """
    speeds: dict[tuple[Any, ...], dict[str, float]] = {}
    for row in rows:
        of, by = (row["data"], row["epsilon"], row.get("shortest")), label_of(row, record)
        speeds.setdefault(of, {})[by] = row[SPEED]
    labels = list(dict.fromkeys(label for each in speeds.values() for label in each))
    base = next((label for label in labels if label.startswith("NumPy")), labels[0])
    told: list[str] = []
    for label in labels:
        if label != base:
            times = span(each[label] / each[base] for each in speeds.values() if label in each)
            told.append(f"{in_words(label)} {'' if told else 'reaches '}{times} times")
    return f"{joined(told)} the speed of {in_words(base)}"


def _frequencies(records: list[Record], printed: list[Record]) -> Part:
    """Values a second over the error, for two streams."""

    def rows_of(record: Record, **of: Any) -> list[Row]:
        return record.where(workload="frequencies", method="FrequencySummary", **of)

    plots = []
    for record in records:
        for name, data in DATA.items():
            drawn = _series(rows_of(record, data=data), record)
            if record is records[0]:
                drawn += [c for each in printed for c in _series(rows_of(each, data=data), each)]
            plots.append(_plot(f"{record.device}: {name}", drawn))
    errors = {row["epsilon"] for record in records for row in rows_of(record)}
    least = min(buckets_of_windows(epsilon)[1] for epsilon in errors)
    return _figure(
        5,
        "frequencies: values a second over ε, on CPU and GPU",
        "In the paper a GPU is about as fast as a CPU, and faster for large windows; today "
        f"{_against(rows_of(records[0]), records[0])}.",
        plots,
        *_told([*records, *printed]),
        PLACES,
        f"The paper's windows have 1/ε values; ours have {least} times as many or more.",
    )


def _operations(records: list[Record], printed: list[Record]) -> Part:
    """Shares of the time by operation; while kernels run, the host's time says nothing."""
    ours = (f"{name}, measured" for name in (*OPERATIONS, "rest"))
    head = ["sorted by", "stream", "ε", "sort, paper", *ours]
    rows, plots, sorting = [], [], []
    for record in (records[0], *printed, *records[1:]):
        known = record.where(workload="frequencies", method="FrequencySummary", data="uniform")
        timed = [row for row in known if not row["sorter"].startswith("cuda")]
        for named, some in by_sorter(timed, record):
            by = without_device(named, record)
            rows += [[by, row["data"], *_shares(row)] for row in some]
            drawn = [curve(name, some, "epsilon", f"{name}_share") for name in OPERATIONS]
            at = sorted(row["epsilon"] for row in some)
            for which, share in (("least", 0.8), ("most", 0.9)):
                label = f"sort, paper, {which}"
                drawn.append(Curve(label, [(e, share) for e in at], "0", "dotted"))
            plots.append(Plot(by, "ε", "share of the time", drawn, "x"))
            sorting.append(f"{span(100 * row['sort_share'] for row in some)}% by {in_words(named)}")
    return Part(
        PAPER,
        "Figure 6",
        "frequencies: shares of the time by operation",
        "The paper spends 80 to 90% of the time on sorting; here that share is "
        f"{joined(sorting)}; it depends on how fast the sort is, on the size of the windows, and "
        "on how many entries are merged and pruned.",
        [
            "Open markers: of the paper only the share of sorting is in the text.",
            *_told([*records, *printed]),
        ],
        [Grid(head, rows, left=3)],
        plots,
    )


def _shares(row: Row) -> list[str]:
    known = [row.get(f"{name}_share", 0.0) for name in OPERATIONS]
    told = (f"{100 * share:.0f}%" for share in (*known, 1 - sum(known)))
    return [f"{row['epsilon']:g}", "80–90%", *told]


def _quantiles(records: list[Record], printed: list[Record]) -> Part:
    """Values a second over the error, beside those of the sorts alone."""

    def rows_of(record: Record) -> list[Row]:
        return record.where(workload="quantiles", method="QuantileSummary")

    plots = []
    for record in records:
        drawn = _series(rows_of(record), record)
        if record is records[0]:
            drawn += [each for one in printed for each in _series(rows_of(one), one)]
        for peer, look in PEERS:
            rows = record.where(workload="quantiles", method=peer)
            drawn.append(curve(peer, rows, "epsilon", SPEED, look=look))
        plots.append(_plot(record.device, drawn))
    host = records[-1].where(workload="quantiles")
    speeds = {(row["method"], row["epsilon"]): row[SPEED] for row in host}
    errors = {row["epsilon"] for row in host}
    merged = span(speeds["QuantileSummary", each] / speeds[BARE, each] for each in errors)
    return _figure(
        7,
        "quantiles: values a second over ε, on CPU and GPU, beside a bare sort of the windows",
        "In the paper a GPU is about as fast as a CPU; today "
        f"{_against(rows_of(records[0]), records[0])}{_printed(rows_of, records[0], printed)}; on "
        f"a smaller host, the summary in {records[-1].host['cores']} threads, with a radix sort, "
        f"is {merged} times as fast as np.sort of its windows in one thread.",
        plots,
        *_told([*records, *printed]),
        PLACES,
    )


def _printed(rows_of: Callable[[Record], list[Row]], ours: Record, printed: list[Record]) -> str:
    """Return how much slower summaries as printed are, as a part of a sentence."""
    told = []
    for record in printed:
        for label, rows in by_sorter(rows_of(record), record):
            beside = {
                row["epsilon"]: row[SPEED]
                for row in rows_of(ours)
                if label == f"as printed, {label_of(row, ours)}"
            }
            both = [(row[SPEED], beside[e]) for row in rows if (e := row["epsilon"]) in beside]
            if both:
                shares = [row["merge_share"] + row["compress_share"] for row in rows]
                told.append(
                    f"{in_words(label)} reaches {span(a / b for a, b in both)} times the speed of "
                    f"ours, and spends up to {about(100 * max(shares))}% of its time on merging "
                    "and compressing"
                )
    return f"; {'; '.join(told)}" if told else ""


def _lengths(of: str, window: int, records: Iterable[Record]) -> list[Plot]:
    """Plot a sliding window of one length, and of all lengths at once, for each record."""
    return [
        _plot(
            f"{record.device}: {label}",
            _series(
                record.where(
                    workload=f"sliding-{of}", window=window, data="uniform", shortest=shortest
                ),
                record,
            ),
        )
        for record in records
        for label, shortest in (("one length", window), ("all lengths", 1))
    ]


def _kept_whole(rows: Sequence[Row], window: int) -> list[Row]:
    """Return the rows of windows that are kept whole, as a sketch would be no smaller."""
    return [row for row in rows if row["entries"] >= window]


def _sliding_frequencies(records: list[Record]) -> Part:
    rows = records[0].where(workload="sliding-frequencies", window=MILLION, data="uniform")
    whole = _kept_whole(rows, MILLION)
    sketched = [row for row in rows if row not in whole]
    return _figure(
        8,
        "frequencies of the last 1,000,000 values: values a second over ε, on CPU and GPU",
        "A window of a million values is kept whole if ε is so small that a sketch would be no "
        "smaller; an update then copies values and sorts nothing; where there is a sketch, "
        f"{_against(sketched or rows, records[0])}.",
        _lengths("frequencies", MILLION, records),
        *_told(records),
        PLACES,
        CHOSEN,
        "One length: the window has exactly this length; all lengths: any window up to it may be "
        "asked about.",
    )


def _sliding_quantiles(records: list[Record]) -> Part:
    rows = records[0].where(workload="sliding-quantiles", window=10 * MILLION)
    whole = _kept_whole(rows, 10 * MILLION)
    sketched = [row for row in rows if row not in whole]
    return _figure(
        9,
        "quantiles of the last 10,000,000 values: values a second over ε, on CPU and GPU",
        "One length of window is cheaper than all lengths at once, which need blocks of many "
        "levels; where the window is not kept whole, "
        f"{_against(sketched or rows, records[0])}.",
        _lengths("quantiles", 10 * MILLION, records),
        *_told(records),
        PLACES,
        CHOSEN,
    )
