"""Thresholding: keep the k keys of largest magnitude, for which Alabi et al. 2012 need selection.

Iterative algorithms of compressed sensing do this in every step (Blumensath and Davies 2010). With
a sort, it would take most of their time.
"""

from typing import Any, Literal, overload

import numpy.typing as npt

from modern.arrays import OnDevice, served
from modern.primitives.top_keys import MAGNITUDE, count_of, top_keys
from shadersort.errors import BadOption, choices
from shadersort.keys.types import Keys
from shadersort.selection.driver import selected

Kind = Literal["hard", "soft"]
KINDS: tuple[Kind, ...] = ("hard", "soft")


@overload
def threshold(x: npt.ArrayLike, k: int, *, kind: Kind = ...) -> Keys: ...


@overload
def threshold(x: OnDevice, k: int, *, kind: Kind = ...) -> Any: ...


def threshold(x: npt.ArrayLike | OnDevice, k: int, *, kind: Kind = "hard") -> Any:
    """Return a copy of the keys in which all but the k of largest magnitude are zero.

    Exactly k keys are kept. Among keys with the magnitude of the k-th, those at the lowest places
    are kept. A NaN has a larger magnitude than any number. "hard" keeps the k keys bit for bit.
    "soft" moves them towards zero by the threshold, which is the largest magnitude that is not kept
    (0 if all are kept): `sign(x) · (|x| − threshold)`. A kept key of exactly that magnitude becomes
    zero too, so it does not matter which of equal magnitudes are kept.

    The magnitudes are written, and one of them is selected. Then one read of the keys writes the
    result over the magnitudes. One more read finds the first of equal magnitudes, if only some of
    them are kept. The function needs the memory of `select` beside input and result, and a copy of
    strided keys; without a GPU also 33 bytes for each of 2**24 keys.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, or integers. It is not changed. An array on a
        GPU stays there, and the result is a CuPy array on the same device.
    k
        How many keys are kept, from 0 to all.
    kind
        "hard" or "soft".

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        These keys cannot be selected from.
    BadCount, BadRank, BadOption
        There are fewer than k keys, k is no integer, or there is no such kind.

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
        # "soft" subtracts the largest magnitude that is not kept: the rank before the k-th
        last, counts = selected(sizes, others - 1 if soft else others)
        if soft and last == last:
            count = counts.above  # equal magnitudes become zero, whichever are kept
        top = top_keys(keys, MAGNITUDE, last, counts, count)
        own = keys.dtype.kind != "u"  # magnitudes of unsigned keys are the keys themselves
        written = sizes.keys.view(keys.dtype) if own else xp.empty_like(keys.keys)
        return keys.thresholded(top, last if soft else None, written)
