"""Where the arrays of an application are: the library that computes with them, and their rows.

The applications (`shadersort.robust`, `shadersort.neighbors`, `shadersort.sparse`) compute with the
functions that NumPy and other libraries have in common, and select in the rows of arrays. Packages
offer homes for arrays of other libraries in the entry-point group "shadersort.homes": a function
that takes an array, and returns its home, or None if it has none for it.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np

from shadersort.errors import ArraysApart, UnsupportedKeys
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.protocol import Rows

GROUP = "shadersort.homes"


class Steps:
    """Steps of applications that a home may do in its own way; here it does none of them.

    None says that a step is done in the common way: by functions that all libraries have.
    """

    @property
    def memory(self) -> int:
        """Bytes that a step may take, unless a user says how many."""
        return 512 << 20

    def residual_sizes(self, columns: Any, lines: Any) -> Any | None:
        """Return |lines @ columns|; the lines are on the host."""

    def trimmed_sums(self, sizes: Any, bounds: Any) -> Any | None:
        """Return the numbers of sizes below a bound and at it, and the sum of squares below.

        Sizes are (fits, rows), bounds (fits, 1), and the result is (fits, 3).
        """

    def grams(self, columns: Any, numbers: Any, trimmed: tuple[Any, Any] | None) -> Any | None:
        """Return the Gram matrices of columns, weighted by `shadersort.robust`'s `Weights`."""

    def error(self, features: int) -> float:
        """Return the largest error of `blocks`, as a share of the squared norms; 0: of float32."""
        return 0.0

    def blocks(self, points: Any, memory: int) -> Any | None:
        """Return what does as `shadersort.neighbors.blocks.Blocks`."""

    def squares(
        self, points: Any, queries: Any, pairs: tuple[Any, Any], scale: float
    ) -> Any | None:
        """Return the squared distances of pairs (rows of queries, places of points), in float64.

        Coordinates are multiplied by a scale first.
        """

    def sampled(self, arrays: Sequence[Any], count: int) -> Any | None:
        """Return what `shadersort.sparse.parts.Parts.sampled` does."""

    def counted(
        self, arrays: Sequence[Any], first: int, last: int, nan: int
    ) -> tuple[int, int, int, Any] | None:
        """Return what `shadersort.sparse.level.counted` finds: the fields of its result."""

    def ranked(self, codes: Any, rank: int) -> tuple[int, int, int] | None:
        """Return the code of a rank, and how many codes are above it and equal it."""

    def kept(
        self,
        arrays: Sequence[Any],
        results: Sequence[Any],
        code: int,
        equal: tuple[int, int],
        soft: bool,
    ) -> bool:
        """Write the keys above a magnitude into results, and zero for others; or return False.

        Of the keys at the magnitude, `equal` (kept, all), the first ones are kept. If `soft`, none
        is, and keys are moved towards zero by the magnitude.
        """
        return False


class Home(Protocol):
    """A library and a device where arrays are. Homes are equal if they are the same place."""

    @property
    def xp(self) -> Any:
        """The module that computes with the arrays: NumPy, or one with its functions."""

    @property
    def steps(self) -> Steps:
        """The steps of applications that it does in its own way."""

    def own(self, x: Any) -> Any:
        """Return a caller's array as one of `xp`, without a copy where that can be."""

    def rows(self, keys: Any) -> Rows:
        """Return the rows of an array (outer, length, inner) of `xp`."""

    def given(self, found: Any) -> Any:
        """Return an array of `xp` as one of the caller's library."""

    def here(self) -> AbstractContextManager[object]:
        """Return a context in which the arrays' device is the current one."""


@dataclass(frozen=True)
class NumPyHome:
    """Arrays of NumPy, and everything that NumPy makes an array of.

    Examples
    --------
    >>> home = NumPyHome()
    >>> home.rows(home.own([[3, 1, 2]])[:, :, None]).ranks(np.array([1])).ravel()
    array([2])
    """

    @property
    def xp(self) -> Any:
        """NumPy."""
        return np

    @property
    def steps(self) -> Steps:
        """None of its own: the common way is NumPy's."""
        return Steps()

    def own(self, x: Any) -> Any:
        """Return anything as an array; raise UnsupportedKeys for a masked one."""
        if isinstance(x, np.ma.MaskedArray):
            raise UnsupportedKeys(
                "masked arrays are not taken: their masks would be lost. Pass array.filled(value), "
                "or array.compressed()"
            )
        return np.asarray(x)

    def rows(self, keys: Any) -> Rows:
        """Return the rows of an array (outer, length, inner)."""
        return NumPyRows(keys)

    def given(self, found: Any) -> Any:
        """Return an array as it is."""
        return found

    def here(self) -> AbstractContextManager[object]:
        """Return a context that does nothing."""
        return nullcontext()

    def __str__(self) -> str:
        return "NumPy's memory"


def home_of(*arrays: Any) -> Home:
    """Return the one home of some arrays; None, numbers and lists are at home with NumPy.

    Raises ArraysApart for arrays of two libraries, or on two devices.

    Examples
    --------
    >>> str(home_of(np.zeros(3), None))
    "NumPy's memory"
    """
    homes = [_home_of(each) for each in arrays if each is not None]
    for other in homes[1:]:
        if other != homes[0]:
            raise ArraysApart(
                f"arrays are in {homes[0]} and in {other}: put all of them in one place"
            )
    return homes[0] if homes else NumPyHome()


def _home_of(x: Any) -> Home:
    if isinstance(x, np.ndarray | list | tuple | np.generic | int | float):
        return NumPyHome()
    for offered in _offered():
        home: Home | None = offered(x)
        if home is not None:
            return home
    return NumPyHome()


@cache
def _offered() -> list[Any]:
    return [each.load() for each in entry_points(group=GROUP)]
