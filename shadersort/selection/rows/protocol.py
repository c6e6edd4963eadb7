"""What rows answer, wherever their keys are, and the arithmetic over these answers.

Ranks are from zero. NaNs, and NaTs, come last in a row; −0.0 equals 0.0. No call changes the keys.
An answer has one value for each row, in whatever shape a kind of rows likes: `*rows` below. Its
own `result` puts it into the caller's library and shape.
"""

import warnings
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, choices
from shadersort.keys.stand_ins import is_bfloat16, may_be_missing
from shadersort.selection.driver import check_mean
from shadersort.selection.primitives import Primitives
from shadersort.selection.quantile_plan import ALL_NAN, check_mixed, kept_plan, plan_each

Ties = Literal["lowest", "highest", "any"]
TIES: tuple[Ties, ...] = ("lowest", "highest", "any")
"""Which of equal keys are taken: those at the lowest places, the highest places, or any."""


class Rows(Protocol):
    """Rows of keys. All calls but `result` and `along` need at least one key in a row."""

    length: int  # how many keys each row has
    count: int  # how many rows there are
    dtype: np.dtype[Any]  # the caller's type of keys
    xp: Any  # the module that computes with answers: NumPy, or one with its functions

    def ranks(self, ks: Any) -> Any:
        """Return the keys of ascending distinct ranks, which are on the host: (len(ks), *rows)."""

    def rank(self, k: int) -> Any:
        """Return the keys of one rank, the same for all rows: (*rows)."""
        return self.ranks([k])[0]

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Do as `ranks` does; a row that has a NaN gets NaN for every rank."""

    def first(self, count: int, by: int, *, in_order: bool, ties: Ties) -> tuple[Any, Any]:
        """Return the first `count` keys of each row, and their places, int64, for `along`.

        `by` is LARGEST, SMALLEST or MAGNITUDE (top_keys.py). With `in_order`, equal keys come by
        their places, ascending, or with "highest" descending; without it, keys come in any order.
        """

    def count_non_nan(self) -> Any:
        """Return how many keys of each row are neither NaN nor NaT: int64, of shape (*rows)."""

    def ranks_each(self, ks: Any) -> Any:
        """Return the keys of each row's own ranks: both of shape (r, *rows), in any order."""

    def places(self, wanted: Any, ties: Ties) -> Any:
        """Return where each row has its wanted key: int64; both are of shape (*rows)."""

    def sort(self) -> Any:
        """Return each row in ascending order, bit for bit, as `along` takes it."""

    def threshold(self, count: int, *, soft: bool) -> Any:
        """Return the rows with zero for all but `count` keys of largest magnitude, for `along`.

        Of equal magnitudes those at the lowest places are kept; a NaN is larger than any number.
        "soft" moves the kept keys towards zero by the largest magnitude that is not kept.
        """

    def weighted(self, weights: Any, q: Any, *, nan: bool) -> Any:
        """Return weighted quantiles q, (*q.shape, *rows), as weighted.py defines them."""

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers (*front, *rows) in the caller's library and shape, in `out` if given."""

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places of rows along their axis, or axes, in the caller's library."""

    def primitives(self) -> Primitives:
        """Return the primitives of the only row; raise MethodUnavailable if there are several."""

    def take(self, found: Any, places: Any) -> Any:
        """Return the answers at some places of the first axis."""
        return found[places]

    # arithmetic over these answers, which a kind of rows may replace by a single launch

    def middle(self, *, nan: bool) -> Any:
        """Return the medians (*rows) as `np.median` does; with `nan`, as `np.nanmedian` does."""
        check_mean(self.dtype)
        counts = _counts_of_numbers(self) if nan else self.length
        if isinstance(counts, int):
            n = counts or 1
            ks = [n // 2] if n % 2 else [n // 2 - 1, n // 2]
            return average_middle(self.ranks(ks) if nan else self.ranks_unless_nan(ks))
        found = self.ranks_each(np.stack([(counts - 1) // 2, counts // 2]))
        return np.where(counts % 2 == 1, found[0], average_middle(found))

    def quantiles(self, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
        """Return the quantiles q, (*q.shape, *rows), as `np.quantile` or `np.nanquantile` does."""
        plan = kept_plan(self.length, q, method)  # raises errors before any key is read
        check_mixed(self.dtype, method, plan.shares)
        if not nan:
            return plan.combine(self.ranks_unless_nan(plan.ranks), self.xp)
        counts = _counts_of_numbers(self)
        if isinstance(counts, int):
            plan = kept_plan(counts or 1, q, method)
            found = plan.combine(self.ranks(plan.ranks), self.xp)
            return found if counts or self.count > 1 else found.astype(self.dtype)  # as in NumPy
        plan = plan_each(counts, q, method)
        return plan.combine(self.ranks_each(plan.ranks))


def _counts_of_numbers(rows: Rows) -> Any:
    """Return how many numbers rows have: an int if all have as many, else an array, with 1 for 0.

    A row without numbers gets a warning. NaNs are last, so numbers have their ranks in all keys.
    """
    if not may_be_missing(rows.dtype) or not rows.count:
        return rows.length
    counts = rows.count_non_nan()
    least = int(counts.min())
    if not least:
        warnings.warn(ALL_NAN, RuntimeWarning, 3)
    return np.maximum(counts, 1) if counts.max() > least else least


def average_middle(middle: Any) -> Any:
    """Return the means along the first axis, of one key or two, as NumPy's median has them.

    Floats and times keep their type; other means are float64.

    Examples
    --------
    >>> average_middle(np.array([[1, 7], [4, 7]]))
    array([2.5, 7. ])
    """
    dtype = middle.dtype
    half = dtype.char == "e" or is_bfloat16(dtype)
    wide = np.float32 if half else dtype if dtype.kind in "fm" else np.float64
    if len(middle) == 1:
        return middle[0] if half else middle[0].astype(wide)
    low, high = middle.astype(wide, copy=False)
    with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN, without a warning
        mean = (low + high) / 2
        return mean.astype(dtype) if half else mean


def check_ties(ties: str) -> Ties:
    """Return a rule for ties, or raise BadOption."""
    if ties not in TIES:
        raise BadOption(f"no rule for ties is called {ties!r}: use {choices(TIES)}")
    return ties
