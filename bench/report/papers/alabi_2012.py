"""The figures of Alabi et al. 2012, drawn from `bench.curves`, with the paper's numbers."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product

from bench.report.alabi_2012 import PAPER
from bench.report.curves import POINTS, Statistic, Times, lines, note_of, paper
from bench.report.parts import Part
from bench.report.plot import Curve, Plot
from bench.report.tables import OURS, PRINTED
from bench.shared.record import Record
from bench.shared.words import about, count_of, span

THREE = ("sort-choose", "radix", "bucket")
FIVE = (*THREE, "cutting-plane", "randomized")
BOTH, TYPES = ("uniform", "normal"), ("float32", "float64")

TIMES = {
    ("uint32", "uniform"): "alabi-2012-2",
    ("float32", "uniform"): "alabi-2012-3",
    ("float64", "uniform"): "alabi-2012-4",
    ("float32", "normal"): "alabi-2012-5",
    ("float64", "normal"): "alabi-2012-6",
}
"""Tables by type and distribution."""

STATISTICS: dict[str, tuple[Statistic, str, str]] = {
    "least": (min, "v", "min"),
    "mean": (lambda some: sum(some) / len(some), "o", "mean"),
    "longest": (max, "^", "max"),
}
"""What is told of the times of all ranks: how, by which marker, and its name in the tables."""

POWERS = (23, 25, 27, 28, 29)
"""Sizes of the figures over the rank; the largest is 2^28 for doubles, 2^29 for floats."""


def parts(record: Record) -> list[Part]:
    """Return the figures."""
    times = Times(record)
    number: dict[int, Callable[[Times], Part]] = {
        **{1: _integers, 2: _by_type, 3: _statistics, 4: _by_distribution, 7: _half_normal},
        **{8: _wide, 9: _plain_adversaries, 10: _killers, 11: _methods, 12: _randomized},
    }
    ranks = [_over_ranks(times, 5, "float32"), _over_ranks(times, 6, "float64")]
    return [*(make(times) for make in number.values()), *ranks]


def _figure(
    times: Times, number: int, fact: str, changed: str, plots: Sequence[Plot], *notes: str
) -> Part:
    told = [*notes, note_of(times.record), times.ranks(), times.faults()]
    return Part(PAPER, f"Figure {number}", fact, changed, [t for t in told if t], plots=plots)


def _means(times: Times, kinds: Iterable[tuple[str, str]], methods: Sequence[str]) -> list[Plot]:
    """Plot mean times over the number of keys, with the paper's: a plot for each kind of keys."""
    found = []
    for name, dtype in kinds:
        drawn: list[Curve] = []
        for method in methods:
            table = TIMES.get((dtype, name))
            if table and method in THREE:
                drawn += paper(table, method, "n", method=method, statistic="mean")
            drawn += lines(times.where(distribution=name, dtype=dtype, method=method), "n")
        found.append(Plot(f"{name}, {dtype}", "keys", "ms, mean", drawn))
    return found


def _spread(
    times: Times, names: Sequence[str], methods: Sequence[str], table: bool = True
) -> list[Plot]:
    """Plot least, mean and longest times of float32: a row for each distribution."""
    found = []
    for name, method in product(names, methods):
        drawn: list[Curve] = []
        rows = times.where(distribution=name, dtype="float32", method=method)
        for what, (of, marker, key) in STATISTICS.items():
            end, look = f", {what}", f"{method} {marker}"
            if table:
                named = TIMES["float32", name]
                drawn += paper(named, method, "n", end=end, look=look, method=method, statistic=key)
            drawn += lines(rows, "n", of=of, end=end, look=look)
        found.append(Plot(f"{method}, {name}, float32", "keys", "ms", drawn))
    return found


def _told(times: Times, method: str, name: str, dtype: str) -> str:
    """Return the times of both variants of a method for the most keys, as a part of a sentence."""
    of = {"distribution": name, "dtype": dtype, "method": method}
    n = times.most(**of)
    printed, ours = (times.ms(n, variant=variant, **of) for variant in (PRINTED, OURS))
    return f"{method} takes {about(printed)} ms as printed and {about(ours)} ms in our version"


def _integers(times: Times) -> Part:
    n = times.most(distribution="uniform", dtype="uint32")
    told = (_told(times, method, "uniform", "uint32") for method in THREE[1:])
    return _figure(
        times,
        1,
        "mean times on unsigned integers",
        f"For {count_of(n)} keys {', and '.join(told)}; as printed, bucket writes down the bucket "
        "of each key, and radix counts more of its digits among all keys.",
        _means(times, [("uniform", "uint32")], THREE),
        POINTS.format("table II"),
    )


def _by_type(times: Times) -> Part:
    told = []
    for method in THREE[1:]:
        shares = []
        for variant in (PRINTED, OURS):
            of = {"distribution": "uniform", "method": method, "variant": variant}
            n = times.most(dtype="float64", **of)
            shares.append(times.ms(n, dtype="float64", **of) / times.ms(n, dtype="float32", **of))
        printed, ours = map(about, shares)
        told.append(f"{method} as printed takes {printed} times as long, and ours {ours} times")
    kinds = [("uniform", "uint32"), *product(("uniform",), TYPES), *product(("normal",), TYPES)]
    return _figure(
        times,
        2,
        "mean times by type",
        f"For the most doubles, compared with as many floats, {'; '.join(told)}; a double has "
        "twice as many bytes.",
        _means(times, kinds, THREE),
        POINTS.format("tables II to VI"),
    )


def _statistics(times: Times) -> Part:
    of = {"dtype": "float32", "method": "radix"}
    swings = [span(times.swing(variant=v, **of)) for v in (PRINTED, OURS)]
    return _figure(
        times,
        3,
        "least, mean and longest times over the rank, float32",
        "The longest time of radix over its least, for the same keys, is "
        f"{swings[0]} as printed and {swings[1]} in our version, which counts only the first "
        "digits among all keys.",
        _spread(times, BOTH, THREE[1:]),
        POINTS.format("tables III and V"),
    )


def _by_distribution(times: Times) -> Part:
    shares = {}
    for variant in (PRINTED, OURS):
        of = {"dtype": "float32", "method": "bucket", "variant": variant}
        n = times.most(distribution="normal", **of)
        both = (times.ms(n, distribution=name, **of) for name in ("normal", "uniform"))
        shares[variant] = about(next(both) / next(both))
    return _figure(
        times,
        4,
        "mean times by distribution",
        f"As printed, bucket takes {shares[PRINTED]} times as long for the most normal floats as "
        f"for uniform ones, and {shares[OURS]} times in our version; buckets of equal width divide "
        "normal keys less evenly.",
        _means(times, [(name, dtype) for dtype in TYPES for name in BOTH], THREE),
        POINTS.format("tables III to VI"),
    )


def _over_ranks(times: Times, number: int, dtype: str) -> Part:
    plots = []
    for name, method in product(BOTH, THREE[1:]):
        of = {"distribution": name, "dtype": dtype, "method": method}
        drawn: list[Curve] = []
        for look, n in enumerate(times.sizes(POWERS, **of)):
            rows = times.where(n=n, **of)
            drawn += lines(rows, "share", end=f", {count_of(n)} keys", look=str(look + 1))
        plots.append(Plot(f"{method}, {name}, {dtype}", "rank, share of n", "ms", drawn, "y"))
    level = [
        f"{method} {about(max(times.swing(dtype=dtype, method=method, variant=v)))} {words}"
        for method in THREE[1:]
        for v, words in ((PRINTED, "as printed"), (OURS, "in our version"))
    ]
    return _figure(
        times,
        number,
        f"time over the rank, {dtype}",
        f"The longest time over the least, for the same keys, is at most: {', '.join(level)}; a "
        "method that does not depend on the rank would have 1.",
        plots,
    )


def _half_normal(times: Times) -> Part:
    name, of = "half-normal", {"distribution": "half-normal", "dtype": "float32"}
    swings = {v: about(max(times.swing(method="bucket", variant=v, **of))) for v in (PRINTED, OURS)}
    return _figure(
        times,
        7,
        "the half-normal distribution: mean times; least, mean and longest times",
        "The longest time of bucket over its least is at most "
        f"{swings[PRINTED]} as printed and {swings[OURS]} in our version; on these keys the "
        "buckets beside zero are the fullest.",
        [*_means(times, [(name, "float32")], THREE), *_spread(times, [name], THREE[1:], False)],
        "The paper's times are not in its text; table VIII has their ratios.",
    )


def _wide(times: Times) -> Part:
    told = (_told(times, "radix", name, "float32") for name in ("uniform-wide", "normal-wide"))
    return _figure(
        times,
        8,
        "wide distributions: mean times",
        f"On the most keys from −10^6 to 10^6 {next(told)}, and on those of variance 100 "
        f"{next(told)}; figure 4 has the same for narrow ranges.",
        _means(times, [("uniform-wide", "float32"), ("normal-wide", "float32")], THREE),
        "The paper's times are not in its text; table VIII has their ratios.",
    )


def _adversaries(times: Times, names: Sequence[str]) -> list[Plot]:
    found = []
    for name in names:
        rows = times.where(curve="adversaries", distribution=name)
        drawn = [c for m in THREE for c in lines([r for r in rows if r["method"] == m], "n")]
        found.append(Plot(f"{name}, {rows[0]['dtype']}", "keys", "ms, mean", drawn))
    return found


def _over(times: Times, name: str, one: str, other: str) -> dict[str, str]:
    """Return how many times as long one method takes as another, by variant, on the most keys."""
    found: dict[str, str] = {}
    for variant in (PRINTED, OURS):
        of = {"curve": "adversaries", "distribution": name, "variant": variant}
        n = times.most(**of)
        found[variant] = about(times.ms(n, method=one, **of) / times.ms(n, method=other, **of))
    return found


def _plain_adversaries(times: Times) -> Part:
    ordered = _over(times, "sorted", "bucket", "radix")
    equal = _over(times, "ones", "sort-choose", "radix")
    return _figure(
        times,
        9,
        "mean times on sorted and on equal keys",
        f"As printed, bucket takes {ordered[PRINTED]} times as long as radix on the most sorted "
        f"keys, in the paper 4 times, and {ordered[OURS]} times in our version; on equal keys "
        f"sorting takes {equal[PRINTED]} times as long as radix, in the paper up to 2, and "
        f"{equal[OURS]} times in our version, which ends once it sees that the extremes are equal.",
        _adversaries(times, ("sorted", "ones")),
        "The section on adversaries has their reads, too.",
    )


def _killers(times: Times) -> Part:
    two = _over(times, "ones-and-twos", "bucket", "sort-choose")
    killer = _over(times, "bucket-killer", "bucket", "sort-choose")
    return _figure(
        times,
        10,
        "mean times on ones and twos, and on the Bucket Killer",
        f"As printed, bucket takes {two[PRINTED]} times as long as sorting on ones and twos, in "
        f"the paper up to 23, and {killer[PRINTED]} times on the Bucket Killer, in the paper 135; "
        f"in our version {two[OURS]} and {killer[OURS]} times, because after a bad round ours "
        "divides codes of keys, not values.",
        _adversaries(times, ("ones-and-twos", "bucket-killer")),
        "The section on adversaries has their reads, too.",
    )


def _methods(times: Times) -> Part:
    fastest = {}
    for variant in (PRINTED, OURS):
        of = {"distribution": "uniform", "dtype": "float32", "variant": variant}
        n = times.most(**of)
        fastest[variant] = min(FIVE, key=lambda m, n=n, of=of: times.ms(n, method=m, **of))  # type: ignore[misc]
    return _figure(
        times,
        11,
        "mean times of five methods",
        f"On the most uniform floats {fastest[PRINTED]} is the fastest as printed, and "
        f"{fastest[OURS]} in our versions; the section on adversaries has how often each method "
        "reads the keys.",
        _means(times, [(name, dtype) for dtype in TYPES for name in BOTH], FIVE),
        POINTS.format("tables III to VI"),
    )


def _randomized(times: Times) -> Part:
    worst = {
        (method, variant): about(max(times.swing(method=method, variant=variant, dtype="float32")))
        for method in ("bucket", "randomized")
        for variant in (PRINTED, OURS)
    }
    return _figure(
        times,
        12,
        "least, mean and longest times of bucket and randomized, float32",
        "The longest time over the least is at most "
        f"{worst['randomized', PRINTED]} for randomized as printed and "
        f"{worst['randomized', OURS]} for ours, beside {worst['bucket', PRINTED]} and "
        f"{worst['bucket', OURS]} for bucket; a bracket that misses the key costs randomized "
        "another attempt.",
        [
            *_spread(times, ["uniform"], ["bucket"]),
            *_spread(times, ["uniform"], ["randomized"], False),
            *_spread(times, ["normal"], ["bucket"]),
            *_spread(times, ["normal"], ["randomized"], False),
        ],
        POINTS.format("tables III and V, for bucket"),
    )
