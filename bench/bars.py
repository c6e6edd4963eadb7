"""What the modern track has to reach, in reads of all keys, beside what was measured."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["ADVERSARIES", "MOST", "Bar", "bars", "table"]

Row = dict[str, Any]

MOST = {
    ("primitive", "extent"): 1.15,
    ("primitive", "objective"): 1.15,
    ("primitive", "nearest"): 1.15,
    ("primitive", "compaction of 5%"): 1.25,
    ("method", "bucket"): 5,
    ("method", "radix"): 5,
    ("method", "randomized"): 4,
    ("method", "cutting-plane"): 9,
    ("many", "101 ranks"): 6,
    ("many", "1,001 ranks"): 9,
}
"""Reads that each may take at most."""

ADVERSARIES = ("ones", "ones-and-twos", "sorted", "bucket-killer")
"""Data on which a method may not be much slower than on uniform keys, or than sorting."""

OVER_UNIFORM, OVER_SORT = 3, 1.2


@dataclass(frozen=True, slots=True)
class Bar:
    """A limit, and one figure that is held to it.

    Attributes
    ----------
    what
        What is limited.
    where
        The data that the figure is of.
    most, measured
        In the same unit: reads, or times another figure.
    """

    what: str
    where: str
    most: float
    measured: float

    @property
    def met(self) -> bool:
        """Whether the figure is within the limit."""
        return self.measured <= self.most


def bars(rows: Sequence[Row]) -> Iterator[Bar]:
    """Yield a bar for every figure that has a limit."""
    times = {_key(row): row["ms"] for row in rows if row["ms"]}
    for row in rows:
        if not row["ms"]:
            continue
        if row["distribution"] in ADVERSARIES:
            if row["group"] == "method":
                yield from _against_adversary(row, times)
        elif most := MOST.get((row["group"], row["what"])):
            yield Bar(f"{row['group']}: {row['what']}, reads", _where(row), most, row["reads"])


def _against_adversary(row: Row, times: dict[Any, float]) -> Iterator[Bar]:
    """Compare a method's time with its own on uniform keys, and with that of a sort."""
    plain = times.get(_key(row | {"distribution": "uniform"}))
    sorting = times.get(_key(row | {"group": "peer", "what": "sort"}))
    name = f"adversaries: {row['what']}"
    if plain:
        yield Bar(f"{name}, × its uniform time", _where(row), OVER_UNIFORM, row["ms"] / plain)
    if sorting:
        yield Bar(f"{name}, × sorting", _where(row), OVER_SORT, row["ms"] / sorting)


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("n", "dtype", "distribution", "group", "what"))


def _where(row: Row) -> str:
    return f"{row['distribution']}, {row['dtype']}, n = {row['n']:,}"


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a table: the worst figure under each limit, and whether all are met."""
    found: dict[str, list[Bar]] = defaultdict(list)
    for bar in bars(rows):
        found[bar.what].append(bar)
    yield f"{'limit':52}{'at most':>9}{'worst':>9}  met"
    for what, some in found.items():
        worst = max(some, key=lambda bar: bar.measured)
        met = sum(bar.met for bar in some)
        verdict = "yes" if met == len(some) else f"NO, {met} of {len(some)}"
        yield f"{what:52}{worst.most:>9.4g}{worst.measured:>9.3g}  {verdict:12} {worst.where}"
    for group, what in MOST:
        if f"{group}: {what}, reads" not in found:
            yield f"{f'{group}: {what}, reads':52}{MOST[group, what]:>9.4g}{'–':>9}  not measured"
