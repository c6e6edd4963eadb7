"""one-read, ours: the definition, in plain NumPy, of what one CUDA launch does.

A sample says between which two keys the answer almost certainly lies: the *bracket*. One read of
all keys counts those below and above it, and stages those inside. The counts prove whether the rank
is inside; if it is not, a bracket four times as wide is read.

Sampled selection goes back to Floyd and Rivest, "Expected time bounds for selection",
Communications of the ACM 18(3), 1975. Here the bracket ends at bins of histograms, which many
blocks find together faster than one block sorts. `modern/kernels/one_read/one_read.cu` takes the
same sample and makes the same decisions.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.codes import code
from shadersort.keys.limits import limits
from shadersort.keys.types import Integers
from shadersort.selection.primitives.sampling import FIRST, STEP

Codes = npt.NDArray[Any]

BITS = 12
"""Bits of a histogram, which two ranks share as long as they are in one range."""

WIDE = 4.5
"""The bracket's ends are this many standard errors away from the rank, on either side."""

ATTEMPTS = 2
"""Brackets that are tried before all keys are narrowed by histograms."""

SHARE = 512
"""An end of the bracket stands for at most 1 in this many keys of the sample, or is one code."""

LOAD = 16
"""Bytes that one thread reads at once, and so samples together."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """Two codes of numbers, both included, between which a rank should lie."""

    first: int
    last: int
    tied: bool  # whether many keys equal an end: they are then counted, and not staged

    def codes_inside(self, codes: Codes) -> Codes:
        """Return the codes that are staged."""
        return codes[(codes >= self.first + self.tied) & (codes <= self.last - self.tied)]


@dataclass(frozen=True, slots=True)
class OneRead:
    """What one-read found, and how."""

    code: int  # of the answer
    below: int  # how many keys are below it, and how many equal it
    equal: int
    sampled: int  # the size of the sample; 0 if all keys were staged
    bracket: Bracket | None  # the last bracket that was read; None without a sample
    inside: int  # how many keys it staged
    attempts: int  # how many brackets were tried
    readings: int  # how often all keys were read


@cache
def number_codes(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the codes of the first and the last number of a type; NaNs come after them."""
    least, most = limits(dtype)
    return code(least), code(most)


def sample_places(size: int, itemsize: int, threads: int, head: int = 0) -> Integers:
    """Return the places of a sample: of each thread one load, at a hashed place in its part.

    `head` keys stand before the first address that is a multiple of 16 bytes.
    """
    if not threads:
        return np.zeros(0, np.int64)
    each = LOAD // itemsize
    ends = np.arange(threads + 1, dtype=np.uint64) * np.uint64((size - head) // each)
    ends //= np.uint64(threads)
    mixed = np.arange(1, threads + 1, dtype=np.uint64) * np.uint64(STEP)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(FIRST)
    mixed ^= mixed >> np.uint64(27)
    jitter = (mixed >> np.uint64(32)) * np.diff(ends) >> np.uint64(32)
    loads = (ends[:-1] + jitter).astype(np.int64)
    return np.asarray(head + loads[:, np.newaxis] * each + np.arange(each)).ravel()


def sample_rank(rank: int, size: int, sampled: int, wide: float, side: int) -> int:
    """Return the rank in the sample that lies `wide` standard errors beside a rank of all keys.

    `side` is −1 or 1. A rank outside the sample gives the sample's size.

    Examples
    --------
    >>> [sample_rank(500, 1000, 100, 2.0, side) for side in (-1, 1)]
    [36, 64]
    """
    middle = rank * (sampled / size)
    spread = middle * (1 - middle / sampled)
    found = middle + side * (wide * np.sqrt(max(spread, 0.0)) + wide * wide)
    return int(found) if 0 <= found < sampled else sampled


@dataclass(slots=True)
class Range:
    """A range of codes that holds a rank, and how many of some codes are in it and before it."""

    first: int
    last: int
    here: int
    before: int = 0

    def narrow(self, codes: Codes, rank: int, bits: int) -> None:
        """Divide the range into at most 2**bits bins; keep the one that holds the rank."""
        shift = max((self.last - self.first).bit_length() - bits, 0)
        some = codes[(codes >= self.first) & (codes <= self.last)]
        bins = (some - codes.dtype.type(self.first)) >> codes.dtype.type(shift)
        counts = np.bincount(bins.astype(np.int64), minlength=1)
        ends = np.cumsum(counts)
        which = int(np.searchsorted(ends, rank - self.before, side="right"))
        self.first += which << shift
        self.last = min(self.first + (1 << shift) - 1, self.last)
        self.before += int(ends[which] - counts[which])
        self.here = int(counts[which])


def bracket(
    sample: Codes, rank: int, size: int, numbers: tuple[int, int], wide: float = WIDE
) -> Bracket:
    """Return the bracket of a rank among `size` keys, given the codes of a sample.

    `numbers` are the first and the last code of a number: codes above belong to NaNs.

    Examples
    --------
    >>> bracket(np.arange(0, 60_000, 10, dtype=np.uint16), 500, 1000, (0, 65_535))
    Bracket(first=28048, last=31951, tied=False)
    """
    most = (1 << 8 * sample.dtype.itemsize) - 1
    targets = [sample_rank(rank, size, sample.size, wide, side) for side in (-1, 1)]
    ranks = [targets[0] % sample.size, min(targets[1], sample.size - 1)]
    low, high = ends = [Range(0, most, sample.size) for _ in targets]
    heavy = sample.size // SHARE
    while any(end.here > heavy and end.first < end.last for end in ends):
        together = (low.first, low.last) == (high.first, high.last)
        for end, target in zip(ends, ranks, strict=True):
            end.narrow(sample, target, BITS - (not together))
    inside = [target < sample.size for target in targets]
    first = max(low.first, numbers[0]) if inside[0] else numbers[0]
    last = min(high.last, numbers[1]) if inside[1] else numbers[1]
    tied = any(here and end.here > heavy for here, end in zip(inside, ends, strict=True))
    if first > numbers[1]:
        return Bracket(numbers[1], numbers[1], tied=True)  # the rank is among NaNs
    return Bracket(first, last, tied)


def one_read(codes: Codes, rank: int, numbers: tuple[int, int], places: Integers) -> OneRead:
    """Return the code of a rank, by a sample at some places; with no places, all are staged.

    Examples
    --------
    >>> codes = np.random.default_rng(0).permutation(60_000).astype(np.uint32)
    >>> found = one_read(codes, 123, (0, 2**32 - 1), sample_places(60_000, 4, 500))
    >>> found.code, found.below, found.equal, found.readings
    (123, 123, 1, 1)
    """
    ends, inside, attempts = None, codes.size, 0
    while places.size and attempts < ATTEMPTS:
        ends = bracket(codes[places], rank, codes.size, numbers, WIDE * 4**attempts)
        inside = ends.codes_inside(codes).size
        attempts += 1
        if (answer := _look_up(codes, rank, numbers, ends)) is not None:
            return OneRead(*answer, places.size, ends, inside, attempts, attempts)
    answer = _partition(codes, rank)
    return OneRead(*answer, places.size, ends, inside, attempts, attempts + 1)


def _look_up(
    codes: Codes, rank: int, numbers: tuple[int, int], bracket: Bracket
) -> tuple[int, int, int] | None:
    """Return the answer, and the numbers of codes below and equal; None for a miss."""
    below = int(np.count_nonzero(codes < bracket.first))
    upto, known = (int(np.count_nonzero(codes <= end)) for end in (bracket.last, numbers[1]))
    if rank >= known:
        return (1 << 8 * codes.dtype.itemsize) - 1, known, codes.size - known
    if not below <= rank < upto:
        return None
    staged = bracket.codes_inside(codes)
    before = below + int(np.count_nonzero(codes == bracket.first)) * bracket.tied
    if rank < before:
        return bracket.first, below, before - below
    if rank >= before + staged.size:
        before += staged.size
        return bracket.last, before, upto - before
    return _partition(staged, rank - before, before)


def _partition(codes: Codes, rank: int, before: int = 0) -> tuple[int, int, int]:
    """Return the code of a rank, and how many codes are below it and equal."""
    code = np.partition(codes, rank)[rank]
    below, equal = np.count_nonzero(codes < code), np.count_nonzero(codes == code)
    return int(code), before + int(below), int(equal)
