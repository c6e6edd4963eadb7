"""The calls that `bench.modern` measures on some keys, and the check of each answer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

import modern
from bench.shared.data import REFUSALS, WRONG, Data
from bench.shared.machines import Machine
from bench.shared.record import Row
from shadersort.keys import datasets
from shadersort.names import SelectionMethod

MANY = (101, 1001)
"""Numbers of ranks that are selected together."""

OF_TORCH = ("float16", "float32", "float64", "int32", "int64")
"""Types that PyTorch selects from."""

LONG = 200.0
"""A call of more milliseconds is measured in one turn only."""

READ = "max"
"""The call that is one read of the keys."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose answer is right; or no call, and the reason why there is no answer."""

    group: str
    what: str
    run: Callable[[], Any] | None
    why: str = ""


class Calls:
    """The calls on some keys of a machine, and their times.

    Each time is reported in milliseconds and in reads: as a multiple of the time of `max`.
    """

    def __init__(
        self, machine: Machine, distribution: str, dtype: str, n: int, rank: float
    ) -> None:
        self.machine, self.n = machine, n
        self.data = Data(machine.xp, distribution, dtype, n)
        self.k = min(int(rank * n), n - 1)
        self.head: Row = {"dtype": dtype, "distribution": distribution, "n": n}

    def rows(self, calls: Iterable[Call], repeats: int, turns: int) -> Iterator[Row]:
        """Time calls, with a read among them, and yield the rows of the record.

        The calls take turns, and the median turn counts: a disturbance of some seconds spoils only
        one turn. A long call has one turn.
        """
        taken: list[tuple[Call, list[float]]] = [(call, []) for call in calls]
        for _ in range(turns):
            for call, ms in taken:
                if call.run and not (ms and ms[0] > LONG):
                    ms.append(self.machine.ms(call.run, repeats))
        read = next(median(ms) for call, ms in taken if call.what == READ)
        for call, ms in taken:
            found = median(ms) if ms else None
            reads = None if found is None else found / read
            row = {"group": call.group, "what": call.what, "ms": found, "reads": reads}
            yield {**self.head, **row, **({"why": call.why} if call.why else {})}

    def checked(
        self, group: str, what: str, run: Callable[[], Any], right: Callable[[Any], Any]
    ) -> Call:
        """Run something once; return it as a call if its answer is right."""
        try:
            found = run()
        except REFUSALS as error:
            return Call(group, what, None, str(error))
        if not bool(right(found)):
            raise AssertionError(WRONG.format(f"{what} of {self.head}"))
        return Call(group, what, run)

    def _at(self, place: int) -> Callable[[Any], Any]:
        """Return a check: whether a key is the one at a place in sorted order."""
        return lambda found: found == self.data.ordered[place]

    def peers(self) -> Iterator[Call]:
        """Check one read, and the sort and the selection of the array module."""
        xp, keys, k = self.machine.xp, self.data.keys, self.k
        yield self.checked("peer", READ, lambda: xp.max(keys), self._at(-1))
        yield self.checked("peer", "sort", lambda: xp.sort(keys), _ascending)
        partition = partial(xp.partition, keys, k)
        yield self.checked("peer", "partition", partition, lambda found: self._at(k)(found[k]))

    def peers_of_torch(self) -> Iterator[Call]:
        """Check the selections of PyTorch, if it is installed and knows the type."""
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
        for what, run, rank in ways:
            expected = ordered[rank].item()
            yield self.checked("peer", what, run, partial(_is, expected))

    def primitives(self) -> Iterator[Call]:
        """Check single primitives: each is one pass over the keys."""
        keys, n = self.machine.primitives(self.data.keys), self.n
        pivot, low, high = (self._key(share) for share in (0.5, 0.475, 0.525))
        inside = self._between(low, high)
        calls: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
            "extent": (
                keys.extent,
                lambda found: found.low == self._key(0) and found.high == self._key(1),
            ),
            "objective": (
                lambda: keys.objective(pivot),
                lambda found: found.counts.prove(min(n // 2, n - 1)),
            ),
            "nearest": (lambda: keys.at_or_above(pivot), lambda found: found == pivot),
            "compaction of 5%": (
                lambda: keys.between(low, high, count=inside),
                lambda found: found.size == inside and (not inside or found.extent().low > low),
            ),
        }
        for what, (run, right) in calls.items():
            yield self.checked("primitive", what, run, right)

    def _key(self, share: float) -> Any:
        """Return the key with this share of the keys below it, as a scalar of the host."""
        found = self.data.ordered[min(int(share * self.n), self.n - 1)].item()
        return np.dtype(self.head["dtype"]).type(found)

    def _between(self, low: Any, high: Any) -> int:
        """Count the keys strictly between two."""
        xp, ordered = self.machine.xp, self.data.ordered
        ends = xp.asarray([low, high], dtype=self.head["dtype"])
        first = int(xp.searchsorted(ordered, ends[:1], side="right")[0])
        return max(int(xp.searchsorted(ordered, ends[1:], side="left")[0]) - first, 0)

    def methods(self, names: Sequence[SelectionMethod]) -> Iterator[Call]:
        """Check methods that select one key."""
        for name in names:
            call = partial(modern.select, self.data.keys, self.k, method=name)
            yield self.checked("method", name, call, self._at(self.k))

    def many(self) -> Iterator[Call]:
        """Check bucketMultiSelect."""
        for count in MANY:
            ks = datasets.ranks("uniform", self.n, count)
            call = partial(modern.multiselect, self.data.keys, ks, method="bucket")
            expected = self.data.ordered[self.machine.xp.asarray(ks)]
            yield self.checked("many", f"{count:,} ranks", call, partial(_are, expected))

    def whole(self) -> Iterator[Call]:
        """Check the sort, and the functions that are built on selection."""
        keys, xp, n = self.data.keys, self.machine.xp, self.n
        few, more = max(n // 1000, 1), max(n // 20, 1)
        topk = partial(modern.topk, keys, few)
        last = self._at(n - few)
        yield self.checked("whole", "sort", lambda: modern.sort(keys), _ascending)
        yield self.checked("whole", "topk, k = n/1000", topk, lambda found: last(found.values[-1]))
        threshold = partial(modern.threshold, keys, more)
        yield self.checked(
            "whole", "threshold, k = n/20", threshold, lambda found: xp.count_nonzero(found) == more
        )


def _is(expected: Any, found: Any) -> bool:
    return bool(found.item() == expected)


def _are(expected: Any, found: Any) -> bool:
    return bool((found == expected).all())


def _ascending(keys: Any) -> Any:
    return (keys[:-1] <= keys[1:]).all()
