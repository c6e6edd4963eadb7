"""What an array's rows can be asked: the calls that NumPy (numpy.py) and CUDA implement.

An array is seen as (outer, length, inner), and its rows lie along the middle axis. All ranks are
from zero; NaNs come last in a row, and −0.0 equals 0.0. Nobody changes the array.
"""

from typing import Any, Literal, Protocol

import numpy as np

from shadersort.errors import BadOption, choices
from shadersort.selection.rows.by_count import PlanByCount
from shadersort.selection.thresholds import shrunk

Ties = Literal["lowest", "highest", "any"]
TIES: tuple[Ties, ...] = ("lowest", "highest", "any")
"""Which of equal keys are taken: those at the lowest places, the highest places, or any."""


class Rows(Protocol):
    """The rows of an array; results are arrays of the array's own library.

    Attributes
    ----------
    shape
        (outer, length, inner); no length is 0.
    keys
        The array (outer, length, inner).
    dtype
        The type of the keys.
    xp
        The module that computes with results: NumPy or CuPy.
    """

    shape: tuple[int, int, int]
    keys: Any
    dtype: Any
    xp: Any

    def numbers(self) -> Any:
        """Return how many keys of each row are not NaN: int64, of shape (outer, inner)."""

    def ranks(self, ks: Any) -> Any:
        """Return the keys of ranks, the same for all rows: of shape (outer, ks.size, inner).

        The ranks are int64 on the host, distinct and ascending.
        """

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Do as `ranks` does; a row that has a NaN gets NaN for every rank."""
        if self.dtype.kind != "f":
            return self.ranks(ks)
        found = self.ranks(np.union1d(ks, [self.shape[1] - 1]))
        last = found[:, -1:]
        return self.xp.where(last != last, last, found[:, : len(ks)])

    def ranks_of_rows(self, ks: Any) -> Any:
        """Return the keys of each row's own ranks: int64, of shape (outer, r, inner), as found."""

    def of_numbers(self, plan: PlanByCount) -> tuple[Any, bool]:
        """Return answers of the numbers in each row, and whether a row has none.

        The answers are of shape (answers, outer, inner); those of a row without numbers are NaN.
        """
        return answers_by_counts(self, plan)

    def medians(self, nan: bool) -> Any:
        """Return the medians, of shape (outer, inner), as `np.median` or `np.nanmedian` does.

        Without `nan` the median of a row that has a NaN is NaN; with it, of a row of NaNs only.
        """

    def first(self, by: int, count: int, in_order: bool, ties: Ties) -> tuple[Any, Any]:
        """Return the first keys of each row in an order, and their places: (outer, count, inner).

        `by` is an order of `shadersort.selection.top_keys`. Without `in_order` they come in any
        order. With it, equal keys come by their places: ascending, or with "highest" descending.
        The places are int64.
        """

    def places(self, wanted: Any, ties: Ties) -> Any:
        """Return where each row has its wanted key: int64; both are of shape (outer, inner)."""
        return place_in(self.keys, wanted[:, None], ties)

    def sorted(self) -> Any:
        """Return each row in ascending order, of the shape of the rows, bit for bit."""

    def shrink(self, values: Any, steps: Any) -> Any:
        """Return values (outer, count, inner) moved towards zero by steps (outer, 1, inner).

        A step is a magnitude; values of no larger magnitude become zero, and NaNs stay.
        """
        return shrunk(values, steps)


def answers_by_counts(rows: Rows, plan: PlanByCount) -> tuple[Any, bool]:
    """Do as `Rows.of_numbers` does, by its other calls."""
    counts = on_host(rows.numbers())
    if (counts == plan.length).all():
        return plan.whole(rows.ranks(plan.ranks).transpose(1, 0, 2)), False
    ks, weight = plan.planned(np.maximum(counts, 1))
    found = rows.ranks_of_rows(rows.xp.asarray(ks.transpose(1, 0, 2)))
    weight = None if weight is None else rows.xp.asarray(weight)
    return plan.mixed(found.transpose(1, 0, 2), weight), not counts.all()


def on_host(array: Any) -> Any:
    """Return an array of NumPy or CuPy as one of NumPy."""
    return array if isinstance(array, np.ndarray) else array.get()


def place_in(keys: Any, wanted: Any, ties: Ties) -> Any:
    """Return where the wanted keys are along axis 1, in which `wanted` has the length 1.

    Examples
    --------
    >>> place_in(np.array([[30, 10, 10], [3, 1, 2]]), np.array([[10], [3]]), "highest")
    array([2, 0])
    """
    equal = (keys == wanted) | ((keys != keys) & (wanted != wanted))
    if ties != "highest":
        return equal.argmax(axis=1)
    return equal.shape[1] - 1 - equal[:, ::-1].argmax(axis=1)


def checked_ties(ties: str) -> Ties:
    """Return a rule for ties, or raise BadOption.

    Examples
    --------
    >>> checked_ties("first")
    Traceback (most recent call last):
    ...
    shadersort.errors.BadOption: no rule for ties is called 'first': use 'lowest', 'highest' or ...
    """
    for known in TIES:
        if ties == known:
            return known
    raise BadOption(f"no rule for ties is called {ties!r}: use {choices(TIES)}")
