"""Lesson 2: the inputs that prove that a network sorts."""

import numpy as np

from shadersort.keys.types import Keys


def zeros_and_ones(n: int) -> Keys:
    """Return every input of n zeros and ones, in the order of binary numbers.

    Examples
    --------
    >>> zeros_and_ones(2)
    array([[0, 0],
           [0, 1],
           [1, 0],
           [1, 1]])
    """
    return np.arange(1 << n)[:, np.newaxis] >> np.arange(n)[::-1] & 1
