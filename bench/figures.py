"""The figures of `bench.modern`: what is called on some keys, how it is checked, and its time."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

import modern
from bench.machines import Machine
from bench.measuring import WRONG, Data
from shadersort import datasets
from shadersort.errors import DidNotConverge, MethodUnavailable, TooManyKeys

__all__ = ["MANY", "Figures"]

Row = dict[str, Any]

MANY = (101, 1001)
"""How many ranks are selected together."""

OF_TORCH = ("float16", "float32", "float64", "int32", "int64")
"""Types that PyTorch selects from."""

REFUSALS = (DidNotConverge, MethodUnavailable, TooManyKeys)
"""What a method may say in place of an answer; its row has no time then."""


class Figures:
    """Measures on some keys, each figure also in reads: multiples of the time of `max`."""

    def __init__(
        self, machine: Machine, distribution: str, dtype: str, n: int, rank: float, repeats: int
    ) -> None:
        self.machine, self.repeats, self.n = machine, repeats, n
        self.data = Data(machine.xp, distribution, dtype, n)
        self.k = min(int(rank * n), n - 1)
        self.head: Row = {"dtype": dtype, "distribution": distribution, "n": n}
        self.read = self._ms(lambda: machine.xp.max(self.data.keys))

    def _ms(self, call: Callable[[], Any]) -> float:
        call()
        return self.machine.ms(call, self.repeats)

    def row(self, group: str, what: str, ms: float | None, **more: Any) -> Row:
        """Return a row of the record."""
        reads = None if ms is None else ms / self.read
        return {**self.head, "group": group, "what": what, "ms": ms, "reads": reads, **more}

    def timed(
        self, group: str, what: str, call: Callable[[], Any], right: Callable[[Any], Any]
    ) -> Row:
        """Make a call, check what it returns, and time it."""
        try:
            found = call()
        except REFUSALS as error:
            return self.row(group, what, None, why=str(error))
        if not bool(right(found)):
            raise AssertionError(WRONG.format(f"{what} of {self.head}"))
        del found
        return self.row(group, what, self.machine.ms(call, self.repeats))

    def peers(self) -> Iterator[Row]:
        """Measure one read, and what sorts and selects in other libraries."""
        xp, keys, ordered = self.machine.xp, self.data.keys, self.data.ordered
        yield self.row("peer", "max", self.read)
        yield self.timed("peer", "sort", lambda: xp.sort(keys), _ascending)
        yield self.timed(
            "peer",
            "partition",
            lambda: xp.partition(keys, self.k),
            lambda found: found[self.k] == ordered[self.k],
        )

    def peers_of_torch(self) -> Iterator[Row]:
        """Measure what PyTorch has, where it is and knows the type."""
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
            yield self.timed("peer", what, call, partial(_is, expected))

    def primitives(self) -> Iterator[Row]:
        """Measure single questions: each is one pass over the keys."""
        keys, n = self.machine.primitives(self.data.keys), self.n
        pivot, low, high = (self._key(share) for share in (0.5, 0.475, 0.525))
        inside = self._between(low, high)
        yield self.timed(
            "primitive",
            "extent",
            keys.extent,
            lambda found: found.low == self._key(0) and found.high == self._key(1),
        )
        yield self.timed(
            "primitive",
            "objective",
            lambda: keys.objective(pivot),
            lambda found: found.counts.prove(min(n // 2, n - 1)),
        )
        yield self.timed(
            "primitive",
            "nearest",
            lambda: keys.at_or_above(pivot),
            lambda found: found == pivot,
        )
        yield self.timed(
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

    def methods(self, names: list[str]) -> Iterator[Row]:
        """Measure methods that select one key."""
        keys, expected = self.data.keys, self.data.ordered[self.k]
        for name in names:
            call = partial(modern.select, keys, self.k, method=name)
            yield self.timed("method", name, call, lambda found: found == expected)

    def many(self) -> Iterator[Row]:
        """Measure bucketMultiSelect."""
        for count in MANY:
            ks = datasets.ranks("uniform", self.n, count)
            call = partial(modern.multiselect, self.data.keys, ks, method="bucket")
            yield self.timed("many", f"{count:,} ranks", call, partial(self._are, ks))

    def whole(self) -> Iterator[Row]:
        """Measure what is made of selection, and of a sort."""
        keys, xp, n = self.data.keys, self.machine.xp, self.n
        few, more = max(n // 1000, 1), max(n // 20, 1)
        last = self.data.ordered[n - few]
        yield self.timed("whole", "sort", lambda: modern.sort(keys), _ascending)
        yield self.timed(
            "whole",
            "topk, k = n/1000",
            lambda: modern.topk(keys, few),
            lambda found: found.values[-1] == last,
        )
        yield self.timed(
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
