"""Bitwise: build the code of the answer bit by bit, from the highest bit, by one count a bit.

A bit belongs to the answer if at most k keys are below the code that has this bit and no lower bit.
This is the method of Govindaraju, Lloyd, Wang, Lin and Manocha, "Fast computation of database
operations using graphics processors", SIGMOD 2004, where each count is one occlusion query. The
keys of that paper were integers of at most 24 bits; codes extend the method to every type.

With many keys, and where copying is cheap, it begins with the first bit in which two keys differ,
and continues in copies of the keys that begin with the known bits, until few are left.
"""

import numpy as np

from shadersort.keys.codes import key
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.methods.radix import shared_bits
from shadersort.selection.methods.searches.search import SHRUNK
from shadersort.selection.selection import Selection


def bitwise(selection: Selection) -> Key:
    """Count once a bit."""
    dtype, keys, left_out = selection.keys.dtype, selection.keys, 0
    bits, prefix = 8 * dtype.itemsize, 0
    if selection.few and selection.extent.finite == selection.n:
        bits, prefix, _ = shared_bits(selection.extent)
    answer = prefix << bits
    before, until, k = 0, selection.n, np.array([selection.k])
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
                return selection.finish(keys, k, k - before)[0]
    return key(answer, dtype)


METHOD = Method("bitwise", bitwise)
