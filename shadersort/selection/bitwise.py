"""Bitwise: build the answer's code bit by bit, the highest first, by one count a bit.

A bit belongs to the answer if no more than k keys are below the code that has it and no lower one.
The method is that of Govindaraju, Lloyd, Wang, Lin and Manocha, "Fast computation of database
operations using graphics processors", SIGMOD 2004, where each count is one occlusion query. The
paper's keys were integers of 24 bits at most; codes extend it to every type, floats included.

It takes as many counts as a key has bits, whatever the keys are: 16, 32 or 64.
"""

from shadersort.primitives import Key
from shadersort.primitives.codes import key
from shadersort.selection.method import Method
from shadersort.selection.run import Run

__all__ = ["METHOD", "bitwise"]


def bitwise(run: Run) -> Key:
    """Count once a bit."""
    dtype = run.keys.dtype
    answer, before, until = 0, 0, run.n
    for bit in reversed(range(8 * dtype.itemsize)):
        pivot = key(answer | 1 << bit, dtype)
        below = run.keys.below(pivot)
        if below <= run.k:
            answer, before = answer | 1 << bit, below
        else:
            until = below
        run.record("bit", pivot=pivot, candidates=until - before)
    return key(answer, dtype)


METHOD = Method("bitwise", bitwise, needs=("counts",))
