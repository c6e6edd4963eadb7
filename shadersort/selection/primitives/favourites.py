"""Favourites: two codes that a sample often shows in a cell, found by votes instead of a sort.

Rounded data have few different keys, and each of them may fill its cell. Keys that equal a
favourite of their cell are counted and need not be staged. The kernels take the same favourites
(modern/kernels/votes.cuh and crowded.cuh).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers

Codes = npt.NDArray[np.uint64]

VOTES = 8
"""Hashes that the codes of a cell vote for."""

STEP = 0x9E3779B97F4A7C15
"""Codes are multiplied by this; the upper bits of the product are their hash."""


def hashes_of(codes: Codes) -> Integers:
    """Return the hash of each code, below `VOTES`.

    Examples
    --------
    >>> hashes_of(np.arange(4, dtype=np.uint64)).tolist()
    [0, 4, 1, 6]
    """
    return (codes * np.uint64(STEP) >> np.uint64(65 - VOTES.bit_length())).astype(np.int64)


def unfavoured(codes: Codes) -> int:
    """Return how many codes of a cell have neither of its two most frequent hashes.

    Examples
    --------
    >>> unfavoured(np.uint64([7, 7, 7, 8, 9, 9]))
    1
    """
    votes = np.bincount(hashes_of(codes), minlength=VOTES)
    return int(np.sort(votes)[:-2].sum())


def favourites(sample: Codes, of: Integers, count: int, last: int) -> npt.NDArray[np.uint64]:
    """Return two codes, in order, for each of `count` cells.

    `of` says in which cell each code of the sample is, or −1; `last` is the largest code. One code
    of each of the two most frequent hashes is taken: the one whose place in the sample is largest
    when its bits are read in reverse. If there is only one hash, any other code is the second.

    Examples
    --------
    >>> favourites(np.uint64([5, 9, 9, 9, 5, 7]), np.array([0, 0, 0, 0, 0, 1]), 2, 99).tolist()
    [[5, 9], [7, 99]]
    """
    chosen = np.zeros((count, 2), np.uint64)
    chosen[:, 1] = last
    here = np.flatnonzero(of >= 0)
    hashes, drawn = hashes_of(sample[here]), reversed_bits(here + 1)
    votes = np.zeros((count, VOTES), np.int64)
    np.add.at(votes, (of[here], hashes), 1)
    winners = np.argsort(votes * VOTES + np.arange(VOTES), axis=1)[:, :-3:-1]
    picked = np.zeros((count, VOTES), np.int64)
    np.maximum.at(picked, (of[here], hashes), drawn)
    places = reversed_bits(np.take_along_axis(picked, winners, axis=1)) - 1
    for cell, (first, second) in enumerate(places.tolist()):
        if first < 0:
            continue
        one = int(sample[first])
        other = int(sample[second]) if second >= 0 else (0 if one == last else last)
        chosen[cell] = min(one, other), max(one, other)
    return chosen


def reversed_bits(words: Any) -> Integers:
    """Return words of 32 bits with their bits in reverse.

    Examples
    --------
    >>> reversed_bits(np.array([1, 1 << 31])).tolist()
    [2147483648, 1]
    """
    found = np.zeros_like(words)
    for bit in range(32):
        found |= (words >> bit & 1) << (31 - bit)
    return np.asarray(found)
