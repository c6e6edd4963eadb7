"""Thresholding: keep the k keys of largest magnitude. It is what Alabi et al. 2012 select for.

Iterative algorithms of compressed sensing do this in every step (Blumensath and Davies 2010), and
sorting would be most of their time.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from modern.arrays import served
from modern.codes import codes, magnitudes
from modern.extremes import count_of, first_places
from shadersort.errors import BadOption, choices
from shadersort.primitives import Key, Keys
from shadersort.primitives.codes import code
from shadersort.selection import select
from shadersort.selection.driver import adjacent

__all__ = ["KINDS", "shrink", "threshold"]

KINDS = ("hard", "soft")


def threshold(x: npt.ArrayLike, k: int, *, kind: str = "hard") -> Any:
    """Return a copy of the keys in which all but the k of largest magnitude are zero.

    Exactly k keys are kept: where several have the magnitude of the k-th, those at the lowest
    places. A NaN has a larger magnitude than any number. "hard" keeps them bit for bit. "soft"
    moves them towards zero by the threshold, the largest magnitude that is not kept (0 if all are):
    sign(x) · (|x| − threshold). So a kept key of just that magnitude becomes zero too, and no
    choice among ties can be seen.

    Beyond input and result that needs a copy of the magnitudes, and what `select` needs.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, or integers. It is not changed. An array on a
        GPU stays there, and the result is a CuPy array on the same device.
    k
        How many are kept, from 0 to all.
    kind
        "hard" or "soft".

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        There is nothing that can be selected from.
    BadCount, BadRank, BadOption
        There are not so many keys, k is no integer, or there is no such kind.

    Examples
    --------
    >>> threshold([3.0, -5.0, 1.0, -2.0], 2)
    array([ 3., -5.,  0.,  0.])
    >>> threshold([3.0, -5.0, 1.0, -2.0], 2, kind="soft")
    array([ 1., -3.,  0.,  0.])
    """
    if kind not in KINDS:
        raise BadOption(f"no kind of thresholding is called {kind!r}: use {choices(KINDS)}")
    with served(x) as (xp, keys):
        count = count_of(k, keys.size)
        if count in (0, keys.size):
            return keys.keys.copy() if count else xp.zeros_like(keys.keys)
        sizes = magnitudes(keys.keys)
        others = keys.size - count
        if kind == "hard":
            return _hard(xp, keys.keys, sizes, select(type(keys)(sizes), others), count)
        out, last = adjacent(type(keys)(sizes), others - 1)
        kept = _hard(xp, keys.keys, sizes, last, count)
        return shrink(kept, out) if xp is np else type(keys)(kept).shrunk(out)


def _hard(xp: Any, keys: Any, sizes: Any, last: Key, count: int) -> Any:
    """Keep so many keys: those with magnitudes above the last that is kept, and of that one."""
    pivot = np.array(code(last), f"u{sizes.dtype.itemsize}")[()]
    larger = codes(xp, sizes) > pivot
    kept = xp.where(larger, keys, keys.dtype.type(0))
    left = count - int(xp.count_nonzero(larger))
    ties = first_places(xp, sizes, lambda some: codes(xp, some) == pivot, left)
    kept[ties] = keys[ties]
    return kept


def shrink(kept: Keys, out: Key) -> Keys:
    """Move keys towards zero by a magnitude, and those that are no larger to zero.

    Examples
    --------
    >>> shrink(np.array([5, -5, 1], np.int8), np.uint8(2))
    array([ 3, -3,  0], dtype=int8)
    """
    step = np.asarray(out).view(kept.dtype)[()]  # where it is no signed integer, none is larger
    with np.errstate(invalid="ignore", over="ignore"):
        moved = np.where(kept < 0, kept + step, kept - step)
    stay = (magnitudes(kept) > out) | (kept != kept)
    return np.where(stay, moved, kept.dtype.type(0))
