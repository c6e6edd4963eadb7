"""The limits of the modern track, in reads of all keys, beside the measurements."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.shared.record import Row

MOST = {
    ("primitive", "extent"): 1.15,
    ("primitive", "objective"): 1.15,
    ("primitive", "nearest"): 1.15,
    ("primitive", "compaction of 5%"): 1.25,
    ("method", "bucket"): 7,
    ("method", "radix"): 7,
    ("method", "fused-radix"): 5,
    ("method", "randomized"): 4,
    ("method", "cutting-plane"): 9,
    ("many", "101 ranks"): 6,
    ("many", "1,001 ranks"): 9,
}
"""The most reads that each may take."""

ADVERSARIES = ("ones", "ones-and-twos", "sorted", "bucket-killer")
"""Data on which a method must not be much slower than on uniform keys, or than a sort."""

OVER_UNIFORM, OVER_SORT = 3, 1.2
"""The most times that a method may take its own time on uniform keys, and the time of a sort."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What is limited, the data of a measurement, the limit and the measurement."""

    what: str
    where: str
    most: float
    measured: float

    @property
    def met(self) -> bool:
        """Whether the measurement is within the limit."""
        return self.measured <= self.most


def limits(rows: Sequence[Row]) -> Iterator[Limit]:
    """Yield a limit for every row that has one."""
    times = {_key(row): row["ms"] for row in rows if row["ms"]}
    for row in rows:
        if not row["ms"]:
            continue
        if row["distribution"] in ADVERSARIES:
            if row["group"] == "method":
                yield from _against_adversary(row, times)
        elif most := MOST.get((row["group"], row["what"])):
            yield Limit(f"{row['group']}: {row['what']}, reads", _where(row), most, row["reads"])


def _against_adversary(row: Row, times: dict[Any, float]) -> Iterator[Limit]:
    """Compare a method's time with its time on uniform keys, and with the time of a sort."""
    plain = times.get(_key(row | {"distribution": "uniform"}))
    sorting = times.get(_key(row | {"group": "peer", "what": "sort"}))
    name = f"adversaries: {row['what']}"
    if plain:
        yield Limit(f"{name}, × its uniform time", _where(row), OVER_UNIFORM, row["ms"] / plain)
    if sorting:
        yield Limit(f"{name}, × sorting", _where(row), OVER_SORT, row["ms"] / sorting)


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("n", "dtype", "distribution", "group", "what"))


def _where(row: Row) -> str:
    return f"{row['distribution']}, {row['dtype']}, n = {row['n']:,}"


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of a table: each limit, the worst measurement, and whether all meet it."""
    found: dict[str, list[Limit]] = defaultdict(list)
    for limit in limits(rows):
        found[limit.what].append(limit)
    yield f"{'limit':52}{'at most':>9}{'worst':>9}  met"
    for what, some in found.items():
        worst = max(some, key=lambda limit: limit.measured)
        met = sum(limit.met for limit in some)
        verdict = "yes" if met == len(some) else f"NO, {met} of {len(some)}"
        yield f"{what:52}{worst.most:>9.4g}{worst.measured:>9.3g}  {verdict:12} {worst.where}"
    for group, what in MOST:
        if f"{group}: {what}, reads" not in found:
            yield f"{f'{group}: {what}, reads':52}{MOST[group, what]:>9.4g}{'–':>9}  not measured"
