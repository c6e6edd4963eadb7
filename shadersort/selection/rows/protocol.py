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
    """Rows of keys.

    Attributes
    ----------
    length
        How many keys each row has: at least one, for all calls but `result` and `along`.
    count
        How many rows there are.
    dtype
        The caller's type of keys.
    xp
        The module that computes with answers: NumPy, or one with its functions.
    """

    length: int
    count: int
    dtype: np.dtype[Any]
    xp: Any

    def ranks(self, ks: Any) -> Any:
        """Return the keys of ranks, the same for all rows: of shape (len(ks), *rows).

        The ranks are integers on the host, distinct and ascending.
        """

    def first(self, count: int, by: int, *, in_order: bool, ties: Ties) -> tuple[Any, Any]:
        """Return the first `count` keys of each row in an order, and their places; see `along`.

        `by` is LARGEST, SMALLEST or MAGNITUDE (top_keys.py). With `in_order`, equal keys come by
        their places, ascending, or with "highest" descending. Without it, the keys come in any
        order. The places are int64.
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

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers (*front, *rows) in the caller's library, in `out` if there is one.

        The axes of the rows are removed, or kept with the length 1. A single answer is a scalar.
        """

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places of each row, along the axis of the rows, in the caller's library.

        Of several axes that are joined, rows of full length get their axes back.
        """

    def primitives(self) -> Primitives:
        """Return the primitives of the only row; raise MethodUnavailable if there are several."""

    # arithmetic over these answers, which a kind of rows may replace by a single launch

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Do as `ranks` does; a row that has a NaN gets NaN for every rank."""
        if not may_be_missing(self.dtype):
            return self.ranks(ks)
        found = self.ranks(np.union1d(ks, [self.length - 1]))
        last = found[-1:]
        return self.xp.where(last != last, last, found[: len(ks)])

    def middle(self, *, nan: bool) -> Any:
        """Return the medians (*rows) as `np.median` does; with `nan`, as `np.nanmedian` does."""
        check_mean(self.dtype)
        ks = [self.length // 2]
        if self.length % 2 == 0:
            ks = [ks[0] - 1, ks[0]]
        if not nan:
            return mean_of(self.ranks_unless_nan(ks))
        counts = _counts_of_numbers(self)
        if counts is None:
            return mean_of(self.ranks(ks))
        upto = np.maximum(counts, 1)
        found = self.ranks_each(np.stack([(upto - 1) // 2, upto // 2]))
        return np.where(upto % 2 == 1, found[0], mean_of(found))

    def quantiles(self, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
        """Return the quantiles q, (*q.shape, *rows), as `np.quantile` or `np.nanquantile` does."""
        plan = kept_plan(self.length, q, method)  # raises errors before any key is read
        check_mixed(self.dtype, method, plan.shares)
        if not nan:
            return plan.combine(self.ranks_unless_nan(plan.ranks), self.xp)
        counts = _counts_of_numbers(self)
        if counts is None:
            return plan.combine(self.ranks(plan.ranks), self.xp)
        each = plan_each(np.maximum(counts, 1), q, method)
        return each.combine(self.ranks_each(each.ranks))


def _counts_of_numbers(rows: Rows) -> Any:
    """Return how many numbers each row has, and warn of rows with none; None if none has a NaN."""
    if not may_be_missing(rows.dtype):
        return None
    counts = rows.count_non_nan()
    if not counts.all():
        warnings.warn(ALL_NAN, RuntimeWarning, 3)
    return None if (counts == rows.length).all() else counts


def mean_of(middle: Any) -> Any:
    """Return the means along the first axis, of one key or two, as NumPy's median has them.

    Floats and times keep their type; other means are float64.

    Examples
    --------
    >>> mean_of(np.array([[1, 7], [4, 7]]))
    array([2.5, 7. ])
    """
    dtype = middle.dtype
    half = dtype.char == "e" or is_bfloat16(dtype)
    own = half or dtype.kind in "fm"
    if len(middle) == 1:
        return middle[0] if own else middle[0].astype(np.float64)
    wide = np.float32 if half else dtype if own else np.float64
    low, high = middle.astype(wide, copy=False)
    with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN, without a warning
        mean = (low + high) / 2
        return mean.astype(dtype) if half else mean


def check_ties(ties: str) -> Ties:
    """Return a rule for ties, or raise BadOption.

    Examples
    --------
    >>> check_ties("first")
    Traceback (most recent call last):
    ...
    shadersort.errors.BadOption: no rule for ties is called 'first': use 'lowest', 'highest' or ...
    """
    for known in TIES:
        if ties == known:
            return known
    raise BadOption(f"no rule for ties is called {ties!r}: use {choices(TIES)}")
