"""What primitives answer: small values, each from one pass over the keys."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shadersort.errors import AnswerRefuted
from shadersort.keys.types import Integers, Key, Keys


class Counts(NamedTuple):
    """How many of all keys are below a pivot, equal to it, and above it.

    Examples
    --------
    >>> Counts(below=3, equal=2, above=5).prove(4)
    True
    """

    below: int
    equal: int
    above: int

    @classmethod
    def of(cls, below: int, equal: int, n: int) -> "Counts":
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
        """Count among keys in order.

        Examples
        --------
        >>> Ranked.look_up(np.array([1, 3, 3]), np.array([3]))
        Ranked(keys=array([3]), below=array([1]), equal=array([2]))
        """
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
    """Counts at a pivot, and the two sums that make up objective (2) of Beliakov 2011.

    The counts are of all keys. The sums are those of the distances to the pivot, of the finite keys
    below it and above it in a window. They are in double precision: guesses.
    """

    counts: Counts
    below: float
    above: float


@dataclass(slots=True)
class Traffic:
    """What primitives moved so far; all copies of the same keys share one `Traffic`.

    `passes` are calls that read the keys. `read` and `written` are keys; a key counts each time.
    """

    passes: int = 0
    read: int = 0
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
    # whether `one_read` is one launch: `auto` prefers it then, and methods end by it
    launch: bool = False
    few: int = 1 << 12  # methods stop dividing at this many keys; of far keys no more are sorted
    digit: int = 4  # bits in a digit
    buckets: int = 1 << 10  # in a round of `bucket`
    samples: int = 1 << 10  # keys in a sample
    counters: int = 1 << 16  # the largest number of counters in a histogram
    far: bool = False
    room: int = 0  # keys that copies of far keys can hold together; larger ones read all keys again


def gap(upper: Key, lower: Key) -> float:
    """Return upper − lower of two keys in double precision; infinity if the difference overflows.

    Integers are subtracted exactly first.

    Examples
    --------
    >>> gap(np.int64(2**63 - 1), np.int64(2**63 - 2)), gap(np.int8(127), np.int8(-128))
    (1.0, 255.0)
    >>> gap(np.float64(1e308), np.float64(-1e308))
    inf
    """
    if upper.dtype.kind == "f":
        return float(upper) - float(lower)
    return float(int(upper) - int(lower))


def check_count(found: int, count: int | None) -> None:
    """Raise `AnswerRefuted` if the number of copied keys is not the number counted before."""
    if count is not None and found != count:
        raise AnswerRefuted(f"{found} keys were copied, but {count} were counted: did they change?")
