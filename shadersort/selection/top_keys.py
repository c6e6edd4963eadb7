"""Top keys and thresholds: orders in which keys come first, their codes, and how keys are shrunk.

An order is given by codes, unsigned integers whose smallest values come first. Denormals are
compared exactly, −0.0 equals 0.0, and all NaNs are equal.
"""

import operator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, BadRank, UnsupportedKeys, choices
from shadersort.keys.codes import encode, magnitudes
from shadersort.keys.types import Key, Keys, Mask
from shadersort.selection.rows.partition import find_first, find_ranks

LARGEST, SMALLEST, MAGNITUDE = range(3)
"""Orders: the largest keys first, the smallest first, or the largest magnitudes first."""

Kind = Literal["hard", "soft"]
KINDS: tuple[Kind, ...] = ("hard", "soft")


def count_of(k: Any, n: int) -> int:
    """Return k as a number of keys, from 0 to n; raise BadRank or BadOption if it is none."""
    try:
        count = operator.index(k)
    except TypeError as error:
        raise BadRank(f"k is an integer, the number of keys, not {k!r}") from error
    if not 0 <= count <= n:
        raise BadOption(f"of {n} keys 0 to {n} can be taken, not {count}")
    return count


def order_codes(keys: npt.NDArray[Any], by: int) -> npt.NDArray[Any]:
    """Return the codes of keys in an order.

    Examples
    --------
    >>> order_codes(np.uint8([0, 3, 255]), LARGEST)
    array([255, 252,   0], dtype=uint8)
    >>> order_codes(np.int8([-128, 3, -1]), MAGNITUDE)
    array([127, 252, 254], dtype=uint8)
    """
    codes = encode(magnitudes(keys) if by == MAGNITUDE else keys)
    return codes if by == SMALLEST else ~codes


def check_kind(kind: str) -> None:
    """Raise BadOption unless there is such a kind of thresholding."""
    if kind not in KINDS:
        raise BadOption(f"no kind of thresholding is called {kind!r}: use {choices(KINDS)}")


def check_magnitudes(dtype: np.dtype[Any] | str) -> None:
    """Raise UnsupportedKeys for keys that have no magnitude; types that NumPy has not are names."""
    if not isinstance(dtype, str) and dtype.kind in "mM":
        raise UnsupportedKeys(f"keys of {dtype} have no magnitude: pass keys.view(np.int64)")


def mask(keys: Keys, flags: Mask) -> Keys:
    """Return keys bit for bit where the flags are set, and zero elsewhere.

    Bits are multiplied by 0 or 1, without branches: many times as fast as a choice.
    """
    bits = np.dtype(f"u{keys.itemsize}")
    found: Keys = keys.view(bits) * flags.astype(bits)
    return found.view(keys.dtype)


def shrink(kept: Keys, level: Key | Keys) -> Keys:
    """Move keys towards zero by a magnitude; keys that are no larger become zero. NaNs stay.

    Examples
    --------
    >>> shrink(np.array([5, -5, 1], np.int8), np.uint8(2))
    array([ 3, -3,  0], dtype=int8)
    """
    step, nans = level.view(kept.dtype), kept != kept
    with np.errstate(invalid="ignore", over="ignore"):
        if kept.dtype.kind == "f":
            moved = kept - np.copysign(step, kept)
        else:  # if it is no signed integer, no key is larger
            moved = np.where(kept < 0, kept + step, kept - step)
    found = mask(moved, (magnitudes(kept) > level) & ~nans)
    np.copyto(found, kept, where=nans)
    return found


def cut(rows: Keys, count: int, soft: bool) -> Keys:
    """Return rows (rows, length) with zero for all but `count` keys of largest magnitude in each.

    The rules are those of `Rows.threshold`.
    """
    length = rows.shape[1]
    if count in (0, length):
        return mask(rows, np.full(rows.shape, count > 0))
    rows = np.ascontiguousarray(rows)
    sizes = magnitudes(rows)
    if soft:
        level = find_ranks(sizes, [length - count - 1])[0][:, None]
        moved, lost = shrink(rows, level), level != level
        if not lost.any():
            return moved
        rows = np.where(lost, rows, moved)  # of more NaNs than are kept, the first ones are kept
    found, places = np.zeros(rows.shape, rows.dtype), find_first(sizes, count, in_order=False)
    found.reshape(-1)[places] = rows.reshape(-1)[places]
    return found
