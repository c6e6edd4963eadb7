"""The interface of the primitives: what a selection method may ask of keys where they are.

**The order** is numeric and total: −0.0 equals 0.0; every NaN equals every other NaN and comes
after infinity. "Below" and "above" mean this order everywhere.

**A pivot is a key**: a scalar of the keys' own type, so that counts are exact for integers over
2**53 too. Doubles occur only in sums, and sums only guess.

**Each call is one pass** over the keys. It returns host scalars, a small host array, or other
`Primitives`. Each call adds what it reads and writes, in keys, to `traffic`.

There are three kinds of calls:

- `counts` is required: counts prove every answer.
- The others in `CALLS` are optional. A `Method` lists those that it needs, the driver asks
  `supports` for each of them, and raises `MethodUnavailable` before the first read.
- `ONE_STEP` lists calls with a definition here, in terms of other calls. A device may override one
  of them with a faster way; `supports` says whether it does.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from shadersort.errors import AnswerRefuted, MethodUnavailable
from shadersort.keys.in_order import in_order
from shadersort.keys.stand_ins import StandIn, back
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.one_read import OneRead
from shadersort.selection.primitives.printed import (
    Assignment,
    BlockAssignment,
    Tangent,
    WorkingCodes,
)
from shadersort.selection.primitives.values import (
    Around,
    Bracketed,
    Counts,
    Extent,
    Objective,
    Traffic,
    Tuning,
)

CALLS = (
    "counts",
    "counts_at",
    "extent",
    "objective",
    "log_objective",
    "at_or_above",
    "at_or_below",
    "between",
    "digit_histogram",
    "digit_histograms",
    "with_prefixes",
    "bucket_histogram",
    "of_buckets",
    "sample",
    "sort",
    "take",
    "fused_radix",
    "one_read",
    "counting",
    "cells",
    "quickselect_serial",
    "working_codes",
    "assignment",
    "block_assignment",
)
"""The names of the calls that a method can need."""

ONE_STEP = (
    *("count_numbers", "below", "parted", "ranked", "around", "bracketed", "tangent"),
    *("extent_in_doubles", "histogram_and_nans", "parted_and_nans", "parted_each", "runs"),
)
"""The names of the calls that have a definition in terms of others."""


class Primitives(ABC):
    """Keys that stay where they are, and what may be asked of them.

    Attributes
    ----------
    name
        What runs the calls, for messages: "NumPy", "textures".
    dtype
        The type of the keys, as all calls take and return them.
    stand_in
        What these keys stand in for; None if they are the keys that were given.
    size
        The number of keys, NaNs included.
    traffic
        What was moved so far; copies of some of the keys share it.
    tuning
        What suits the device.
    """

    name: str
    dtype: np.dtype[Any]
    stand_in: StandIn | None = None
    size: int
    traffic: Traffic
    tuning: Tuning

    def supports(self, call: str) -> bool:
        """Whether this implementation has a call of its own."""
        return getattr(type(self), call) is not getattr(Primitives, call)

    @property
    def own_dtype(self) -> np.dtype[Any]:
        """The type of the keys that were given."""
        return self.dtype if self.stand_in is None else self.stand_in.dtype

    def own(self, found: Any) -> Any:
        """Return keys that were found, one or an array, in the type of those that were given."""
        return back(self.stand_in, found)

    @abstractmethod
    def counts(self, pivot: Key) -> Counts:
        """Count the keys below, equal to and above a pivot, which may be infinite or NaN."""

    def counts_at(self, pivots: Keys) -> list[Counts]:
        """Count at several pivots, in any order, in one pass."""
        self._refuse("counts_at")

    def extent(self) -> Extent:
        """Return smallest, largest, sum and kinds of the keys, in one reduction."""
        self._refuse("extent")

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count at a finite pivot, and sum the distances to it, in one reduction.

        The counts are of all keys. The sums are over the finite keys x with low < x < high, where
        None is no bound: keys outside a narrow window cannot spoil the sums.
        """
        self._refuse("objective")

    def log_objective(
        self, pivot: Key, low: Key | None, high: Key | None, origin: Key
    ) -> Objective:
        """Do as `objective` does, with distances |F(x) − F(pivot)|, F(t) = log(1 + t − origin).

        The origin is at or below the pivot, and at or below every finite key.
        """
        self._refuse("log_objective")

    def at_or_above(self, pivot: Key) -> Key | None:
        """Return the smallest key that is not below a finite pivot; None if there is no number."""
        self._refuse("at_or_above")

    def at_or_below(self, pivot: Key) -> Key | None:
        """Return the largest key that is not above a finite pivot; None if there is none."""
        self._refuse("at_or_below")

    def between(
        self, low: Key | None, high: Key | None, *, closed: bool = False, count: int | None = None
    ) -> "Primitives":
        """Copy the keys strictly between two keys; with `closed`, copy the ends as well.

        None is no bound: `between(pivot, None)` copies everything above the pivot, NaNs included.
        A copy may change the order of the keys, in this call and in the other calls that copy.

        `count` says that this number of keys was counted before. A device then reserves exactly
        that room and does not wait. If the number differs, this call or a later one raises
        `AnswerRefuted`.
        """
        self._refuse("between")

    def digit_histogram(self, shift: int, width: int, first: int, last: int) -> Integers:
        """Count the digits `(code >> shift) % 2**width` of the codes from `first` to `last`.

        Codes are those of `shadersort.keys.codes`: unsigned integers in the order of the keys.
        """
        self._refuse("digit_histogram")

    def digit_histograms(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        """Count digits under several prefixes, strictly ascending: a row of 2**width for each.

        A code is under a prefix if `code >> (shift + width) == prefix`.
        """
        self._refuse("digit_histograms")

    def with_prefixes(
        self, prefixes: Sequence[int], shift: int, *, count: int | None = None
    ) -> "Primitives":
        """Copy the keys whose `code >> shift` is one of some prefixes, strictly ascending."""
        self._refuse("with_prefixes")

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket; keys outside all buckets are not counted."""
        self._refuse("bucket_histogram")

    def of_buckets(
        self, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
    ) -> "Primitives":
        """Copy the keys of the chosen buckets."""
        self._refuse("of_buckets")

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places, with replacement; NaNs may be among them.

        The places are those of `sampling.places`, the same for all implementations.
        """
        self._refuse("sample")

    def sort(self) -> "Primitives":
        """Return the keys in order, NaNs last."""
        self._refuse("sort")

    def take(self, indices: Sequence[int] | Integers) -> Keys:
        """Return the keys at some places, as a host array; this is no pass."""
        self._refuse("take")

    def searched(self, keys: Keys) -> tuple[Integers, Integers]:
        """Return how many keys are below each given key and how many equal it; sorted keys only."""
        self._refuse("searched")

    def fused_radix(self, rank: int) -> tuple[Keys, Integers, Integers]:
        """Return what `ranked` returns for one rank, by all rounds of radix selection in one call.

        Every implementation divides the codes as `fused_radix.py` does.
        """
        self._refuse("fused_radix")

    def one_read(self, rank: int) -> OneRead:
        """Return the code of a rank, by a sample, a bracket and one read.

        Every implementation decides as `one_read.py` does, given the same sample.
        """
        self._refuse("one_read")

    def counting(self, ranks: Integers) -> tuple[Keys, Integers, Integers]:
        """Find ascending ranks by a counter for every value, in one pass; keys of 16 bits or fewer.

        Returns the keys, how many keys are below each, and how many equal it.
        """
        self._refuse("counting")

    def cells(self, ranks: Integers) -> tuple[Keys, Integers, Integers]:
        """Find some ranks by cells, in two passes; return what `counting` returns.

        Every implementation divides the codes as `cells.py` does, given the same sample.
        """
        self._refuse("cells")

    def quickselect_serial(self, k: int, seed: int) -> Key:
        """Return the k-th key by quickselect in one thread, over a copy of the codes.

        Every implementation takes the steps of `quickselect_serial.py`, for any seed of 64 bits.
        The reads and writes of the thread count as one pass.
        """
        self._refuse("quickselect_serial")

    def working_codes(self) -> WorkingCodes:
        """Return a copy of all codes that may be overwritten."""
        self._refuse("working_codes")

    def assignment(self) -> Assignment["Primitives"]:
        """Return a vector for the buckets of bucketSelect as printed."""
        self._refuse("assignment")

    def block_assignment(self) -> BlockAssignment["Primitives"]:
        """Return a vector for the buckets of bucketMultiSelect as printed."""
        self._refuse("block_assignment")

    def extent_in_doubles(self) -> Extent:
        """Return the extent, with a sum whose every addition is in double precision."""
        return self.extent()

    def tangent(self, t: float) -> Tangent:
        """Sum and count at a place; here the place is rounded to a key first."""
        at = self.objective(self.dtype.type(t))
        return Tangent(at.below, at.above, at.counts.below + at.counts.equal)

    def count_numbers(self) -> int:
        """Return how many keys are not NaN; integers need no read for that."""
        if self.dtype.kind != "f":
            return self.size
        return self.size - self.counts(self.dtype.type("inf")).above

    def below(self, pivot: Key) -> int:
        """Count only the keys below a pivot, where that costs less than `counts`."""
        return self.counts(pivot).below

    def parted(self, low: Key, high: Key) -> tuple[Counts, Counts, "Primitives"]:
        """Count at two pivots, low ≤ high, and copy the keys between them."""
        at_low, at_high = self.counts_at(np.array([low, high], self.dtype))
        inside = max(at_high.below - at_low.below - at_low.equal, 0)
        return at_low, at_high, self.between(low, high, count=inside)

    def parted_and_nans(self, low: Key, high: Key) -> tuple[Counts, Counts, "Primitives", int]:
        """Do as `parted` does; return how many keys are NaN, too, in one pass where that can be."""
        return *self.parted(low, high), self.size - self.count_numbers()

    def parted_each(
        self, pivots: Sequence[tuple[Key, Key]]
    ) -> list[tuple[Counts, Counts, "Primitives"]]:
        """Do as `parted` does for several pairs of pivots, low ≤ high."""
        return [self.parted(low, high) for low, high in pivots]

    def runs(self, seed: int) -> Keys:
        """Return `tuning.samples` runs of neighbouring keys from random places, one in a row."""
        return self.sample(self.tuning.samples, seed)[:, None]

    def histogram_and_nans(self, buckets: Buckets) -> tuple[Integers, int]:
        """Return how many keys are in each bucket, and how many are NaN."""
        return self.bucket_histogram(buckets), self.size - self.count_numbers()

    def ranked(self, ranks: Sequence[int] | Integers) -> tuple[Keys, Integers, Integers]:
        """Sort; return the keys of some ranks, how many keys are below each, how many equal it."""
        ordered = self.sort()
        found = ordered.take(ranks)
        return found, *ordered.searched(found)

    def around(self, buckets: Buckets, ranks: Integers, most: int) -> Around:
        """Count in open buckets, copy the buckets of some ascending ranks, and find their keys.

        Two kinds of buckets are not copied: those with more than `most` keys, and those whose keys
        are all equal because their interval has one code only.
        """
        histogram = self.bucket_histogram(buckets)
        ends = np.cumsum(histogram)
        chosen = np.searchsorted(ends, ranks, side="right")
        before, inside = (ends - histogram)[chosen], histogram[chosen]
        copied = (inside <= most) & ~buckets.single[chosen // buckets.per_interval]
        keys, (below, equal) = np.empty(ranks.size, self.dtype), np.zeros((2, ranks.size), np.int64)
        active, of_rank = np.unique(chosen[copied], return_inverse=True)
        sizes = histogram[active]
        if sizes.size:
            copy = self.of_buckets(buckets, active.tolist(), count=int(sizes.sum()))
            places = (ranks - before)[copied] + (np.cumsum(sizes) - sizes)[of_rank]
            keys[copied], below[copied], equal[copied] = copy.ranked(places)
            below[copied] += ranks[copied] - places
        return Around(chosen, before, inside, copied, keys, below, equal, int(sizes.sum()))

    def bracketed(self, rank: int, samples: int, seed: int, lower: int, upper: int) -> Bracketed:
        """Look for the key of a rank between two keys, of ranks `lower` and `upper` in a sample."""
        low, high = in_order(self.sample(samples, seed))[[lower, upper]]
        at_low, at_high, inside = self.parted(low, high)
        before = at_low.below + at_low.equal
        if not 0 <= rank - before < inside.size:
            return Bracketed((low, high), (at_low, at_high), inside.size)
        (key,), (below,), (equal,) = inside.fused_radix(rank - before)
        at_key = Counts.of(before + int(below), int(equal), self.size)
        return Bracketed((low, high), (at_low, at_high), inside.size, key, at_key)

    def _refuse(self, call: str) -> NoReturn:
        raise MethodUnavailable(f"{self.name} cannot do {call!r}")


def check_count(found: int, count: int | None) -> None:
    """Raise `AnswerRefuted` if the number of copied keys is not the number counted before."""
    if count is not None and found != count:
        raise AnswerRefuted(f"{found} keys were copied, but {count} were counted: did they change?")
