"""Arrays of any shapes and strides as one sequence of keys, which are read piece by piece.

The arrays are not joined: a piece is a view of at most so many keys of one array, and pieces come
in the order of the arrays and of their places (the last axis fastest).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shadersort.arrays import Home
from shadersort.errors import UnsupportedKeys
from shadersort.keys.stand_ins import back, is_bfloat16, stand_in_of
from shadersort.keys.types import Integers
from shadersort.selection.primitives.one_read import sampled_places
from shadersort.selection.thresholds import check_magnitudes
from shadersort.selection.top_keys import magnitudes

CACHED = 1 << 17
"""Keys of a piece on a CPU."""

LARGE = 1 << 26
"""Keys of a piece on a GPU."""


@dataclass(frozen=True)
class Parts:
    """Arrays whose keys are compared by magnitude, all in one type.

    Attributes
    ----------
    home
        Where the arrays are.
    arrays
        The arrays, of the home's library.
    dtype
        The type that holds the keys of all of them exactly.
    """

    home: Home
    arrays: Sequence[Any]
    dtype: np.dtype[Any]

    @cached_property
    def size(self) -> int:
        """How many keys there are."""
        return sum(each.size for each in self.arrays)

    @property
    def nan(self) -> int:
        """The code of a NaN's magnitude, above all others; of integers, the largest code."""
        if self.dtype.kind != "f":
            return (1 << 8 * self.dtype.itemsize) - 1
        infinity = np.array(np.inf, self.dtype).view(f"u{self.dtype.itemsize}")
        return int(infinity) + 1

    def pieces(self, *others: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield each piece, with the same pieces of other arrays of the same shapes."""
        most = CACHED if self.home.xp is np else LARGE
        for together in zip(self.arrays, *others, strict=True):
            yield from _pieces(together, most)

    def widened(self, piece: Any) -> Any:
        """Return keys in the common type, exactly."""
        stand_in = stand_in_of(piece.dtype)
        keys = piece if stand_in is None else stand_in.of(piece)
        return keys.astype(self.dtype, copy=False)

    def narrowed(self, keys: Any, dtype: np.dtype[Any]) -> Any:
        """Return keys of the common type in that of an array, rounded."""
        return back(stand_in_of(dtype), keys.astype(compared_as(dtype), copy=False))

    def codes(self, piece: Any) -> Any:
        """Return the magnitudes of a piece as unsigned integers in their order.

        Those above `nan` belong to NaNs, too.
        """
        return magnitudes(self.widened(piece)).view(f"u{self.dtype.itemsize}")

    def sampled(self, count: int) -> Any:
        """Return the codes of a sample: one key from each of so many parts of all keys."""
        codes = self.home.steps.sampled(self.arrays, count)
        if codes is None:
            codes = self._at(sampled_places(self.size, 16, count))
        return self.home.xp.minimum(codes, codes.dtype.type(self.nan))

    def _at(self, places: Integers) -> Any:
        """Return the codes of the keys at some places, which ascend."""
        starts = np.cumsum([0, *(each.size for each in self.arrays)])
        ends = np.searchsorted(places, starts)
        xp, found = self.home.xp, []
        for number, array in enumerate(self.arrays):
            here = places[ends[number] : ends[number + 1]] - starts[number]
            if not here.size:
                continue
            if array.flags.c_contiguous:
                found.append(self.codes(array.reshape(-1)[xp.asarray(here)]))
            else:  # without a copy of it all
                index = np.unravel_index(here, array.shape)
                found.append(self.codes(array[tuple(xp.asarray(each) for each in index)]))
        return xp.concatenate(found)


def parts_of(home: Home, arrays: Sequence[Any]) -> Parts:
    """Return arrays as parts; raise UnsupportedKeys unless their magnitudes can be compared.

    Arrays of floats may have different types. Others have to have the same.

    Examples
    --------
    >>> from shadersort.arrays import NumPyHome
    >>> parts_of(NumPyHome(), [np.zeros(2, np.float16), np.zeros((3, 1))]).dtype
    dtype('float64')
    """
    kinds = [compared_as(each.dtype) for each in arrays]
    if len(set(kinds)) > 1 and any(kind.kind != "f" for kind in kinds):
        names = ", ".join(sorted({str(each.dtype) for each in arrays}))
        raise UnsupportedKeys(f"magnitudes of {names} are not compared: use one type, or floats")
    return Parts(home, arrays, np.result_type(*kinds) if kinds else np.dtype(np.float64))


def compared_as(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type in which keys are compared, in native byte order."""
    check_magnitudes(dtype)
    if is_bfloat16(dtype):
        return np.dtype(np.float32)
    if dtype.kind == "b":
        return np.dtype(np.uint8)
    if dtype.kind not in "fiu" or dtype.itemsize > 8:
        raise UnsupportedKeys(
            f"keys of {dtype} cannot be thresholded: use floats of 16 to 64 bits, or integers"
        )
    return dtype.newbyteorder("=")


def _pieces(together: tuple[Any, ...], most: int) -> Iterator[tuple[Any, ...]]:
    """Yield pieces of arrays of one shape: flat ones if all of them are contiguous."""
    first = together[0]
    if not first.size:
        return
    if all(each.flags.c_contiguous for each in together):
        flat = [each.reshape(-1) for each in together]
        for start in range(0, first.size, most):
            yield tuple(each[start : start + most] for each in flat)
        return
    step = most // max(first.size // len(first), 1)
    if step or first.ndim == 1:
        for start in range(0, len(first), max(step, 1)):
            yield tuple(each[start : start + max(step, 1)] for each in together)
        return
    for place in range(len(first)):
        yield from _pieces(tuple(each[place] for each in together), most)
