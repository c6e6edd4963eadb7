"""What thresholding means, for one array and for several: its kinds, and how keys are shrunk."""

from typing import Any, Literal

import numpy as np

from shadersort.errors import BadOption, UnsupportedKeys, choices
from shadersort.keys.types import Key, Keys, Mask
from shadersort.selection.rows.first import find_first
from shadersort.selection.rows.ranks import find_ranks
from shadersort.selection.top_keys import magnitudes

Kind = Literal["hard", "soft"]
KINDS: tuple[Kind, ...] = ("hard", "soft")


def check_kind(kind: str) -> None:
    """Raise BadOption unless there is such a kind of thresholding."""
    if kind not in KINDS:
        raise BadOption(f"no kind of thresholding is called {kind!r}: use {choices(KINDS)}")


def check_magnitudes(dtype: np.dtype[Any]) -> None:
    """Raise UnsupportedKeys for keys that have no magnitude."""
    if dtype.kind in "mM":
        raise UnsupportedKeys(f"keys of {dtype} have no magnitude: pass keys.view(np.int64)")


def mask(keys: Keys, flags: Mask) -> Keys:
    """Return keys bit for bit where the flags are set, and zero elsewhere.

    Bits are multiplied by 0 or 1, without branches: many times as fast as a choice.

    Examples
    --------
    >>> mask(np.array([5.0, np.inf]), np.array([True, False]))
    array([5., 0.])
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

    Examples
    --------
    >>> cut(np.array([[3.0, -5.0, 1.0, -3.0]]), 2, False)
    array([[ 3., -5.,  0.,  0.]])
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
