"""The figures of Govindaraju et al. 2005 on streams, on every machine that has a record."""

from collections.abc import Iterator

from bench.report.curves import curve
from bench.report.figures_sorting import OURS_ALONE, PAPER
from bench.report.parts import Grid, Part, figure
from bench.report.plot import Curve, Plot
from bench.shared.record import Record, Row, load
from shadersort.streams.lossy_counting import buckets_of_windows

__all__ = ["parts"]

SPEED = "mvalues_per_s"
OPERATIONS = ("sort", "merge", "compress")
BY = {"numpy": "NumPy", "textures": "by drawing", "cuda": "by kernels"}
"""How a sorter sorts."""
ON_GPU = "streams-figures-nvidia-h200", "streams-sliding-nvidia-h200"


def parts() -> list[Part]:
    """Return these figures."""
    whole = [load("streams-figures-numpy"), load(ON_GPU[0])]
    counts = [load("streams-frequencies-numpy"), load(ON_GPU[0])]
    return [
        _frequencies(counts),
        _operations(counts),
        _quantiles(whole),
        _sliding(8, "frequencies", [counts[0], load(ON_GPU[1])], 10**6),
        _sliding(9, "quantiles", [whole[0], load(ON_GPU[1])], 10**7),
    ]


def _told(records: list[Record]) -> list[str]:
    """Say of each record where and of how many values it is."""
    found = []
    for record in records:
        first = record.rows[0]
        found.append(f"Measured: {record.label}; {first['keys']:,} values of {first['dtype']}.")
    return found


def _by_sorter(rows: list[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yield how each sorter of a record sorts, and its rows."""
    for sorter in dict.fromkeys(row["sorter"] for row in rows):
        yield BY[sorter], [row for row in rows if row["sorter"] == sorter]


def _frequencies(records: list[Record]) -> Part:
    """Values a second over the error, for two streams."""
    plots, least = [], []
    for record in records:
        rows = record.where(workload="frequencies", method="FrequencySummary")
        drawn = [
            curve(f"{by}, {name}", [row for row in some if row["data"] == data], "epsilon", SPEED)
            for by, some in _by_sorter(rows)
            for name, data in (("uniform", "uniform"), ("Zipf, 1.2", "zipf 1.2"))
        ]
        plots.append(Plot(record.label, "ε", "M values/s", drawn))
        least += [buckets_of_windows(row["epsilon"])[1] for row in rows if row["data"] == "uniform"]
    windows = f"The paper's windows have 1/ε values; these have {min(least)} times as many or more."
    return figure(
        PAPER,
        5,
        "frequencies: values a second over ε",
        [OURS_ALONE, *_told(records), windows],
        plots=plots,
    )


def _operations(records: list[Record]) -> Part:
    """Shares of the time by operation; while kernels run, the host's time says nothing."""
    ours = (f"{name}, measured" for name in (*OPERATIONS, "rest"))
    head = ["sorted", "stream", "ε", "sort, paper", *ours]
    rows, plots = [], []
    for record in records:
        known = record.where(workload="frequencies", method="FrequencySummary")
        for by, some in _by_sorter([row for row in known if row["sorter"] != "cuda"]):
            here = [row for row in some if row["data"] == "uniform"]
            rows += [[by, row["data"], *_shares(row)] for row in here]
            drawn = [curve(name, here, "epsilon", f"{name}_share") for name in OPERATIONS]
            title = record.label if by == BY["numpy"] else f"{record.label}, {by}"
            plots.append(Plot(title, "ε", "share of the time", drawn, "x"))
    return figure(
        PAPER,
        6,
        "frequencies: shares of the time by operation",
        ["Of the paper only the share of sorting is in the text.", *_told(records)],
        grids=[Grid(head, rows, left=3)],
        plots=plots,
    )


def _shares(row: Row) -> list[str]:
    known = [row[f"{name}_share"] for name in OPERATIONS]
    told = (f"{100 * share:.0f}%" for share in (*known, 1 - sum(known)))
    return [f"{row['epsilon']:g}", "80–90%", *told]


def _quantiles(records: list[Record]) -> Part:
    """Values a second over the error, beside what the sorts alone take."""
    plots = []
    for record in records:
        rows = record.where(workload="quantiles", method="QuantileSummary")
        drawn = [
            curve(by, some, "epsilon", SPEED, look=look)
            for (by, some), look in zip(_by_sorter(rows), "312", strict=False)
        ]
        for peer, look in (("np.sort of the windows", "np.sort"), ("KLL, k=200", "4")):
            drawn.append(curve(peer, record.where(method=peer), "epsilon", SPEED, look=look))
        plots.append(Plot(record.label, "ε", "M values/s", [each for each in drawn if each.points]))
    return figure(
        PAPER,
        7,
        "quantiles: values a second over ε, beside a bare sort of the windows",
        [OURS_ALONE, *_told(records)],
        plots=plots,
    )


def _sliding(number: int, of: str, records: list[Record], window: int) -> Part:
    """Values a second of a sliding window: of one length, and of all lengths at once."""
    plots = []
    for record in records:
        rows = record.where(workload=f"sliding-{of}", window=window, data="uniform")
        drawn: list[Curve] = []
        for by, some in _by_sorter(rows):
            for label, shortest in (("one length", window), ("all lengths", 1)):
                here = [row for row in some if row["shortest"] == shortest]
                drawn.append(curve(f"{by}, {label}", here, "epsilon", SPEED))
        plots.append(Plot(record.label, "ε", "M values/s", drawn))
    return figure(
        PAPER,
        number,
        f"{of} of the last {window:,} values: values a second over ε",
        [OURS_ALONE, *_told(records)],
        plots=plots,
    )
