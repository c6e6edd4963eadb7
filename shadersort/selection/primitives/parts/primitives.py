"""The primitives over parts: every call asks all parts at once, and joins what they answer.

Each call is a *round*: nothing goes on before the last part has answered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.errors import EmptyInput, TooManyKeys
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives import sampling
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.numpy import NumPyPrimitives
from shadersort.selection.primitives.parts.part import (
    Ask,
    AskAll,
    Call,
    InMemory,
    closed_between,
    collected,
    copied,
    in_threads,
    one_type,
)
from shadersort.selection.primitives.parts.sums import (
    Join,
    T,
    greatest,
    joined_extents,
    least,
    sum_of_counts,
    sum_of_objectives,
    total,
)
from shadersort.selection.primitives.protocol import Primitives
from shadersort.selection.primitives.values import (
    Counts,
    Extent,
    Objective,
    Traffic,
    Tuning,
    check_count,
)

COLLECTED = 1 << 22
"""At most this many keys are collected from all parts."""

DIGIT = 12
"""Bits of a digit: larger ones than elsewhere, as each digit is a round."""


@dataclass(slots=True)
class Rounds(Traffic):
    """What parts moved so far, and how often they were asked."""

    rounds: int = 0


class PartsPrimitives(Primitives):
    """Primitives over parts; the keys are those of the first part, then those of the second, ….

    Parameters
    ----------
    parts
        At least one; all of the same type of key.
    ask_all
        Asks all parts at once.
    most
        How many keys may be collected.

    Examples
    --------
    >>> keys = PartsPrimitives.of_arrays([[5, 1], [4], [2, 3, 9]])
    >>> keys.counts(np.int64(4)), keys.sort().take([0, -1])
    (Counts(below=3, equal=1, above=2), array([1, 9]))
    >>> keys.rounds
    2
    """

    name = "parts"
    traffic: Rounds

    def __init__(
        self,
        parts: Sequence[Any],
        ask_all: AskAll = in_threads,
        *,
        most: int = COLLECTED,
        traffic: "Rounds | None" = None,
    ) -> None:
        if not parts:
            raise EmptyInput("no parts: pass at least one array")
        self.dtype, self.stand_in = one_type(parts)
        self.parts = [part for part in parts if part.size] or list(parts[:1])
        self.ask_all, self.most = ask_all, most
        self.sizes = np.array([part.size for part in self.parts])
        self.size = int(self.sizes.sum())
        self.traffic = Rounds() if traffic is None else traffic
        self.tuning = Tuning(
            copies=True,
            few=most,
            digit=DIGIT,
            counters=min(part.counters for part in self.parts),
            far=True,
        )
        self._sampled: dict[tuple[int, int], Keys] = {}
        self._histogram: tuple[Buckets, Integers, int] | None = None

    @classmethod
    def of_arrays(cls, arrays: Sequence[Any], **options: Any) -> "PartsPrimitives":
        """Return primitives over arrays in memory."""
        return cls([InMemory(NumPyPrimitives(array)) for array in arrays], **options)

    @property
    def rounds(self) -> int:
        """How often all parts, and all parts of copies, were asked."""
        return self.traffic.rounds

    def counts(self, pivot: Key) -> Counts:
        """Count the keys below, equal to and above a pivot."""
        return self._together(sum_of_counts, "counts", pivot)

    def counts_at(self, pivots: Keys) -> Integers:
        """Count at several pivots."""
        return self._together(total, "counts_at", pivots)

    def extent(self) -> Extent:
        """Return smallest, largest, sum and kinds of the keys."""
        return self._together(joined_extents, "extent")

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count at a pivot, and sum the distances to it within a window."""
        return self._together(sum_of_objectives, "objective", pivot, low, high)

    def log_objective(
        self, pivot: Key, low: Key | None, high: Key | None, origin: Key
    ) -> Objective:
        """Do as `objective` does, with distances of log(1 + x − origin)."""
        return self._together(sum_of_objectives, "log_objective", pivot, low, high, origin)

    def at_or_above(self, pivot: Key) -> Key | None:
        """Return the smallest number that is not below a pivot."""
        return self._together(least, "at_or_above", pivot)

    def at_or_below(self, pivot: Key) -> Key | None:
        """Return the largest key that is not above a pivot."""
        return self._together(greatest, "at_or_below", pivot)

    def between(
        self, low: Key | None, high: Key | None, *, closed: bool = False, count: int | None = None
    ) -> Primitives:
        """Copy the keys between two; each part keeps its own, unless they are few."""
        return self._copied(closed_between if closed else "between", (low, high), count)

    def digit_histogram(self, shift: int, width: int, first: int, last: int) -> Integers:
        """Count the digits of the codes from one to another."""
        return self._together(total, "digit_histogram", shift, width, first, last)

    def digit_histograms(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        """Count the digits of the keys under several prefixes."""
        return self._together(total, "digit_histograms", shift, width, prefixes)

    def with_prefixes(
        self, prefixes: Sequence[int], shift: int, *, count: int | None = None
    ) -> Primitives:
        """Copy the keys whose codes begin with one of some prefixes."""
        return self._copied("with_prefixes", (prefixes, shift), count)

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket; the last histogram is remembered."""
        known = self._histogram
        if known is None or not _are_alike(known[0], buckets):
            found = self._together(total, "bucket_histogram", buckets)
            self._histogram = known = buckets, found, 0
        return known[1]

    def of_buckets(
        self, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
    ) -> Primitives:
        """Copy the keys of some buckets."""
        return self._copied("of_buckets", (buckets, chosen), count)

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places of all parts; a sample is remembered."""
        if (count, seed) not in self._sampled:
            self._sampled[count, seed] = self.take(sampling.places(self.size, count, seed))
        return self._sampled[count, seed]

    def take(self, indices: Sequence[int] | Integers) -> Keys:
        """Return the keys at some places."""
        places = np.asarray(indices, np.int64)
        places = np.where(places < 0, places + self.size, places)
        return self._taken(places).reshape(-1)

    def _taken(self, places: Integers, run: int = 1) -> Keys:
        """Return runs of keys that begin at some places, one in a row; parts have one at least."""
        ends = np.cumsum(self.sizes)
        owners = np.searchsorted(ends, places, side="right")
        starts = np.minimum(places - (ends - self.sizes)[owners], self.sizes[owners] - run)
        holders, counts = np.unique(owners, return_counts=True)
        mine = np.split(np.argsort(owners, kind="stable"), np.cumsum(counts)[:-1])
        more = () if run == 1 else (run,)
        asks: list[Ask] = [("take", (starts[each], *more)) for each in mine]
        found = np.empty((places.size, run), self.dtype)
        for each, keys in zip(mine, self._asked(holders, asks), strict=True):
            found[each] = keys.reshape(-1, run)
        self.traffic.read += found.size
        return found

    def sort(self) -> NumPyPrimitives:
        """Collect all keys, and return them in order."""
        if self.size > self.most:
            raise TooManyKeys(
                f"{self.size} keys would be collected from {len(self.parts)} parts, and "
                f"{self.most} at most can be: use another method, such as 'bucket'"
            )
        return NumPyPrimitives(self._together(np.concatenate, collected), self.traffic).sort()

    def _together(self, join: Join[T], call: Call, *args: Any) -> T:
        """Ask all parts the same, and return what their answers are together."""
        return join(self._each(call, *args))

    def _each(self, call: Call, *args: Any) -> list[Any]:
        """Ask all parts the same, in one pass over their keys."""
        self.traffic.add(self.size)
        everyone = range(len(self.parts))
        return self._asked(everyone, [(call, args)] * len(self.parts))

    def _asked(self, holders: Any, asks: Sequence[Ask]) -> list[Any]:
        self.traffic.rounds += 1
        return self.ask_all([self.parts[each] for each in holders], asks)

    def _copied(self, call: Call, args: tuple[Any, ...], count: int | None) -> Primitives:
        """Copy some keys by a call: where they are, or on the host if they are known to be few."""
        if count is not None and count <= self.most:
            found = self._together(np.concatenate, copied, call, args)
            check_count(found.size, count)
            self.traffic.written += found.size
            return NumPyPrimitives(found, self.traffic)
        parts = self._each(call, *args)
        some = self._over(parts)
        check_count(some.size, count)
        self.traffic.written += some.size
        return some

    def _over(self, parts: list[Any]) -> "PartsPrimitives":
        """Return primitives over copies of some keys."""
        return PartsPrimitives(parts, self.ask_all, most=self.most, traffic=self.traffic)


def _are_alike(one: Buckets, other: Buckets) -> bool:
    same = (one.per_interval, one.open) == (other.per_interval, other.open)
    return same and np.array_equal(one.edges, other.edges)
