"""What rows answer, wherever their keys are, and the arithmetic over these answers.

Ranks are from zero. NaNs, and NaTs, come last in a row; −0.0 equals 0.0. No call changes the keys.
An answer has one value for each row, in a shape of the implementation: `*rows` below.
"""

import warnings
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, choices
from shadersort.keys.key_casts import may_be_missing
from shadersort.selection.primitives import Primitives
from shadersort.selection.quantile_plan import (
    ALL_NAN,
    average_middle,
    cached_plan,
    check_mean,
    check_mixed,
    plan_each,
)

Ties = Literal["lowest", "highest", "any"]
TIES: tuple[Ties, ...] = ("lowest", "highest", "any")
"""Which of equal keys are taken: those at the lowest places, the highest places, or any."""


class RankedRows(Protocol):
    """Rows that answer ranks, and the medians and quantiles that follow, of one key at least."""

    length: int  # how many keys each row has
    count: int  # how many rows there are
    dtype: np.dtype[Any]  # the caller's type of keys
    xp: Any  # the module that computes with answers: NumPy, or one with its functions

    def ranks(self, ks: Any) -> Any:
        """Return the keys of ascending ranks, which are on the host: (len(ks), *rows)."""

    def rank(self, k: int) -> Any:
        """Return the keys of one rank, the same for all rows: (*rows)."""
        return self.ranks([k])[0]

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of ranks; a row that has a NaN, or a NaT, gets that for every rank."""
        if not may_be_missing(self.dtype):
            return self.ranks(ks)
        found = self.ranks([*ks, self.length - 1])
        largest = found[-1]
        lost = largest != largest
        return (np.where(lost, largest, found) if lost.any() else found)[:-1]

    def ranks_each(self, ks: Any) -> Any:
        """Return the keys of each row's own ranks: both of shape (r, *rows), in any order."""

    def count_non_nan(self) -> Any:
        """Return how many keys of each row are neither NaN nor NaT: int64, of shape (*rows)."""

    def middle(self, *, nan: bool) -> Any:
        """Return the medians (*rows) as `np.median` does; with `nan`, as `np.nanmedian` does."""
        check_mean(self.dtype)
        counts = self._counts_of_numbers() if nan else self.length
        if isinstance(counts, int):
            n = counts or 1
            ks = [n // 2] if n % 2 else [n // 2 - 1, n // 2]
            return average_middle(self.ranks(ks) if nan else self.ranks_unless_nan(ks))
        found = self.ranks_each(np.stack([(counts - 1) // 2, counts // 2]))
        return np.where(counts % 2 == 1, found[0], average_middle(found))

    def quantiles(self, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
        """Return the quantiles q, (*q.shape, *rows), as `np.quantile` or `np.nanquantile` does."""
        plan = cached_plan(self.length, q, method)  # raises errors before any key is read
        check_mixed(self.dtype, method, plan.shares)
        if not nan:
            return plan.combine(self.ranks_unless_nan(plan.ranks), self.xp)
        counts = self._counts_of_numbers()
        if isinstance(counts, int):
            plan = cached_plan(counts or 1, q, method)
            found = plan.combine(self.ranks(plan.ranks), self.xp)
            return found if counts or self.count > 1 else found.astype(self.dtype)  # as in NumPy
        plan = plan_each(counts, q, method)
        return plan.combine(self.ranks_each(plan.ranks))

    def _counts_of_numbers(self) -> Any:
        """Return how many numbers each row has: an int if all have as many; 1 in an array for 0.

        Warns of a row without numbers. NaNs are last, so numbers have their ranks in all keys.
        """
        if not may_be_missing(self.dtype) or not self.count:
            return self.length
        counts = self.count_non_nan()
        least = int(counts.min())
        if not least:
            warnings.warn(ALL_NAN, RuntimeWarning, 3)
        return np.maximum(counts, 1) if counts.max() > least else least


class Rows(RankedRows, Protocol):
    """Rows of keys. All calls but `result` and `axis_result` need at least one key in a row."""

    def first(self, count: int, by: int, *, in_order: bool, ties: Ties) -> tuple[Any, Any]:
        """Return the first `count` keys of each row, and their places, int64, for `axis_result`.

        `by` is LARGEST, SMALLEST or MAGNITUDE (top_keys.py). With `in_order`, equal keys come by
        their places, ascending, or with "highest" descending.
        """

    def places(self, wanted: Any, ties: Ties) -> Any:
        """Return where each row has its wanted key: int64; both are of shape (*rows)."""

    def sort(self, network: str | None = None) -> Any:
        """Return each row in ascending order, bit for bit, as `axis_result` takes it.

        With the name of a network without idle wires, by its comparators.
        """

    def argsort(self, *, descending: bool) -> Any:
        """Return the places of each row's keys in order, int64, for `axis_result`.

        Equal keys keep their order; NaNs and NaTs come last, also if it is `descending`.
        """

    def threshold(self, count: int, *, soft: bool) -> Any:
        """Return the rows, for `axis_result`, with zero for all but the `count` largest magnitudes.

        Of equal magnitudes those at the lowest places are kept; a NaN is larger than any number.
        "soft" moves the kept keys towards zero by the largest magnitude that is not kept.
        """

    def weighted_quantiles(self, weights: Any, q: Any, *, nan: bool) -> Any:
        """Return weighted quantiles q, (*q.shape, *rows), as weighted_quantiles.py defines them."""

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers (*front, *rows) in the caller's library and shape, in `out` if given."""

    def axis_result(self, found: Any, out: Any = None) -> Any:
        """Return keys or places of rows along their axis, or axes, in the caller's library."""

    def primitives(self) -> Primitives:
        """Return the primitives of the only row."""

    def take(self, found: Any, places: Any) -> Any:
        """Return the answers at some places of the first axis."""
        return found[places]


def check_ties(ties: str) -> Ties:
    """Return a rule for ties, or raise BadOption."""
    if ties not in TIES:
        raise BadOption(f"no rule for ties is called {ties!r}: use {choices(TIES)}")
    return ties


def check_fit(found: Any, out: Any) -> None:
    """Raise BadOption if a result cannot be copied into `out`, an array of the same library."""
    ours, theirs = ((tuple(each.shape), each.dtype) for each in (found, out))
    if ours != theirs:
        raise BadOption(
            f"the result has the shape {ours[0]} and the type {ours[1]}, out has {theirs[0]} and "
            f"{theirs[1]}"
        )
