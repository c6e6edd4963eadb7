"""Letters of 5 × 7 dots, to write in a window with: capitals, digits and a few signs."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

__all__ = ["ADVANCE", "HEIGHT", "bitmap", "width_of"]

HEIGHT, ADVANCE = 7, 6
"""Dots of a letter from top to bottom, and from one letter to the next."""

ROWS = """
A 0e 11 11 1f 11 11 11   B 1e 11 11 1e 11 11 1e   C 0e 11 10 10 10 11 0e   D 1e 11 11 11 11 11 1e
E 1f 10 10 1e 10 10 1f   F 1f 10 10 1e 10 10 10   G 0e 11 10 17 11 11 0f   H 11 11 11 1f 11 11 11
I 0e 04 04 04 04 04 0e   J 07 02 02 02 02 12 0c   K 11 12 14 18 14 12 11   L 10 10 10 10 10 10 1f
M 11 1b 15 15 11 11 11   N 11 19 15 13 11 11 11   O 0e 11 11 11 11 11 0e   P 1e 11 11 1e 10 10 10
Q 0e 11 11 11 15 12 0d   R 1e 11 11 1e 14 12 11   S 0f 10 10 0e 01 01 1e   T 1f 04 04 04 04 04 04
U 11 11 11 11 11 11 0e   V 11 11 11 11 11 0a 04   W 11 11 11 15 15 1b 11   X 11 11 0a 04 0a 11 11
Y 11 11 0a 04 04 04 04   Z 1f 01 02 04 08 10 1f   0 0e 11 13 15 19 11 0e   1 04 0c 04 04 04 04 0e
2 0e 11 01 06 08 10 1f   3 1f 02 04 02 01 11 0e   4 02 06 0a 12 1f 02 02   5 1f 10 1e 01 01 11 0e
6 06 08 10 1e 11 11 0e   7 1f 01 02 04 04 04 04   8 0e 11 11 0e 11 11 0e   9 0e 11 11 0f 01 02 0c
. 00 00 00 00 00 0c 0c   , 00 00 00 00 0c 04 08   : 00 0c 0c 00 0c 0c 00   · 00 00 00 0c 0c 00 00
- 00 00 00 1f 00 00 00   – 00 00 00 1f 00 00 00   / 01 01 02 04 08 10 10   ( 02 04 08 08 08 04 02
) 08 04 02 02 02 04 08   × 00 11 0a 04 0a 11 00   ? 0e 11 01 02 04 00 04
"""
"""A character, and its rows from the top: five bits each, the leftmost dot the highest."""

_TOKENS = ROWS.split()
DOTS = {
    _TOKENS[at]: np.array(
        [[int(row, 16) >> bit & 1 for bit in range(4, -1, -1)] for row in _TOKENS[at + 1 : at + 8]],
        np.uint8,
    )
    for at in range(0, len(_TOKENS), 8)
}


def width_of(text: str) -> int:
    """Return the dots from the left of a text to its right.

    Examples
    --------
    >>> width_of("MIN")
    17
    """
    return max(0, ADVANCE * len(text) - 1)


@lru_cache(maxsize=256)
def bitmap(text: str) -> npt.NDArray[np.uint8]:
    """Return the dots of a text, zeros and ones of shape (7, width); unknown letters are "?".

    Examples
    --------
    >>> for row in bitmap("Hi"):
    ...     print("".join(".#"[dot] for dot in row))
    #...#..###.
    #...#...#..
    #...#...#..
    #####...#..
    #...#...#..
    #...#...#..
    #...#..###.
    """
    dots = np.zeros((HEIGHT, width_of(text)), np.uint8)
    for i, letter in enumerate(text.upper()):
        if letter != " ":
            dots[:, ADVANCE * i : ADVANCE * i + 5] = DOTS.get(letter, DOTS["?"])
    return dots
