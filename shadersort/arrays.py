"""What applications share: where their arrays are, and checks of their arguments.

The applications (`shadersort.robust`, `shadersort.neighbors`, `shadersort.sparse`) compute with the
functions that NumPy and other libraries share, and select in the rows of arrays. Packages offer
homes for other arrays in the entry-point group GROUP: functions from an array to its home, or None.
"""

import operator
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from numbers import Real
from typing import Any, Protocol

import numpy as np

from shadersort.errors import ArraysApart, BadOption, UnsupportedKeys
from shadersort.selection.rows.host import HostRows
from shadersort.selection.rows.protocol import Rows
from shadersort.sorting.threads import cores, open_pool

GROUP = "shadersort.homes"

WORTH, MOST_THREADS = 1 << 19, 8  # threads for fewer numbers cost more than they save


class Home(Protocol):
    """A library and a device where arrays are. Homes are equal if they are the same place."""

    @property
    def xp(self) -> Any:
        """The module that computes with the arrays: NumPy, or one with its functions."""

    def own(self, x: Any) -> Any:
        """Return a caller's array as one of `xp`, without a copy where that can be."""

    def rows(self, keys: Any, axis: int = -1) -> Rows:
        """Return the rows of an array of `xp` along an axis; their results are arrays of `xp`."""

    def give(self, found: Any) -> Any:
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
                "a masked array would lose its mask: pass array.filled(value) or array.compressed()"
            )
        return np.asarray(x)

    def rows(self, keys: Any, axis: int = -1) -> Rows:
        """Return the rows of an array along an axis."""
        return HostRows(keys, axis)

    def give(self, found: Any) -> Any:
        """Return an array as it is."""
        return found

    def here(self) -> AbstractContextManager[object]:
        """Return a context that does nothing."""
        return nullcontext()

    def __str__(self) -> str:
        return "NumPy's memory"


def home_of(*arrays: Any) -> Home:
    """Return the home that all arrays share; that of None, numbers and lists is NumPy's.

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
    for find_home in _home_finders():
        home: Home | None = find_home(x)
        if home is not None:
            return home
    return NumPyHome()


@cache
def _home_finders() -> list[Any]:
    return [each.load() for each in entry_points(group=GROUP)]


def kth_of_rows(home: Home, keys: Any, k: int, axis: int = -1) -> Any:
    """Return the keys of rank k along an axis of an array at home; the axis stays, of length 1."""
    rows = home.rows(keys, axis)
    return home.xp.expand_dims(rows.result(rows.rank(k)), axis)


def run_in_threads(tasks: Iterable[Any], do: Callable[[Any], None], size: int) -> None:
    """Call a function with every task, in several threads if work of this size is worth it."""
    with open_pool(min(cores(), MOST_THREADS)) as pool:
        for _ in (pool.map if size >= WORTH else map)(do, tasks):
            pass


def whole_number(name: str, given: Any, *, least: int = 1) -> int:
    """Return an integer that is `least` or more; otherwise raise BadOption."""
    try:
        number = operator.index(given)
    except TypeError:
        number = None
    if number is None or number < least:
        raise BadOption(f"{name} is an integer, and must be {least} at least, not {given!r}")
    return number


def is_between(given: Any, low: float, high: float) -> bool:
    """Whether something is a number from `low` to `high`."""
    return isinstance(given, Real) and low <= float(given) <= high


def generator_of(name: str, random_state: Any) -> np.random.Generator:
    """Return NumPy's generator for a seed, a `RandomState` or a generator, or raise BadOption."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise BadOption(
            f"{name} is None, an integer from 0, or a generator of NumPy, not {random_state!r}"
        ) from error
