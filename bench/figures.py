"""The figures of `bench.modern`: what is called on some keys, how it is checked, and its time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

import modern
from bench.machines import Machine
from bench.measuring import WRONG, Data
from shadersort.errors import DidNotConverge, MethodUnavailable, TooManyKeys
from shadersort.keys import datasets

__all__ = ["MANY", "Figure", "Figures"]

Row = dict[str, Any]

MANY = (101, 1001)
"""How many ranks are selected together."""

OF_TORCH = ("float16", "float32", "float64", "int32", "int64")
"""Types that PyTorch selects from."""

REFUSALS = (DidNotConverge, MethodUnavailable, TooManyKeys)
"""What a method may say in place of an answer; its row has no time then."""

LONG = 200.0
"""Milliseconds: what takes longer is measured in one turn only."""

READ = "max"
"""The figure that is one read of the keys."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A call that was found to be right; or None, and why there is no answer."""

    group: str
    what: str
    call: Callable[[], Any] | None
    why: str = ""


class Figures:
    """Measures on some keys, each figure also in reads: multiples of the time of `max`."""

    def __init__(
        self, machine: Machine, distribution: str, dtype: str, n: int, rank: float
    ) -> None:
        self.machine, self.n = machine, n
        self.data = Data(machine.xp, distribution, dtype, n)
        self.k = min(int(rank * n), n - 1)
        self.head: Row = {"dtype": dtype, "distribution": distribution, "n": n}

    def rows(self, figures: Iterable[Figure], repeats: int, turns: int) -> Iterator[Row]:
        """Measure figures, a read among them, by turns, and return them as rows of the record.

        Of each the median turn counts: what disturbs the machine for some seconds spoils one. What
        takes long has one turn only.
        """
        taken: list[tuple[Figure, list[float]]] = [(figure, []) for figure in figures]
        for _ in range(turns):
            for figure, ms in taken:
                if figure.call and not (ms and ms[0] > LONG):
                    ms.append(self.machine.ms(figure.call, repeats))
        read = next(median(ms) for figure, ms in taken if figure.what == READ)
        for figure, ms in taken:
            found = median(ms) if ms else None
            reads = None if found is None else found / read
            row = {"group": figure.group, "what": figure.what, "ms": found, "reads": reads}
            yield {**self.head, **row, **({"why": figure.why} if figure.why else {})}

    def checked(
        self, group: str, what: str, call: Callable[[], Any], right: Callable[[Any], Any]
    ) -> Figure:
        """Make a call, and return it as a figure if what it returns is right."""
        try:
            found = call()
        except REFUSALS as error:
            return Figure(group, what, None, str(error))
        if not bool(right(found)):
            raise AssertionError(WRONG.format(f"{what} of {self.head}"))
        return Figure(group, what, call)

    def peers(self) -> Iterator[Figure]:
        """Check one read, and what sorts and selects in other libraries."""
        xp, keys, ordered = self.machine.xp, self.data.keys, self.data.ordered
        yield self.checked("peer", READ, lambda: xp.max(keys), lambda found: found == ordered[-1])
        yield self.checked("peer", "sort", lambda: xp.sort(keys), _ascending)
        yield self.checked(
            "peer",
            "partition",
            lambda: xp.partition(keys, self.k),
            lambda found: found[self.k] == ordered[self.k],
        )

    def peers_of_torch(self) -> Iterator[Figure]:
        """Check what PyTorch has, where it is and knows the type."""
        if find_spec("torch") is None or self.head["dtype"] not in OF_TORCH:
            return
        torch: Any = import_module("torch")
        keys, n, k, ordered = torch.as_tensor(self.data.keys), self.n, self.k, self.data.ordered
        half, few = max(n // 2, 1), max(n // 1000, 1)
        ways: tuple[tuple[str, Callable[[], Any], int], ...] = (
            ("torch.median", lambda: torch.median(keys), (n - 1) // 2),
            ("torch.kthvalue", lambda: torch.kthvalue(keys, k + 1).values, k),
            ("torch.topk, k = n/2", lambda: torch.topk(keys, half).values[-1], n - half),
            ("torch.topk, k = n/1000", lambda: torch.topk(keys, few).values[-1], n - few),
        )
        for what, call, rank in ways:
            expected = ordered[rank].item()
            yield self.checked("peer", what, call, partial(_is, expected))

    def primitives(self) -> Iterator[Figure]:
        """Check single questions: each is one pass over the keys."""
        keys, n = self.machine.primitives(self.data.keys), self.n
        pivot, low, high = (self._key(share) for share in (0.5, 0.475, 0.525))
        inside = self._between(low, high)
        yield self.checked(
            "primitive",
            "extent",
            keys.extent,
            lambda found: found.low == self._key(0) and found.high == self._key(1),
        )
        yield self.checked(
            "primitive",
            "objective",
            lambda: keys.objective(pivot),
            lambda found: found.counts.prove(min(n // 2, n - 1)),
        )
        yield self.checked(
            "primitive",
            "nearest",
            lambda: keys.at_or_above(pivot),
            lambda found: found == pivot,
        )
        yield self.checked(
            "primitive",
            "compaction of 5%",
            lambda: keys.between(low, high, count=inside),
            lambda found: found.size == inside and (not inside or found.extent().low > low),
        )

    def _key(self, share: float) -> Any:
        """Return the key below which a share of the others are, as a scalar of the host."""
        found = self.data.ordered[min(int(share * self.n), self.n - 1)].item()
        return np.dtype(self.head["dtype"]).type(found)

    def _between(self, low: Any, high: Any) -> int:
        """Count the keys strictly between two."""
        xp, ordered = self.machine.xp, self.data.ordered
        ends = xp.asarray([low, high], dtype=self.head["dtype"])
        first = int(xp.searchsorted(ordered, ends[:1], side="right")[0])
        return max(int(xp.searchsorted(ordered, ends[1:], side="left")[0]) - first, 0)

    def methods(self, names: list[str]) -> Iterator[Figure]:
        """Check methods that select one key."""
        keys, expected = self.data.keys, self.data.ordered[self.k]
        for name in names:
            call = partial(modern.select, keys, self.k, method=name)
            yield self.checked("method", name, call, lambda found: found == expected)

    def many(self) -> Iterator[Figure]:
        """Check bucketMultiSelect."""
        for count in MANY:
            ks = datasets.ranks("uniform", self.n, count)
            call = partial(modern.multiselect, self.data.keys, ks, method="bucket")
            yield self.checked("many", f"{count:,} ranks", call, partial(self._are, ks))

    def whole(self) -> Iterator[Figure]:
        """Check what is made of selection, and of a sort."""
        keys, xp, n = self.data.keys, self.machine.xp, self.n
        few, more = max(n // 1000, 1), max(n // 20, 1)
        last = self.data.ordered[n - few]
        yield self.checked("whole", "sort", lambda: modern.sort(keys), _ascending)
        yield self.checked(
            "whole",
            "topk, k = n/1000",
            lambda: modern.topk(keys, few),
            lambda found: found.values[-1] == last,
        )
        yield self.checked(
            "whole",
            "threshold, k = n/20",
            lambda: modern.threshold(keys, more),
            lambda found: xp.count_nonzero(found) == more,
        )

    def _are(self, ks: Any, found: Any) -> Any:
        """Whether the keys found are those of some ranks."""
        return (found == self.data.ordered[self.machine.xp.asarray(ks)]).all()


def _is(expected: Any, found: Any) -> Any:
    return found.item() == expected


def _ascending(keys: Any) -> Any:
    return (keys[:-1] <= keys[1:]).all()
