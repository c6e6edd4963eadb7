"""What applications share: where their arrays are, and checks of their arguments.

The applications (`shadersort.robust`, `shadersort.neighbors`, `shadersort.sparse`) compute with the
functions that NumPy and other libraries have in common, and select in the rows of arrays. Packages
offer homes for arrays of other libraries in the entry-point group "shadersort.homes": a function
that takes an array, and returns its home, or None if it has none for it.
"""

import operator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from numbers import Real
from typing import Any, Protocol

import numpy as np

from shadersort.errors import ArraysApart, BadOption, UnsupportedKeys
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.protocol import Rows
from shadersort.selection.thresholds import cut

GROUP = "shadersort.homes"


class Home(Protocol):
    """A library and a device where arrays are. Homes are equal if they are the same place."""

    @property
    def xp(self) -> Any:
        """The module that computes with the arrays: NumPy, or one with its functions."""

    def own(self, x: Any) -> Any:
        """Return a caller's array as one of `xp`, without a copy where that can be."""

    def rows(self, keys: Any) -> Rows:
        """Return the rows of an array (outer, length, inner) of `xp`."""

    def cut(self, keys: Any, count: int, soft: bool) -> Any:
        """Threshold a flat array, perhaps in place: keep the `count` keys of largest magnitude."""

    def given(self, found: Any) -> Any:
        """Return an array of `xp` as one of the caller's library."""

    def here(self) -> AbstractContextManager[object]:
        """Return a context in which the arrays' device is the current one."""


@dataclass(frozen=True)
class NumPyHome:
    """Arrays of NumPy, and everything that NumPy makes an array of."""

    @property
    def xp(self) -> Any:
        """NumPy."""
        return np

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

    def cut(self, keys: Any, count: int, soft: bool) -> Any:
        """Threshold a flat array."""
        return cut(keys, count, soft)

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


def whole_number(name: str, given: Any, *, least: int = 1) -> int:
    """Return an integer of at least so much, or raise BadOption."""
    try:
        number = operator.index(given)
    except TypeError:
        number = None
    if number is None or number < least:
        raise BadOption(f"{name} is an integer, and must be {least} at least, not {given!r}")
    return number


def is_between(given: Any, low: float, high: float) -> bool:
    """Whether something is a number of a range, whose ends belong to it."""
    return isinstance(given, Real) and low <= float(given) <= high


def generator_of(name: str, random_state: Any) -> np.random.Generator:
    """Return a generator of a seed or a `RandomState`, or the given one; else raise BadOption."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise BadOption(
            f"{name} is None, an integer from 0, or a generator of NumPy, not {random_state!r}"
        ) from error
