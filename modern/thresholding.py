"""Thresholding: keep the k keys of largest magnitude. It is what Alabi et al. 2012 select for.

Iterative algorithms of compressed sensing do this in every step (Blumensath and Davies 2010), and
sorting would be most of their time.
"""

from typing import Any

import numpy.typing as npt

from modern.arrays import served
from modern.primitives.choice import MAGNITUDE, choice_of
from modern.top_k import count_of
from shadersort.errors import BadOption, choices
from shadersort.selection.driver import located

__all__ = ["KINDS", "threshold"]

KINDS = ("hard", "soft")


def threshold(x: npt.ArrayLike, k: int, *, kind: str = "hard") -> Any:
    """Return a copy of the keys in which all but the k of largest magnitude are zero.

    Exactly k keys are kept: where several have the magnitude of the k-th, those at the lowest
    places. A NaN has a larger magnitude than any number. "hard" keeps them bit for bit. "soft"
    moves them towards zero by the threshold, the largest magnitude that is not kept (0 if all are):
    sign(x) · (|x| − threshold). So a kept key of just that magnitude becomes zero too, and no
    choice among ties can be seen.

    The magnitudes are written, and one of them is selected; then one read of the keys writes the
    result over them. One read more tells which keys come first, where only some of equals are kept.
    Beyond input and result that needs what `select` needs, and a copy of keys that are strided;
    without a GPU also 33 bytes for each of 2**24 keys.

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
        sizes, others = keys.magnitudes(), keys.size - count
        soft = kind == "soft"
        # what is taken off is the largest magnitude that is not kept, the one before the last
        last, counts = located(sizes, others - 1 if soft else others)
        if soft and last == last:
            count = counts.above  # equals of a number become zero, whichever are kept
        choice = choice_of(keys, MAGNITUDE, last, counts, count)
        own = keys.dtype.kind != "u"  # magnitudes of unsigned keys are the keys themselves
        written = sizes.keys.view(keys.dtype) if own else xp.empty_like(keys.keys)
        return keys.kept(choice, last if soft else None, written)
