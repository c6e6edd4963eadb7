"""The interface of the primitives: what a selection method may ask of keys where they are.

**The order** is numeric and total: −0.0 equals 0.0; every NaN equals every other NaN and comes
after infinity. "Below" and "above" mean this order everywhere.

**A pivot is a key**: a scalar of the keys' own type, so that counts are exact for integers over
2**53 too. Doubles occur only in sums, and sums only guess.

**Each call is one pass** over the keys. It returns host scalars, a small host array, or other
`Primitives`. Each call adds what it reads and writes, in keys, to `traffic`.

`counts` is required, because counts prove every answer. The other names in `CALLS` are optional: a
`Method` lists those that it needs. Calls that are not in `CALLS` are defined here by others; an
implementation overrides one where it has a faster way.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from shadersort.errors import MethodUnavailable
from shadersort.keys.codes import decode
from shadersort.keys.key_casts import KeyCast, restore
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.one_read import OneRead
from shadersort.selection.primitives.printed import Tangent, V
from shadersort.selection.primitives.values import (
    Counts,
    Extent,
    Objective,
    Ranked,
    Ranks,
    Traffic,
    Tuning,
)

CALLS = (
    *("counts", "extent", "objective", "log_objective", "at_or_above", "at_or_below"),
    *("between", "digit_histograms", "with_prefixes"),
    *("bucket_histogram", "of_buckets", "sample", "sort", "take", "one_read", "cells"),
    *("quickselect_serial", "printed_vector"),
)
"""The names of the calls that an implementation may lack."""


class Primitives(ABC):
    """Keys that stay where they are, and what may be asked of them."""

    name: str  # what runs the calls, for messages: "NumPy", "textures"
    dtype: np.dtype[Any]  # the type of the keys, as all calls take and return them
    key_cast: KeyCast | None = None  # how the caller's keys were cast; None if they were not
    size: int  # the number of keys, NaNs included
    traffic: Traffic  # what was moved so far; copies of some of the keys share it
    tuning: Tuning  # what suits the device

    def supports(self, call: str) -> bool:
        """Whether this implementation has a call, or can answer it by others."""
        return call not in CALLS or getattr(type(self), call) is not getattr(Primitives, call)

    @property
    def own_dtype(self) -> np.dtype[Any]:
        """The type of the caller's keys."""
        return self.dtype if self.key_cast is None else self.key_cast.dtype

    def restore(self, found: Any) -> Any:
        """Return keys, one or an array, in the type of the caller's keys."""
        return restore(self.key_cast, found)

    @abstractmethod
    def counts(self, pivot: Key) -> Counts:
        """Count the keys below, equal to and above a pivot, which may be infinite or NaN."""

    def extent(self) -> Extent:
        """Return smallest, largest, sum and kinds of the keys; the sum is added up in doubles."""
        self._refuse("extent")

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count at a finite pivot; sum the distances to it of the finite keys x, low < x < high.

        None is no bound. Keys outside a narrow window cannot spoil the sums.
        """
        self._refuse("objective")

    def log_objective(
        self, pivot: Key, low: Key | None, high: Key | None, origin: Key
    ) -> Objective:
        """Return the objective with distances |F(x) − F(pivot)|, F(t) = log(1 + t − origin).

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
        """Copy the keys strictly between two keys, in any order; with `closed`, the ends as well.

        None is no bound: `between(pivot, None)` copies everything above the pivot, NaNs included.
        `count` is how many there are, if that is known: a device then reserves exactly that room
        and does not wait. If the number is wrong, this call or a later one raises `AnswerRefuted`.
        """
        self._refuse("between")

    def digit_histograms(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        """Count digits under several prefixes, strictly ascending: a row of 2**width for each.

        Codes are those of `shadersort.keys.codes`: unsigned integers in the order of the keys. A
        digit is `(code >> shift) % 2**width`, and its prefix is `code >> (shift + width)`.
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
        """Return keys from random places, with replacement; NaNs may be among them."""
        self._refuse("sample")

    def sort(self) -> "Primitives":
        """Return the keys in order, NaNs last."""
        self._refuse("sort")

    def take(self, indices: Ranks) -> Keys:
        """Return the keys at some places, as a host array; this is no pass."""
        self._refuse("take")

    def one_read(self, rank: int) -> OneRead:
        """Return the code of a rank, by a sample, a bracket and one read, as one_read.py does."""
        self._refuse("one_read")

    def cells(self, ranks: Integers) -> Ranked:
        """Find many ascending ranks by a sample and two reads."""
        self._refuse("cells")

    def quickselect_serial(self, k: int, seed: int) -> Key:
        """Return the k-th key by quickselect in one thread, as quickselect_serial.py does.

        The seed has 64 bits. The reads and writes of the thread count as one pass.
        """
        self._refuse("quickselect_serial")

    def printed_vector(self, kind: type[V]) -> V:
        """Return a vector that a method as printed writes: of a class in printed.py."""
        self._refuse("printed_vector")

    def counts_at(self, pivots: Keys) -> Integers:
        """Count at several pivots, in any order: a row of keys below, and a row of equal keys."""
        return np.array([self.counts(pivot)[:2] for pivot in pivots], np.int64).reshape(-1, 2).T

    def tangent(self, t: float) -> Tangent:
        """Sum and count at a place, a double; here at the largest float up to there."""
        nearest = self.dtype.type(t)
        below = np.nextafter(nearest, self.dtype.type("-inf"))
        at = self.objective(nearest if float(nearest) <= t else below)
        return Tangent(at.below, at.above, at.counts.below + at.counts.equal)

    def count_numbers(self) -> int:
        """Return how many keys are not NaN; integers need no read for that."""
        if self.dtype.kind != "f":
            return self.size
        return self.size - self.counts(self.dtype.type("inf")).above

    def below(self, pivot: Key) -> int:
        """Count only the keys below a pivot, where that costs less than `counts`."""
        return self.counts(pivot).below

    def split(self, low: Key, high: Key) -> tuple[Counts, Counts, "Primitives"]:
        """Count at two pivots, low ≤ high, and copy the keys strictly between them."""
        below, equal = self.counts_at(np.array([low, high], self.dtype)).tolist()
        inside = max(below[1] - below[0] - equal[0], 0)
        ends = [Counts.complete(*each, self.size) for each in zip(below, equal, strict=True)]
        return ends[0], ends[1], self.between(low, high, count=inside)

    def split_each(
        self, pairs: Sequence[tuple[Key, Key]]
    ) -> list[tuple[Counts, Counts, "Primitives"]]:
        """Part the keys at several pairs of pivots; keys in pieces do this in one read."""
        return [self.split(low, high) for low, high in pairs]

    def look_up_ranks(self, ranks: Ranks) -> Ranked:
        """Sort, and look up some ranks."""
        ordered = self.sort()
        found = ordered.take(ranks)
        return Ranked(found, *ordered.counts_at(found))

    def count_values(self, ranks: Integers) -> Ranked:
        """Find ascending ranks by a counter for every value, in one pass; keys of 8 or 16 bits."""
        bits = 8 * self.dtype.itemsize
        (counts,) = self.digit_histograms(0, bits, [0])
        ends = np.cumsum(counts)
        codes = np.searchsorted(ends, ranks, side="right")
        keys = decode(codes.astype(f"u{self.dtype.itemsize}"), self.dtype)
        return Ranked(keys, ends[codes] - counts[codes], counts[codes])

    def _refuse(self, call: str) -> NoReturn:
        raise MethodUnavailable(f"{self.name} cannot do {call!r}")
