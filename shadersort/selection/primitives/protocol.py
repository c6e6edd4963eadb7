"""The protocol: what a selection method may ask of keys that stay where they are.

**The order** is numeric and total: −0.0 equals 0.0; every NaN equals every other and comes after
infinity. "Below" and "above" mean this order everywhere.

**A pivot is a key**: a scalar of the keys' own type, so that counts are exact for integers over
2**53 too. Doubles occur in sums only, and sums only guess.

**Each call is one pass** over the keys, and returns host scalars, a small host array, or another
`Primitives`. Each counts what it reads and writes, in keys, in `traffic`.

An implementation inherits from `Primitives` and overrides what its device can do; `supports` tells
which calls these are, and the others raise `MethodUnavailable`.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, NoReturn, Protocol

import numpy as np

from shadersort.errors import AnswerRefuted, MethodUnavailable
from shadersort.keys.types import Integers, Key, Keys, Mask
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.values import Counts, Extent, Objective, Traffic, Tuning

__all__ = ["CALLS", "Around", "Bracketed", "By", "Primitives", "counted"]

CALLS = (
    "extent",
    "counts",
    "counts_at",
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
    "quickselect_serial",
)
"""Every call of the protocol, by name."""

By = Literal["digits", "width", "sort"]
"""How a device may find a rank by itself."""


class Around(NamedTuple):
    """What is known of some ranks, and of the buckets that they are in.

    Attributes
    ----------
    buckets, before, inside
        The bucket of each rank, how many keys come before it, and how many are in it.
    copied
        Which of the ranks have had their bucket copied: their keys are known.
    keys, below, equal
        The key of each of these ranks, how many keys come before it, and how many equal it.
    copies
        How many keys were copied, none of them twice.
    """

    buckets: Integers
    before: Integers
    inside: Integers
    copied: Mask
    keys: Keys
    below: Integers
    equal: Integers
    copies: int


class Bracketed(NamedTuple):
    """What is known of two keys of a sample, and of a rank that may lie between them.

    Attributes
    ----------
    ends, at_ends
        The two keys, and the counts at them.
    inside
        How many keys lie strictly between.
    key, at_key
        The key of the rank and the counts at it, if it is one of these.
    """

    ends: tuple[Key, Key]
    at_ends: tuple[Counts, Counts]
    inside: int
    key: Key | None = None
    at_key: Counts | None = None


class Primitives(Protocol):
    """Keys that stay where they are, and what may be asked of them.

    Attributes
    ----------
    name
        What runs it, for messages: "NumPy", "textures".
    dtype
        The type of the keys.
    size
        How many there are, NaNs included.
    traffic
        What was moved so far, shared with everything compacted from these keys.
    tuning
        What suits the device.
    """

    name: str
    dtype: np.dtype[Any]
    size: int
    traffic: Traffic
    tuning: Tuning

    def supports(self, call: str) -> bool:
        """Whether this implementation can serve a call of the protocol."""
        return getattr(type(self), call) is not getattr(Primitives, call)

    def extent(self) -> Extent:
        """Return smallest, largest, sum and kinds of the keys, in one reduction."""
        self._refuse("extent")

    def counts(self, pivot: Key) -> Counts:
        """Count the keys below, equal to and above a pivot, which may be infinite or NaN."""
        self._refuse("counts")

    def below(self, pivot: Key) -> int:
        """Count the keys below a pivot only, where that costs less than `counts`."""
        return self.counts(pivot).below

    def counts_at(self, pivots: Keys) -> list[Counts]:
        """Count at several pivots, in any order, in one pass."""
        self._refuse("counts_at")

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count at a finite pivot, and sum the distances to it, in one reduction.

        The counts are of all keys. The sums are over the finite keys x with low < x < high, where
        None is no bound: sums over a narrow window are not spoilt by what lies outside.
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
        self,
        low: Key | None,
        high: Key | None,
        *,
        closed: bool = False,
        count: int | None = None,
    ) -> "Primitives":
        """Copy the keys that lie strictly between two, or with `closed` the ends too.

        None is no bound: `between(pivot, None)` has everything above the pivot, NaNs too. The
        order of the keys need not be kept, here and in the others that copy.

        With `count`, here and there, the keys have been counted before: a device then needs no
        more room than that, and nobody has to wait. If there are more or fewer, it raises
        `AnswerRefuted`, now or in a later call.
        """
        self._refuse("between")

    def parted(self, low: Key, high: Key) -> tuple[Counts, Counts, "Primitives"]:
        """Count at two pivots, low ≤ high, and copy the keys between: one pass where that pays."""
        at_low, at_high = self.counts_at(np.array([low, high], self.dtype))
        inside = max(at_high.below - at_low.below - at_low.equal, 0)
        return at_low, at_high, self.between(low, high, count=inside)

    def digit_histogram(self, shift: int, width: int, first: int, last: int) -> Integers:
        """Count the digits `(code >> shift) % 2**width` of the codes from one to another.

        Codes are those of `shadersort.keys.codes`: unsigned integers in the order of the
        keys.
        """
        self._refuse("digit_histogram")

    def digit_histograms(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        """Count digits under several prefixes, strictly ascending: a row of 2**width for each.

        Under a prefix are the codes with `code >> (shift + width) == prefix`.
        """
        self._refuse("digit_histograms")

    def with_prefixes(
        self, prefixes: Sequence[int], shift: int, *, count: int | None = None
    ) -> "Primitives":
        """Copy the keys with `code >> shift` among some prefixes, strictly ascending."""
        self._refuse("with_prefixes")

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket; keys outside all buckets are not counted."""
        self._refuse("bucket_histogram")

    def of_buckets(
        self, buckets: Buckets, chosen: Sequence[int], *, count: int | None = None
    ) -> "Primitives":
        """Copy the keys of the chosen buckets."""
        self._refuse("of_buckets")

    def around(self, buckets: Buckets, ranks: Integers, most: int) -> Around:
        """Count in open buckets, and find the keys of some ranks, ascending, in copies of theirs.

        A bucket with more than `most` keys is not copied, nor one in which all keys are equal
        because its interval, neither the first nor the last one, has but one code.
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

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places, with replacement, as they come; NaNs may be among them.

        The places are those of `sampling.places`: the same for all implementations.
        """
        self._refuse("sample")

    def sort(self) -> "Primitives":
        """Return the keys in order, NaNs last."""
        self._refuse("sort")

    def take(self, indices: Sequence[int]) -> Keys:
        """Return the keys at some places, as a host array; this is no pass."""
        self._refuse("take")

    def quickselect_serial(self, k: int, seed: int) -> Key:
        """Return the k-th key by quickselect in one thread, over a copy of the codes.

        Every implementation takes the steps of `one_thread.py`, for any seed of 64 bits. It counts
        every read and write of the thread, as one pass.
        """
        self._refuse("quickselect_serial")

    def ranked(
        self, ranks: Sequence[int] | Integers, *, by: By = "digits"
    ) -> tuple[Keys, Integers, Integers]:
        """Return the keys of some ranks, how many keys come before each, and how many equal it.

        For one rank a device may know better than to sort: it may divide the keys as radix
        selection does, by "digits", or first as bucket selection does, by "width", and go on with
        the part that has the rank, all without being asked in between. It sorts by "sort" only.
        """
        ordered = self.sort()
        found = ordered.take(list(ranks))
        counts = ordered.counts_at(found)
        below, equal = ([getattr(each, name) for each in counts] for name in ("below", "equal"))
        return found, np.array(below, np.int64), np.array(equal, np.int64)

    def bracketed(self, rank: int, samples: int, seed: int, lower: int, upper: int) -> Bracketed:
        """Look for the key of a rank between two keys of a sample, in one step if a device can.

        They have the ranks `lower` and `upper` in the sample.
        """
        low, high = np.sort(self.sample(samples, seed))[[lower, upper]]
        at_low, at_high, inside = self.parted(low, high)
        before = at_low.below + at_low.equal
        if not 0 <= rank - before < inside.size:
            return Bracketed((low, high), (at_low, at_high), inside.size)
        (key,), (below,), (equal,) = inside.ranked([rank - before])
        below, equal = before + int(below), int(equal)
        at_key = Counts(below, equal, self.size - below - equal)
        return Bracketed((low, high), (at_low, at_high), inside.size, key, at_key)

    def _refuse(self, call: str) -> NoReturn:
        raise MethodUnavailable(f"{self.name} cannot do {call!r}")


def counted(found: int, count: int | None) -> None:
    """Raise `AnswerRefuted` if there are not as many keys as were counted before."""
    if count is not None and found != count:
        raise AnswerRefuted(f"{found} keys were copied, but {count} were counted: did they change?")
