"""Lesson 17: keys of a student's own: which versions take them, and which answers are right."""

import numpy as np

from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers, Keys
from shadersort.lessons.capstone import running

EXACT = 1 << 24
"""A float32 has every whole number up to this one."""

LIMIT = 1 << 31
"""A number of 32 bits is less than this one."""

CLOSE = 1e-6
"""Answers that are this close are the same: those by drawing are sums of float32."""


def fault(version: str, keys: Keys) -> str:
    """Return why "by_drawing" or "by_kernel" cannot take some keys; "" if it can.

    Examples
    --------
    >>> fault("by_kernel", np.array([1, 2, 3]))
    ''
    >>> fault("by_drawing", np.arange(6))
    'draws four keys in a texel, and 6 is no multiple of 4: leave out 2, or add 2'
    """
    if len(keys) == 0:
        return "needs one key at least"
    if keys.dtype.kind not in "iu":
        return (
            f"takes whole numbers, and these keys are of the type {keys.dtype}: try it with "
            "np.rint(1000 * keys).astype(int), and divide its answer by 1000"
        )
    drawn = version == "by_drawing"
    if drawn and (rest := len(keys) % CHANNELS):
        out = f"leave out {rest}, or add {CHANNELS - rest}"
        return f"draws four keys in a texel, and {len(keys):,} is no multiple of 4: {out}"
    most = EXACT if drawn else LIMIT - 1
    if int(keys.max()) > most or int(keys.min()) < -most:
        which = "a float32 has all of these" if drawn else "more does not fit in 32 bits"
        return f"takes keys from {-most:,} to {most:,}: {which}"
    return ""


def overflow(name: str, keys: Integers) -> str:
    """Return that a sum of a trimmed mean is too large for 32 bits; "" if it is not.

    Examples
    --------
    >>> overflow("trimmed mean", 10**9 * np.arange(8))
    'The sum of the keys between the ends is 7,000,000,000: `result` has numbers of 32 bits, which \
are less than 2,147,483,648'
    """
    if name != "trimmed mean":
        return ""
    low, high = running.prepared(name, keys).numbers
    total = int(keys[(low < keys) & (keys < high)].sum(dtype=np.int64))
    if -LIMIT <= total < LIMIT:
        return ""
    return (
        f"The sum of the keys between the ends is {total:,}: `result` has numbers of 32 bits, "
        f"which are less than {LIMIT:,}"
    )


def is_close(answer: float, right: float, keys: Keys) -> bool:
    """Whether an answer is right, but for the rounding of sums of keys of this size.

    Examples
    --------
    >>> is_close(499528.0001, 499528.0, np.arange(10**6)), is_close(0.0, 0.5, np.array([0.4, 0.6]))
    (True, False)
    """
    return bool(np.isclose(answer, right, rtol=CLOSE, atol=CLOSE * np.median(np.abs(keys))))
