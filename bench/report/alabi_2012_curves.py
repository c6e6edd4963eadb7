"""The figures of Alabi et al. 2012 whose numbers are not in the text, drawn from `bench.curves`."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from bench.report.alabi_2012 import PAPER
from bench.report.curves import OURS_ALONE, curve, plots
from bench.report.parts import Grid, Part
from bench.report.plot import Curve, Line, Plot
from bench.shared.record import Library, Record
from bench.shared.words import about, count_of, short

FIVE = ("sort-choose", "radix", "bucket", "cutting-plane", "randomized")
BOTH, TYPES = ("uniform", "normal"), ("float32", "float64")
LARGE = 1 << 28
"""Keys in the tables of a record of `bench.modern`."""


def parts(records: Library) -> list[Part]:
    """Return these figures."""
    ours, gpu = records["curves-nvidia-h200"], records["modern-nvidia-h200"]
    return [
        _over_ranks(
            ours,
            5,
            "float32",
            "Over the ranks of floats, the longest time of our radix and of our bucket is at most "
            f"{_level(ours, 'float32')} times the shortest.",
        ),
        _over_ranks(
            ours,
            6,
            "float64",
            "Over the ranks of doubles, the longest time of our radix and of our bucket is at most "
            f"{_level(ours, 'float64')} times the shortest.",
        ),
        _adversaries(
            ours,
            gpu,
            9,
            ("sorted", "ones"),
            "On the GPU neither sorted nor equal keys are adversaries any more: sorted keys take "
            "no longer than others, although neighbours share a counter, and equal extremes are "
            "an answer by themselves.",
        ),
        _adversaries(ours, gpu, 10, ("ones-and-twos", "bucket-killer"), _of_killers(gpu)),
        _methods(ours, gpu),
        _spread(ours),
    ]


def _level(ours: Record, dtype: str) -> str:
    """Return the longest time over the shortest, of the same method and data, at most."""
    times = defaultdict(list)
    for row in ours.where(curve="ranks", dtype=dtype):
        times[row["distribution"], row["method"]].append(row["ms"])
    return about(max(max(some) / min(some) for some in times.values()))


def means(ours: Record, **of: Any) -> dict[tuple[str, int], float]:
    """Return the mean time of each method for each number of keys."""
    times: dict[tuple[str, int], list[float]] = defaultdict(list)
    for row in ours.where(**of):
        times[row["method"], row["n"]].append(row["ms"])
    return {each: sum(some) / len(some) for each, some in times.items()}


def _figure(
    ours: Record,
    number: int,
    fact: str,
    changed: str,
    plots: list[Plot],
    *grids: Grid,
    note: str = "",
) -> Part:
    notes = [OURS_ALONE, f"Plot: {ours.label}.", *([note] if note else [])]
    return Part(PAPER, f"Figure {number}", fact, changed, notes, grids, plots)


def _over_ranks(ours: Record, number: int, dtype: str, changed: str) -> Part:
    of = {"curve": "ranks", "dtype": dtype}
    keys = count_of(ours.where(**of)[0]["n"])
    wanted = {f"{name}, {keys} keys": {**of, "distribution": name} for name in BOTH}
    axes = ("rank, share of n", "ms")
    drawn = plots(ours, wanted, over="share", axes=axes, log="y")
    return _figure(ours, number, f"time over the rank, {dtype}", changed, drawn)


def _adversaries(
    ours: Record, gpu: Record, number: int, names: Sequence[str], changed: str
) -> Part:
    drawn = plots(ours, {name: {"curve": "adversaries", "distribution": name} for name in names})
    grid = _on_gpu(gpu, FIVE[:3], [(name, "float32") for name in ("uniform", *names)])
    fact = f"time on {' and on '.join(names)}, over the number of keys"
    return _figure(ours, number, fact, changed, drawn, grid, note=_table_of(gpu))


def _table_of(gpu: Record) -> str:
    return f"Table: {gpu.label}, 2^28 keys, ms."


def _of_killers(gpu: Record) -> str:
    """Return what changed on the two adversaries of bucket."""

    def ms(what: str, distribution: str) -> float:
        of = {"n": LARGE, "dtype": "float32", "what": what, "distribution": distribution}
        group = "peer" if what == "sort" else "method"
        return float(gpu.one(group=group, **of)["ms"])

    usual, two, killer = (
        ms("bucket", each) for each in ("uniform", "ones-and-twos", "bucket-killer")
    )
    return (
        f"On the GPU bucket takes {about(two / usual)} times its usual time for two values, and "
        f"{about(killer / usual)} times for the Bucket Killer, where it is still "
        f"{about(ms('sort', 'bucket-killer') / killer)} times as fast as sorting, because after a "
        "bad round the buckets have equally many codes."
    )


def _on_gpu(gpu: Record, methods: Sequence[str], data: Sequence[tuple[str, str]]) -> Grid:
    """Return a table of the times of methods on some data."""
    rows = []
    for name, dtype in data:
        found = gpu.where(distribution=name, dtype=dtype, n=LARGE, group="method")
        times = {row["what"]: row["ms"] for row in found}
        rows.append([f"{name}, {dtype}", *(short(times[method]) for method in methods)])
    return Grid(["data", *methods], rows)


def _methods(ours: Record, gpu: Record) -> Part:
    kinds = [(name, dtype) for dtype in TYPES for name in BOTH]
    wanted = {
        f"{name}, {dtype}": {"curve": "methods", "distribution": name, "dtype": dtype}
        for name, dtype in kinds
    }
    drawn = plots(ours, wanted, axes=("keys", "ms, mean of three ranks"))
    ms = means(ours, curve="methods")
    sizes = {n for _, n in ms}
    last = max(n for n in sizes if ms["sort-choose", n] < ms["cutting-plane", n])
    return _figure(
        ours,
        11,
        "five methods over the number of keys",
        "On a GPU each method is a few passes over the keys, so radix has caught up with bucket, "
        "and randomized, which needs the fewest passes, is the fastest on many keys; the cutting "
        f"plane waits for its host after every pass, and up to {count_of(last)} keys sorting is "
        "faster.",
        drawn,
        _on_gpu(gpu, FIVE, kinds),
        note=_table_of(gpu),
    )


def _spread(ours: Record) -> Part:
    statistics: dict[str, Callable[[list[float]], float]] = {"least": min, "longest": max}
    found = []
    for name in BOTH:
        drawn: list[Curve] = []
        for method in ("bucket", "randomized"):
            rows = ours.where(curve="methods", distribution=name, dtype="float32", method=method)
            for what, of in statistics.items():
                label = f"{method}, {what}"
                line: Line = "dashed" if what == "least" else "solid"
                drawn.append(curve(label, rows, "n", "ms", look=method, line=line, of=of))
        found.append(Plot(f"{name}, float32", "keys", "ms", drawn))
    return _figure(
        ours,
        12,
        "least and longest times of bucket and randomized, over three ranks",
        "Both are steady, and with many keys randomized is ahead of bucket even at its worst; its "
        "bracket is wider than the paper's, and so misses the key one time in a hundred, where the "
        "paper's missed it one time in ten.",
        found,
    )
