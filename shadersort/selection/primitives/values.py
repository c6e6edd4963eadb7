"""What primitives answer: small values, each from one pass over the keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from shadersort.errors import AnswerRefuted
from shadersort.keys.types import Integers, Key, Keys

Ranks: TypeAlias = Sequence[int] | Integers


class Counts(NamedTuple):
    """How many of all keys are below a pivot, equal to it, and above it."""

    below: int
    equal: int
    above: int

    @classmethod
    def complete(cls, below: int, equal: int, n: int) -> "Counts":
        """Return the counts at a pivot among n keys."""
        return cls(below, equal, n - below - equal)

    def prove(self, k: int) -> bool:
        """Whether the pivot is the k-th key, counted from zero."""
        return self.below <= k < self.below + self.equal


class Ranked(NamedTuple):
    """Keys of some ranks, how many keys are below each of them, and how many equal it."""

    keys: Keys
    below: Integers
    equal: Integers

    @classmethod
    def look_up(cls, ordered: Keys, keys: Keys) -> "Ranked":
        """Count among keys in order."""
        below, upto = (np.searchsorted(ordered, keys, side) for side in ("left", "right"))
        return cls(keys, below, upto - below)


@dataclass(frozen=True, slots=True)
class Extent:
    """What one reduction says of all keys; all integers are finite."""

    low: Key  # the smallest and the largest finite key; without meaning if `finite` is 0
    high: Key
    total: float  # the sum of the finite keys in double precision: it may round and overflow
    finite: int  # how many keys are of each kind
    minus_infinite: int = 0
    plus_infinite: int = 0
    nans: int = 0


class Objective(NamedTuple):
    """Counts of all keys at a pivot, and the sums of objective (2) of Beliakov 2011, in doubles.

    The sums are those of the distances to the pivot, of finite keys below and above it in a window.
    """

    counts: Counts
    below: float
    above: float


@dataclass(slots=True)
class Traffic:
    """What primitives moved so far; all copies of the same keys share one `Traffic`."""

    passes: int = 0  # calls that read the keys
    read: int = 0  # keys; a key counts each time
    written: int = 0

    def add(self, read: int, written: int = 0) -> None:
        """Count one pass."""
        self.passes += 1
        self.read += read
        self.written += written


@dataclass(frozen=True, slots=True)
class Tuning:
    """What suits a device: the defaults of the methods' options.

    Far keys are in several places, where a call takes long, however few keys it reads. Their ranks
    are found together, by methods that make few calls.
    """

    copies: bool  # whether copying some keys costs little more than a read
    launch: bool = False  # whether `one_read` is one launch: `auto` and the ends of methods use it
    few: int = 1 << 12  # methods stop dividing at this many keys; of far keys no more are copied
    digit: int = 4  # bits in a digit
    buckets: int = 1 << 10  # in a round of `bucket`
    samples: int = 1 << 10  # keys in a sample
    counters: int = 1 << 16  # the largest number of counters in a histogram
    far: bool = False


def check_count(found: int, count: int | None) -> None:
    """Raise `AnswerRefuted` if the number of copied keys is not the number counted before."""
    if count is not None and found != count:
        raise AnswerRefuted(f"{found} keys were copied, but {count} were counted: did they change?")
