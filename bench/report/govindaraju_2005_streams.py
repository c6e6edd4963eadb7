"""Figures 5 to 9 of Govindaraju et al. 2005: streams, on every machine that has a record."""

from collections.abc import Callable
from typing import Any

from bench.report.curves import OURS_ALONE, curve
from bench.report.govindaraju_2005_sorting import PAPER
from bench.report.parts import Grid, Part
from bench.report.plot import Curve, Plot
from bench.report.series import PAPERS, by_sorter, label_of
from bench.shared.record import Record, Row, load
from bench.shared.words import span
from shadersort.streams.lossy_counting import buckets_of_windows

SPEED = "mvalues_per_s"
OPERATIONS = ("sort", "merge", "compress")
LOOKS = ("3", "1", "2", "5", *7 * ("",))
"""Looks of the sorters' curves: not that of the sketch beside them."""


def parts() -> list[Part]:
    """Return these figures."""
    names = ("streams-figures-numpy", "streams-frequencies-numpy")
    quantiles, counts = map(load, names)
    whole = load("streams-figures-nvidia-h200")
    sliding = {of: load(f"streams-sliding-{of}-nvidia-h200") for of in ("frequencies", "quantiles")}
    return [
        _frequencies([counts, whole]),
        _operations([counts, whole]),
        _quantiles([quantiles, whole]),
        _sliding_frequencies([counts, sliding["frequencies"]]),
        _sliding_quantiles([quantiles, sliding["quantiles"]]),
    ]


def _figure(
    number: int,
    fact: str,
    changed: str,
    records: list[Record],
    drawn: Callable[[Record], list[Curve]],
    *notes: str,
) -> Part:
    """Return a figure of values a second over the error, with a plot for each record."""
    plots = [Plot(record.label, "ε", "M values/s", drawn(record)) for record in records]
    told = [OURS_ALONE, *_told(records), *notes]
    return Part(PAPER, f"Figure {number}", fact, changed, told, plots=plots)


def _told(records: list[Record]) -> list[str]:
    """Return a note on each record: its device, its values, its CPU, and whether PBSN was drawn."""
    return [note for record in records for note in _told_of(record)]


def _told_of(record: Record) -> list[str]:
    row, sorters = record.rows[0], {row["sorter"] for row in record.rows}
    host = ""
    if record.described["kind"] != "numpy" and "numpy" in sorters:
        host = f"; NumPy on {record.host['cpu']}, {record.host['cores']} cores"
    notes = [f"Measured: {record.label}; {row['keys']:,} values of {row['dtype']}{host}."]
    labels = [label_of(each, record) for each in record.rows if "entries" in each]
    if "textures" in sorters and not any(label.startswith(PAPERS) for label in labels):
        (drawn,) = {label for label in labels if not label.startswith(("CUDA", "NumPy"))}
        shaders = "compute shaders" if ", compute, " in drawn else "fragment shaders"
        notes.append(f"PBSN by blending, the paper's way, was not measured: {drawn} is {shaders}.")
    return notes


def _by_sorter(rows: list[Row], record: Record) -> list[tuple[str, list[Row]]]:
    """Return what sorted, without the device, which the plot's title names; and its rows."""
    return [(_without_device(label, record), some) for label, some in by_sorter(rows, record)]


def _without_device(label: str, record: Record) -> str:
    return label.replace(f", {record.device}", "")


def _against(rows: list[Row], record: Record) -> str:
    """Return how many times as many values a second CUDA takes as each other sorter does."""
    speeds: dict[tuple[Any, ...], dict[str, float]] = {}
    for row in rows:
        of, by = (row["data"], row["epsilon"], row.get("shortest")), label_of(row, record)
        speeds.setdefault(of, {})[by] = row[SPEED]
    labels = dict.fromkeys(label for each in speeds.values() for label in each)
    cuda = next(label for label in labels if label.startswith("CUDA"))
    told = []
    for label in labels:
        if not label.startswith("CUDA"):
            times = span(each[cuda] / each[label] for each in speeds.values() if label in each)
            told.append(
                f"{times} times as many values a second as {_without_device(label, record)}"
            )
    return " and ".join(told)


def _frequencies(records: list[Record]) -> Part:
    """Values a second over the error, for two streams."""

    def rows_of(record: Record) -> list[Row]:
        return record.where(workload="frequencies", method="FrequencySummary")

    def drawn(record: Record) -> list[Curve]:
        return [
            curve(f"{by}, {name}", [row for row in some if row["data"] == data], "epsilon", SPEED)
            for by, some in _by_sorter(rows_of(record), record)
            for name, data in (("uniform", "uniform"), ("Zipf, 1.2", "zipf 1.2"))
        ]

    errors = {row["epsilon"] for record in records for row in rows_of(record)}
    least = min(buckets_of_windows(epsilon)[1] for epsilon in errors)
    return _figure(
        5,
        "frequencies: values a second over ε",
        "Small windows still cost more than large ones, because there are more of them, and each "
        "is merged into the summary as soon as it is sorted; on one GPU, CUDA takes "
        f"{_against(rows_of(records[1]), records[1])}.",
        records,
        drawn,
        f"The paper's windows have 1/ε values; these have {least} times as many or more.",
    )


def _operations(records: list[Record]) -> Part:
    """Shares of the time by operation; while kernels run, the host's time says nothing."""
    ours = (f"{name}, measured" for name in (*OPERATIONS, "rest"))
    head = ["sorted", "stream", "ε", "sort, paper", *ours]
    rows, plots, sorting = [], [], []
    for record in records:
        known = record.where(workload="frequencies", method="FrequencySummary", data="uniform")
        timed = [row for row in known if not row["sorter"].startswith("cuda")]
        for by, some in _by_sorter(timed, record):
            rows += [[by, row["data"], *_shares(row)] for row in some]
            drawn = [curve(name, some, "epsilon", f"{name}_share") for name in OPERATIONS]
            plots.append(Plot(f"{record.label}, {by}", "ε", "share of the time", drawn, "x"))
            share = span(100 * row["sort_share"] for row in some)
            sorting.append(f"{share}% with {by}")
    return Part(
        PAPER,
        "Figure 6",
        "frequencies: shares of the time by operation",
        "The paper spends 80 to 90% of the time on sorting; here sorting is still the largest of "
        f"the three operations, {' and '.join(sorting)}, but a radix sort of halves is so fast "
        "that merging and pruning become visible, and with small windows also the work that is "
        "none of the three.",
        ["Of the paper only the share of sorting is in the text.", *_told(records)],
        [Grid(head, rows, left=3)],
        plots,
    )


def _shares(row: Row) -> list[str]:
    known = [row[f"{name}_share"] for name in OPERATIONS]
    told = (f"{100 * share:.0f}%" for share in (*known, 1 - sum(known)))
    return [f"{row['epsilon']:g}", "80–90%", *told]


def _quantiles(records: list[Record]) -> Part:
    """Values a second over the error, beside those of the sorts alone."""
    bare = "np.sort of the windows"

    def drawn(record: Record) -> list[Curve]:
        rows = record.where(workload="quantiles", method="QuantileSummary")
        found = [
            curve(by, some, "epsilon", SPEED, look=look)
            for (by, some), look in zip(_by_sorter(rows, record), LOOKS, strict=False)
        ]
        for peer, look in ((bare, "np.sort"), ("KLL, k=200", "4")):
            found.append(curve(peer, record.where(method=peer), "epsilon", SPEED, look=look))
        return [each for each in found if each.points]

    host, gpu = (record.where(workload="quantiles") for record in records)
    speeds = {(row["method"], row["epsilon"]): row[SPEED] for row in host}
    errors = {row["epsilon"] for row in host}
    merged = span(speeds["QuantileSummary", each] / speeds[bare, each] for each in errors)
    ours = [row for row in gpu if row["method"] == "QuantileSummary"]
    against = _against(ours, records[1])
    return _figure(
        7,
        "quantiles: values a second over ε, beside a bare sort of the windows",
        "The idea of 2005, to sort a window and to merge a sample of it, still wins on a CPU: with "
        f"a radix sort on all cores it takes {merged} times as many values a second as the bare "
        f"np.sort of the windows; on a GPU, CUDA takes {against}.",
        records,
        drawn,
    )


def _of_window(of: str, window: int) -> Callable[[Record], list[Curve]]:
    """Return what draws a sliding window: of one length, and of all lengths at once."""

    def drawn(record: Record) -> list[Curve]:
        rows = record.where(workload=f"sliding-{of}", window=window, data="uniform")
        return [
            curve(f"{by}, {label}", [r for r in some if r["shortest"] == n], "epsilon", SPEED)
            for by, some in _by_sorter(rows, record)
            for label, n in (("one length", window), ("all lengths", 1))
        ]

    return drawn


def _sliding_frequencies(records: list[Record]) -> Part:
    return _figure(
        8,
        "frequencies of the last 1,000,000 values: values a second over ε",
        "A window of a million values is kept whole if ε is so small that a sketch would be no "
        "smaller; an update then copies values and sorts nothing; where there is a sketch, kernels "
        "only sort and count for it, and the host merges.",
        records,
        _of_window("frequencies", 10**6),
    )


def _sliding_quantiles(records: list[Record]) -> Part:
    rows = records[1].where(workload="sliding-quantiles", window=10**7)
    smallest = min(row["epsilon"] for row in rows)
    against = _against([row for row in rows if row["epsilon"] > smallest], records[1])
    return _figure(
        9,
        "quantiles of the last 10,000,000 values: values a second over ε",
        "One length of window is far cheaper than all lengths at once, which need blocks of many "
        "levels; at the smallest ε the window of ten million values is kept whole, and at the "
        f"others CUDA, which also merges the blocks, takes {against}.",
        records,
        _of_window("quantiles", 10**7),
    )
