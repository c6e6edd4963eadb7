"""Whether arrays share memory: results must not change keys that are still to be read."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shadersort.errors import BadOption


def check_apart(xp: Any, results: Sequence[Any], arrays: Sequence[Any]) -> None:
    """Raise BadOption unless each result is its own array, or shares no memory with any other.

    Examples
    --------
    >>> x = np.arange(4.0)
    >>> check_apart(np, [x], [x])
    >>> check_apart(np, [x[:3]], [x[1:]])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    shadersort.errors.BadOption: array 0 of out shares memory with array 0 of x: ...
    """
    every = [*results, *arrays]
    for first, second in _overlapping(every):
        one, other = sorted((first, second))
        its_own = other == one + len(results) and _is_same(every[one], every[other])
        if one < len(results) and not its_own and xp.shares_memory(every[one], every[other]):
            whose = "out" if other < len(results) else "x"
            raise BadOption(
                f"array {one} of out shares memory with array {other % len(results)} of {whose}: "
                "pass each array once, and as out the same arrays or others"
            )


def start_of(array: Any) -> int:
    """Return the address of an array's first key."""
    return int(array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr)


def _overlapping(arrays: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of arrays whose ranges of addresses overlap, in pairs."""
    spans = sorted((*_span(each), number) for number, each in enumerate(arrays) if each.size)
    for place, (_, end, number) in enumerate(spans):
        for other in range(place + 1, len(spans)):
            if spans[other][0] >= end:
                break
            yield number, spans[other][2]


def _span(array: Any) -> tuple[int, int]:
    """Return the first address of an array, and the address behind its last byte."""
    start = start_of(array)
    if array.flags.c_contiguous:
        return start, start + array.nbytes
    steps = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    low, high = sum(min(step, 0) for step in steps), sum(max(step, 0) for step in steps)
    return start + low, start + high + array.itemsize


def _is_same(one: Any, other: Any) -> bool:
    """Whether two arrays of one shape are the same memory, key by key."""
    return start_of(one) == start_of(other) and one.strides == other.strides
