"""Bitwise: build the answer's code bit by bit, the highest first, by one count a bit.

A bit belongs to the answer if no more than k keys are below the code that has it and no lower one.
The method is that of Govindaraju, Lloyd, Wang, Lin and Manocha, "Fast computation of database
operations using graphics processors", SIGMOD 2004, where each count is one occlusion query. The
paper's keys were integers of 24 bits at most; codes extend it to every type, floats included.

It takes as many counts as a key has bits, whatever the keys are: 16, 32 or 64. Where copying is
cheap and keys are many, it begins with the first bit in which two keys differ, and goes on in
copies of the keys that begin with the bits told so far; few of them are sorted. A device that ranks
by itself takes over where many bits in a row tell little.
"""

import numpy as np

from shadersort.keys.codes import code, key
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.search import SHRUNK, Headway
from shadersort.selection.selection import Selection

__all__ = ["METHOD", "bitwise"]

PATIENCE = 8
"""Keys may share that many bits in the middle: exponents are of 5, 8 or 11."""


def bitwise(selection: Selection) -> Key:
    """Count once a bit."""
    dtype, keys, left_out = selection.keys.dtype, selection.keys, 0
    bits, answer = _shared(selection) if selection.few else (8 * dtype.itemsize, 0)
    before, until, k = 0, selection.n, np.array([selection.k])
    headway = Headway(selection.n, PATIENCE)
    for bit in reversed(range(bits)):
        pivot = key(answer | 1 << bit, dtype)
        below = left_out + keys.below(pivot)
        if below <= selection.k:
            answer, before = answer | 1 << bit, below
        else:
            until = below
        candidates = until - before
        selection.record("bit", pivot=pivot, candidates=candidates)
        if selection.few and (SHRUNK * candidates <= keys.size or candidates <= selection.few):
            keys, left_out = keys.with_prefixes([answer >> bit], bit, count=candidates), before
            selection.record("compact")
            if candidates <= selection.few:
                return selection.ranked(keys, k, k - before)[0]
        if headway.lost(candidates) and selection.few and selection.keys.tuning.ranks:
            return selection.ranked(keys, k, k - left_out)[0]
    return key(answer, dtype)


def _shared(selection: Selection) -> tuple[int, int]:
    """Return how many bits of the codes are not the same in all keys, and a code of the others."""
    extent = selection.extent
    if extent.finite < selection.n:
        return 8 * selection.keys.dtype.itemsize, 0
    low, high = code(extent.low), code(extent.high)
    bits = (low ^ high).bit_length()
    return bits, low >> bits << bits


METHOD = Method("bitwise", bitwise, needs=("counts",))
