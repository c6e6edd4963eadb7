"""What primitives answer: small values, each from one pass over the keys."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shadersort.keys.types import Integers, Key, Keys, Mask


def gap(upper: Key, lower: Key) -> float:
    """Return upper − lower of two keys in double precision; infinity if the difference overflows.

    Integers are subtracted exactly first.

    Examples
    --------
    >>> import numpy as np
    >>> gap(np.int64(2**63 - 1), np.int64(2**63 - 2)), gap(np.int8(127), np.int8(-128))
    (1.0, 255.0)
    >>> gap(np.float64(1e308), np.float64(-1e308))
    inf
    """
    if upper.dtype.kind == "f":
        return float(upper) - float(lower)
    return float(int(upper) - int(lower))


@dataclass(frozen=True, slots=True)
class Extent:
    """What one reduction says of all keys.

    Attributes
    ----------
    low, high
        The smallest and the largest finite key; without meaning if `finite` is 0.
    total
        The sum of the finite keys in double precision: a guess, which may round and overflow.
    finite, minus_infinite, plus_infinite, nans
        How many keys are of each kind. All integers are finite.
    """

    low: Key
    high: Key
    total: float
    finite: int
    minus_infinite: int = 0
    plus_infinite: int = 0
    nans: int = 0


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


@dataclass(frozen=True, slots=True)
class Objective:
    """Counts at a pivot, and the two sums that make up objective (2) of Beliakov 2011.

    Attributes
    ----------
    counts
        Of all keys.
    below, above
        Sums of the distances to the pivot, of the finite keys below it and above it that lie in
        the requested window. In double precision: guesses.
    """

    counts: Counts
    below: float
    above: float


class Ranked(NamedTuple):
    """Keys of some ranks, how many keys are below each of them, and how many equal it."""

    keys: Keys
    below: Integers
    equal: Integers

    @classmethod
    def among(cls, ordered: Keys, keys: Keys) -> "Ranked":
        """Count among keys in order.

        Examples
        --------
        >>> import numpy as np
        >>> Ranked.among(np.array([1, 3, 3]), np.array([3]))
        Ranked(keys=array([3]), below=array([1]), equal=array([2]))
        """
        below, upto = (np.searchsorted(ordered, keys, side) for side in ("left", "right"))
        return cls(keys, below, upto - below)


class Around(NamedTuple):
    """What is known of some ranks, and of the buckets that hold them.

    Attributes
    ----------
    buckets, before, inside
        The bucket of each rank, the number of keys before that bucket, and the number inside.
    copied
        Which ranks have had their bucket copied: the keys of these ranks are known.
    keys, below, equal
        The key of each of these ranks, how many keys are below it, and how many equal it.
    copies
        How many keys were copied. No key is copied twice.
    """

    buckets: Integers
    before: Integers
    inside: Integers
    copied: Mask
    keys: Keys
    below: Integers
    equal: Integers
    copies: int


@dataclass(slots=True)
class Traffic:
    """What primitives moved so far. All copies of the same keys share one `Traffic`.

    Attributes
    ----------
    passes
        Calls that read the keys.
    read, written
        Keys read and written; a key counts each time.
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

    Attributes
    ----------
    copies
        Whether copying some keys costs little more than a read. If not, methods iterate to the
        end instead.
    launch
        Whether `one_read` is one launch: it then finds the only rank among the last candidates of
        every method, and `auto` prefers it.
    few
        A method stops dividing when it has at most this many candidates.
    digit
        Bits in a digit.
    buckets
        Buckets in a round of `bucket`.
    counters
        The largest number of counters in a histogram.
    samples
        Keys in a sample.
    run
        Neighbouring keys that a sample draws together. They may be alike, and count as one.
    far
        Whether a call takes long, however few keys it reads, as the keys are in several places.
        Ranks are then found together, by methods that make few calls, and at most `few` keys can
        be sorted.
    room
        How many keys copies of far keys can hold together; a larger copy reads all keys again.
    """

    copies: bool
    launch: bool = False
    few: int = 1 << 12
    digit: int = 4
    buckets: int = 1 << 10
    counters: int = 1 << 16
    samples: int = 1 << 10
    run: int = 1
    far: bool = False
    room: int = 0
