"""Plain numbers in texts: digits with at most a sign and, for floats, a point.

An integer of at most 2**53 that is divided by at most 10**22 is rounded once, so the quotient is
the double nearest to the decimal.
"""

from typing import Any

import numpy as np

from shadersort.keys.types import Keys, Mask

NEWLINE, PLUS, MINUS, POINT, ZERO = np.frombuffer(b"\n+-.0", np.uint8)
AS_DIGITS = bytes(each if each in b"0123456789\n" else ZERO for each in range(256))
POWERS = 10.0 ** np.arange(23)  # of ten: those that a double holds


def plain_numbers(block: bytes, dtype: Any) -> tuple[Keys, Mask]:
    r"""Return lines as numbers, all at once, and which lines are plain; other numbers mean nothing.

    The type is an integer's or float64. Few lines of floats are plain if most have many digits.

    Examples
    --------
    >>> numbers, plain = plain_numbers(b"-12\n1e3\n\n007\n", np.dtype(np.int64))
    >>> numbers[plain], plain
    (array([-12,   7]), array([ True, False, False,  True]))
    """
    if dtype.kind == "f" and len(block) > 18 * (count := block.count(b"\n")):
        return np.zeros(count), np.zeros(count, np.bool_)
    letters = np.frombuffer(block, np.uint8)
    marks = np.flatnonzero(letters - ZERO > 9)  # all but digits
    last = np.flatnonzero(letters[marks] == NEWLINE)
    ends, points = marks[last], marks[last - 1]
    lengths = np.diff(ends, prepend=-1) - 1
    first = letters[ends - lengths]
    minus, pointed = first == MINUS, letters[points] == POINT
    others = np.diff(last, prepend=-1) - 1
    plain = (others - pointed == (minus | (first == PLUS))) & (lengths > others)
    digits = block.translate(AS_DIGITS, b"+-.")
    if not plain.all():  # a line without digits would be skipped
        digits = b"0" + digits.replace(b"\n", b"\n0")
    numbers = np.fromstring(digits, np.uint64, sep="\n")[: len(ends)]
    if dtype.kind != "f":
        low, high = np.iinfo(dtype).min, min(np.iinfo(dtype).max, (1 << 64) - 2)  # more is clipped
        plain &= ~pointed & (numbers <= np.where(minus, np.uint64(-low), np.uint64(high)))
        return np.where(minus, -numbers, numbers).astype(dtype), plain
    decimals = np.where(pointed, ends - points - 1, 0)
    plain &= (numbers <= 1 << 53) & (decimals < len(POWERS))
    keys = numbers / POWERS.take(decimals, mode="clip")
    return np.where(minus, -keys, keys), plain
