"""Quickselect by a single thread, as Beliakov 2011 measured it: alternative 3 of section II.

The keys do not leave the GPU, and one of its thousands of threads does all the work. That is a
hundred times slower than any other method, and shows what a GPU is not made for.
"""

import warnings

from shadersort.errors import TooManyKeys
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.selection import Selection

MOST = 1 << 22
"""More keys are refused unless the option `most` allows them; this many take a second."""

SLOW = 1 << 17
"""From this many keys on, a warning says that the method is slow."""


def quickselect_serial(selection: Selection, *, most: int = MOST, seed: int = 0) -> Key:
    """Divide the keys at random pivots, drawn with a `seed`, in one thread, until one is left.

    Warns (RuntimeWarning) from 2**17 keys on, and refuses more than `most` (TooManyKeys).
    """
    if selection.n > most:
        raise TooManyKeys(
            f"{selection.n} keys are too many for one thread, which takes {most} at most: pass "
            f"most={selection.n} if it shall, or choose another method"
        )
    if selection.n >= SLOW:
        warnings.warn(
            f"one thread selects from {selection.n} keys, slowly and on purpose: "
            "any other method is faster",
            RuntimeWarning,
            stacklevel=2,
        )
    answer = selection.keys.quickselect_serial(selection.k, seed % (1 << 64))
    selection.record("one thread", candidates=1)
    return answer


METHOD = Method("quickselect-serial", quickselect_serial, needs=("quickselect_serial",))
