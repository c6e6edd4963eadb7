"""The speed-ups since each paper, each as a product: bandwidth, algorithm, and the rest."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bench.papers import load
from bench.report.parts import Grid, Part
from bench.report.tables import Measured
from bench.reproduce.lines import Line
from bench.shared.words import count_of, short, span
from bench.sources import PRINTED
from shadersort.lessons.shared.speedups import SpeedUp, split

NAME = "Speed-ups by cause"

TIMES: dict[str, dict[str, Any]] = {
    **{f"beliakov-2011-{number}": {"part": "total"} for number in (1, 2)},
    **{f"alabi-2012-{number}": {"statistic": "mean"} for number in range(2, 7)},
    "blanchard-2015-5": {"ranks": 101},
}
"""Tables of times, and which of their cells are split."""

ON_CPU = ("quickselect",)
MANY = 100_000_000
"""Keys so many that memory matters most."""

HEAD = (
    *("table", "keys", "method", "paper, ms", "as printed, ms", "ours, ms"),
    *("times as fast", "= bandwidth", "× algorithm", "× rest"),
)

NOTES = (
    "Bandwidth: the ratio of the two cards' memory bandwidths, by their data sheets. Those of the "
    "C2050 and the C2070 are without error correction, which the paper of 2012 had on: with it at "
    "most 7/8 are left, so the factor is at least 8/7 times this, and the rest at most 7/8.",
    "Algorithm: "
    "the time as printed over that of our version, both measured on the newer card; a method that "
    "no paper prints step by step has none, and the rest includes it.",
    "Rest: what neither explains: launches and waits, caches, atomic additions, arithmetic, and "
    "how well each program was written. Without the older card these cannot be told apart.",
)


class Split(NamedTuple):
    """A cell's line in our version, the one as printed, and the speed-up."""

    table: str
    line: Line
    printed: float | None
    speed_up: SpeedUp


def parts(ours: Measured) -> Iterator[Part]:
    """Yield a part for each paper: the fewest and the most keys of each method of its tables."""
    found = [each for table, of in TIMES.items() for each in _splits(ours, table, of)]
    for paper in dict.fromkeys(load(table).paper for table in TIMES):
        some = [each for each in found if load(each.table).paper == paper]
        yield Part(
            paper,
            NAME,
            "each as a product of bandwidth, algorithm and the rest",
            _summary(some),
            [f"{load(some[0].table).device} → {ours.label}.", *NOTES],
            [Grid(HEAD, [_row(each) for each in some], left=3)],
        )


def _splits(ours: Measured, table: str, of: dict[str, Any]) -> Iterator[Split]:
    """Yield the splits of a table: each method with the fewest and the most keys."""
    groups: dict[str, list[Line]] = {}
    for line in ours.lines_of(table, **of):
        if line.unit == "ms" and line.of["method"] not in ON_CPU:
            groups.setdefault(_named(line), []).append(line)
    printed = {str(line.of): line.measured for line in ours.lines_of(table, PRINTED, **of)}
    for lines in groups.values():
        for line in (lines[0], lines[-1]):
            assert line.measured is not None
            assert line.paper is not None
            before, as_printed = line.paper, printed.get(str(line.of))
            before *= line.n / line.of["n"] if line.n else 1.0
            cards = {"then": load(table).device, "now": ours.label}
            yield Split(table, line, as_printed, split(before, as_printed, line.measured, **cards))


def _named(line: Line) -> str:
    """Return the method of a cell, with the type and the distribution if they differ."""
    more = (str(line.of[key]) for key in ("dtype", "distribution") if key in line.of)
    return ", ".join([line.of["method"], *more])


def _row(each: Split) -> list[str]:
    line, factors = each.line, each.speed_up
    algorithm = "–" if factors.algorithm is None else short(factors.algorithm)
    return [
        load(each.table).table,
        count_of(line.of["n"]),
        _named(line),
        *(short(ms) for ms in (line.paper, each.printed, line.measured)),
        *(short(factors.total), short(factors.bandwidth), algorithm, short(factors.rest)),
    ]


def _summary(some: Sequence[Split]) -> str:
    """Return in one sentence what explains the speed-ups on the most keys."""
    many = [each for each in some if each.line.of["n"] >= MANY]
    most = [each for each in many if each.printed is not None]
    factors = [each.speed_up for each in most]
    bandwidth, rest = (span(getattr(each, of) for each in factors) for of in ("bandwidth", "rest"))
    algorithm = span(each.algorithm for each in factors if each.algorithm is not None)
    return (
        f"With {MANY:,} keys or more, methods are {span(each.total for each in factors)} times "
        f"as fast as in the paper: the memory of the newer card is {bandwidth} times as fast, our "
        f"versions are {algorithm} times as fast as the same methods as printed, and the rest is a "
        f"factor of {rest}."
    )
