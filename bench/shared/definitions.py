"""What the functions of `modern` have to answer, defined by a sort on the machine of the keys.

Nothing here is taken from the functions under test: keys are compared as unsigned integers in their
order, as `shadersort.keys.codes` describes them, and these are sorted by NumPy or CuPy.
"""

from functools import partial
from typing import Any

import numpy as np

from shadersort.keys.codes import key


class Definitions:
    """Some keys, and whether an answer about them is right. The keys are not changed."""

    def __init__(self, xp: Any, keys: Any) -> None:
        self.xp, self.keys = xp, keys
        self.ordered = xp.sort(codes_of(xp, keys))

    def are_keys(self, found: Any, ranks: Any) -> bool:
        """Return whether these are the keys of one rank or many: NaNs are last, and equal."""
        xp, given = self.xp, self.xp.asarray(found)
        if given.dtype != self.keys.dtype or given.shape != np.shape(ranks):
            return False
        expected = self.ordered[xp.asarray(ranks).reshape(-1)]
        return bool((codes_of(xp, given.reshape(-1)) == expected).all())

    def is_median(self, found: Any, *, of_numbers: bool) -> bool:
        """Return whether this is the mean of the two middle keys, as NumPy defines it.

        With `of_numbers` NaNs are left out; otherwise one NaN makes the median NaN.
        """
        dtype, count = self.keys.dtype, self.keys.size
        if dtype.kind == "f":
            count = int(self.xp.count_nonzero(self.ordered != _of_nan(self.ordered.dtype)))
        expected = np.mean(np.array([np.nan], dtype)) if dtype.kind == "f" else None
        if count == self.keys.size or (of_numbers and count):
            codes = self.ordered[(count - 1) // 2 : count // 2 + 1].tolist()
            with np.errstate(all="ignore"):
                expected = np.mean(np.array([key(each, dtype) for each in codes], dtype))
        assert expected is not None
        one, other = found.item(), expected.item()
        same = one == other or (one != one and other != other)
        return bool(same and found.dtype == expected.dtype)

    def is_top(self, found: Any, k: int, *, largest: bool) -> bool:
        """Return whether these are the first k keys of a stable sort, bit for bit, with places."""
        codes = codes_of(self.xp, self.keys)
        places = self.xp.argsort(~codes if largest else codes, kind="stable")[:k]
        right = found.indices.dtype == np.int64 and _equal(found.indices, places)
        return right and _equal(_bits(found.values), _bits(self.keys[places]))

    def is_threshold(self, found: Any, k: int, kind: str) -> bool:
        """Return whether only the k keys of largest magnitude are left: "hard" ones bit for bit."""
        expected = self.thresholded(k, kind)
        if found.dtype != expected.dtype:
            return False
        cast = _bits if kind == "hard" else partial(codes_of, self.xp)
        return _equal(cast(found), cast(expected))

    def thresholded(self, k: int, kind: str) -> Any:
        """Return the keys with all but k replaced by zero, and those moved if `kind` is "soft"."""
        if k == self.keys.size:
            return self.keys.copy()
        sizes = magnitudes(self.xp, self.keys)
        places = self.xp.argsort(~codes_of(self.xp, sizes), kind="stable")
        kept, beyond = places[:k], places[k : k + 1]
        result = self.xp.zeros_like(self.keys)
        result[kept] = self.keys[kept]
        if kind == "soft" and k:
            some = self.keys[kept], sizes[kept], sizes[beyond]
            hosted = (each.get() if hasattr(each, "get") else each for each in some)
            result[kept] = self.xp.asarray(_moved(*hosted))
        return result


def codes_of(xp: Any, keys: Any) -> Any:
    """Return unsigned integers in the order of the keys; −0.0 is 0.0, and every NaN the largest."""
    bits = _bits(keys)
    sign = bits.dtype.type(1 << (8 * keys.dtype.itemsize - 1))
    if keys.dtype.kind != "f":
        return bits if keys.dtype.kind == "u" else bits ^ sign
    codes = xp.where(bits & sign == 0, bits | sign, ~bits + bits.dtype.type(1))
    codes[xp.isnan(keys)] = _of_nan(bits.dtype)
    return codes


def magnitudes(xp: Any, keys: Any) -> Any:
    """Return |x|: of signed integers as unsigned ones, so that the least one has a magnitude."""
    bits = _bits(keys)
    if keys.dtype.kind == "f":  # CuPy's own functions take denormals of 32 bits for 0
        return (bits & bits.dtype.type(np.iinfo(bits.dtype).max >> 1)).view(keys.dtype)
    if keys.dtype.kind == "u":
        return bits
    return xp.where(keys < 0, ~bits + bits.dtype.type(1), bits)


def _moved(keys: Any, sizes: Any, beyond: Any) -> Any:
    """Return keys moved towards zero by the magnitude `beyond`; by NumPy, which keeps denormals."""
    with np.errstate(all="ignore"):
        moved = sizes - beyond
        if keys.dtype.kind == "f":
            moved = np.copysign(moved, keys)
            moved[sizes <= beyond] = 0
            return np.where(keys == keys, moved, keys)
        return np.where(keys < 0, ~moved + moved.dtype.type(1), moved).view(keys.dtype)


def _of_nan(dtype: Any) -> Any:
    """Return the code of every NaN."""
    return dtype.type(np.iinfo(dtype).max)


def _bits(keys: Any) -> Any:
    """Return the bit patterns of keys."""
    return keys.view(f"u{keys.dtype.itemsize}")


def _equal(some: Any, others: Any) -> bool:
    return bool(some.shape == others.shape and (some == others).all())
