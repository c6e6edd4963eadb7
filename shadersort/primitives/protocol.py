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
from typing import Any, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.errors import MethodUnavailable
from shadersort.primitives.buckets import Buckets
from shadersort.primitives.values import Counts, Extent, Key, Keys, Objective, Traffic

__all__ = ["CALLS", "Primitives"]

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
    "with_prefix",
    "with_prefixes",
    "bucket_histogram",
    "of_buckets",
    "split_buckets",
    "sample",
    "sort",
    "take",
)
"""Every call of the protocol, by name."""


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
    compacts_cheaply
        Whether `between` and its like cost little more than a read. Where they do not, methods
        iterate to the end instead.
    """

    name: str
    dtype: np.dtype[Any]
    size: int
    traffic: Traffic
    compacts_cheaply: bool

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

    def between(self, low: Key | None, high: Key | None, *, closed: bool = False) -> "Primitives":
        """Copy the keys that lie strictly between two, or with `closed` the ends too.

        None is no bound: `between(pivot, None)` has everything above the pivot, NaNs too. The
        order of the keys need not be kept, here and in the others that copy.
        """
        self._refuse("between")

    def digit_histogram(self, shift: int, width: int, prefix: int = 0) -> npt.NDArray[np.int64]:
        """Count the digits `(code >> shift) % 2**width` of the keys under a prefix.

        Codes are those of `shadersort.primitives.codes`: unsigned integers in the order of the
        keys. Under the prefix are the keys with `code >> (shift + width) == prefix`.
        """
        self._refuse("digit_histogram")

    def digit_histograms(
        self, shift: int, width: int, prefixes: Sequence[int]
    ) -> npt.NDArray[np.int64]:
        """Count digits under several prefixes, strictly ascending: a row of 2**width for each."""
        self._refuse("digit_histograms")

    def with_prefix(self, prefix: int, shift: int) -> "Primitives":
        """Copy the keys with `code >> shift == prefix`."""
        self._refuse("with_prefix")

    def with_prefixes(self, prefixes: Sequence[int], shift: int) -> "Primitives":
        """Copy the keys with `code >> shift` among some prefixes, strictly ascending."""
        self._refuse("with_prefixes")

    def bucket_histogram(self, buckets: Buckets) -> npt.NDArray[np.int64]:
        """Count the keys in each bucket; keys outside all buckets are not counted."""
        self._refuse("bucket_histogram")

    def of_buckets(self, buckets: Buckets, chosen: Sequence[int]) -> "Primitives":
        """Copy the keys of the chosen buckets."""
        self._refuse("of_buckets")

    def split_buckets(self, buckets: Buckets, chosen: Sequence[int]) -> Sequence["Primitives"]:
        """Copy the keys of the chosen buckets, strictly ascending, each bucket on its own."""
        self._refuse("split_buckets")

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places, with replacement, as they come; NaNs may be among them.

        The same seed draws the same keys from the same implementation.
        """
        self._refuse("sample")

    def sort(self) -> "Primitives":
        """Return the keys in order, NaNs last."""
        self._refuse("sort")

    def take(self, indices: Sequence[int]) -> Keys:
        """Return the keys at some places, as a host array; this is no pass."""
        self._refuse("take")

    def _refuse(self, call: str) -> NoReturn:
        raise MethodUnavailable(f"{self.name} cannot do {call!r}")
