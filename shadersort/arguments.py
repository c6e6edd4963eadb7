"""Checks of arguments that several rooms have: whole numbers, numbers of a range, and seeds."""

import operator
from numbers import Real
from typing import Any

import numpy as np

from shadersort.errors import BadCount, BadOption, ShadersortError


def whole_number(
    name: str, given: Any, *, least: int = 1, error: type[ShadersortError] = BadCount
) -> int:
    """Return an integer of at least so much, or raise an error.

    Examples
    --------
    >>> whole_number("trials", np.int8(3))
    3
    >>> whole_number("trials", 2.5)
    Traceback (most recent call last):
    ...
    shadersort.errors.BadCount: trials is an integer, and must be 1 at least, not 2.5
    """
    try:
        number = operator.index(given)
    except TypeError:
        number = None
    if number is None or number < least:
        raise error(f"{name} is an integer, and must be {least} at least, not {given!r}")
    return number


def is_between(given: Any, low: float, high: float) -> bool:
    """Whether something is a number of a range, whose ends belong to it.

    Examples
    --------
    >>> is_between(0.5, 0.5, 1), is_between("0.7", 0.5, 1), is_between(float("nan"), 0.5, 1)
    (True, False, False)
    """
    return isinstance(given, Real) and low <= float(given) <= high


def generator_of(name: str, random_state: Any) -> np.random.Generator:
    """Return a generator: of a seed, of a `RandomState`, or the one that is given.

    Raises BadOption for anything else.

    Examples
    --------
    >>> generator_of("seed", 3).integers(10) == generator_of("seed", 3).integers(10)
    np.True_
    """
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise BadOption(
            f"{name} is None, an integer from 0, or a generator of NumPy, not {random_state!r}"
        ) from error
