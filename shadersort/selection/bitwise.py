"""Bitwise: build the answer's code bit by bit, the highest first, by one count a bit.

A bit belongs to the answer if no more than k keys are below the code that has it and no lower one.
The method is that of Govindaraju, Lloyd, Wang, Lin and Manocha, "Fast computation of database
operations using graphics processors", SIGMOD 2004, where each count is one occlusion query. The
paper's keys were integers of 24 bits at most; codes extend it to every type, floats included.

It takes as many counts as a key has bits, whatever the keys are: 16, 32 or 64. Where copying is
cheap and keys are many, it goes on in copies of the keys that begin with the bits told so far, and
few of them are sorted.
"""

import numpy as np

from shadersort.primitives import Key
from shadersort.primitives.codes import key
from shadersort.selection.method import Method
from shadersort.selection.run import Run
from shadersort.selection.search import SHRUNK

__all__ = ["METHOD", "bitwise"]


def bitwise(run: Run) -> Key:
    """Count once a bit."""
    dtype, keys, left_out = run.keys.dtype, run.keys, 0
    answer, before, until = 0, 0, run.n
    for bit in reversed(range(8 * dtype.itemsize)):
        pivot = key(answer | 1 << bit, dtype)
        below = left_out + keys.below(pivot)
        if below <= run.k:
            answer, before = answer | 1 << bit, below
        else:
            until = below
        candidates = until - before
        run.record("bit", pivot=pivot, candidates=candidates)
        if run.few and (SHRUNK * candidates <= keys.size or candidates <= run.few):
            keys, left_out = keys.with_prefixes([answer >> bit], bit, count=candidates), before
            run.record("compact")
            if candidates <= run.few:
                k = np.array([run.k])
                return run.ranked(keys, k, k - before)[0]
    return key(answer, dtype)


METHOD = Method("bitwise", bitwise, needs=("counts",))
