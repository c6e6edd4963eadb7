"""What primitives answer: small values, each from one pass over the keys."""

from dataclasses import dataclass

from shadersort.keys.types import Key

__all__ = ["Counts", "Extent", "Objective", "Traffic", "Tuning", "gap"]


def gap(upper: Key, lower: Key) -> float:
    """Return upper − lower in double precision, of one key each; infinity where that is too far.

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


@dataclass(frozen=True, slots=True)
class Extent:
    """What one reduction says of all keys.

    Attributes
    ----------
    low, high
        The smallest and the largest finite key; without meaning where `finite` is 0.
    total
        The sum of the finite keys in double precision: a guess, it may round and overflow.
    finite, minus_infinite, plus_infinite, nans
        How many keys are of each kind. Integers are finite.
    """

    low: Key
    high: Key
    total: float
    finite: int
    minus_infinite: int = 0
    plus_infinite: int = 0
    nans: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many keys come before a pivot, are equal to it, and come after it; all keys are counted.

    Examples
    --------
    >>> Counts(below=3, equal=2, above=5).prove(4)
    True
    """

    below: int
    equal: int
    above: int

    def prove(self, k: int) -> bool:
        """Whether the pivot is the k-th key, counted from zero."""
        return self.below <= k < self.below + self.equal


@dataclass(frozen=True, slots=True)
class Objective:
    """Counts at a pivot, and the two sums of which objective (2) of Beliakov 2011 consists.

    Attributes
    ----------
    counts
        Of all keys.
    below, above
        Sum of the distances to the pivot of the finite keys below it, and above it, that lie in
        the window that was asked for. In double precision: guesses.
    """

    counts: Counts
    below: float
    above: float


@dataclass(slots=True)
class Traffic:
    """What primitives moved so far. Everything compacted from the same keys shares one.

    Attributes
    ----------
    passes
        Calls that read the keys.
    read, written
        Keys, each counted every time.
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
    """What suits a device: what methods do unless they are told otherwise.

    Attributes
    ----------
    copies
        Whether copying some of the keys costs little more than a read. Where it does, methods
        iterate to the end instead.
    ranks
        Whether `ranked` knows better than to sort for one rank, however many the keys are.
    few
        So few keys are sorted for hardly more than the price of a call.
    digit
        Bits in a digit.
    buckets
        Buckets in a round of `bucket`.
    counters
        The most that one histogram can have.
    samples
        Keys in a sample.
    """

    copies: bool
    ranks: bool = False
    few: int = 1 << 12
    digit: int = 4
    buckets: int = 1 << 10
    counters: int = 1 << 16
    samples: int = 1 << 10
