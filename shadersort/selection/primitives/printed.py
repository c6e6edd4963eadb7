"""What the papers' methods as printed ask of a device beside the usual primitives.

Three of the papers keep something beside the keys, or change the keys, between two reads:

- the in-place radixSelect overwrites its vector: `WorkingCodes`;
- bucketSelect writes the bucket of every key into a vector of n integers: `Assignment`;
- bucketMultiSelect does so too, and keeps the counters of each block of threads: `BlockAssignment`.

In `traffic` an integer of an assignment vector, a code and a flag each count as one key.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from shadersort.keys.types import Integers, Key
from shadersort.selection.primitives.buckets import Doubles

Copies = TypeVar("Copies")
"""What a copy of some keys is: primitives of these keys."""


class Tangent(NamedTuple):
    """What objective (2) of Beliakov 2011 and its slope are made of, at a place t.

    Attributes
    ----------
    below, above
        The sum of t − x over the finite keys x ≤ t, and of x − t over the others.
    upto
        How many keys are at or below t, −∞ included.
    """

    below: float
    above: float
    upto: int


class WorkingCodes(ABC):
    """A copy of the codes of all keys that may be overwritten (Alabi et al. 2012, Alg. 2)."""

    @abstractmethod
    def digit_counts(self, shift: int, width: int) -> Integers:
        """Count the digits `(code >> shift) % 2**width`."""

    @abstractmethod
    def overwrite(self, shift: int, width: int, digit: int) -> None:
        """Write 0 over codes with a smaller digit, and all ones over codes with a larger digit."""


class Assignment(ABC, Generic[Copies]):
    """The vector `bucket` of n integers: the bucket of each key (Alabi et al. 2012, section 2.3).

    Keys outside all buckets have the number B, the dummy bucket. Projections are computed in double
    precision, and rounded towards zero, as a C cast does.
    """

    @abstractmethod
    def assign(self, low: float, high: float, slope: float, buckets: int) -> Integers:
        """Assign the keys from low to high by `(x − low) · slope`; return the counters."""

    @abstractmethod
    def reassign(self, chosen: int, low: float, slope: float, buckets: int) -> Integers:
        """Assign the keys of one bucket to B new buckets, and all others to none."""

    @abstractmethod
    def copied(self, chosen: int, count: int) -> Copies:
        """Copy the keys of a bucket; a global counter gives each its place."""

    @abstractmethod
    def key(self, chosen: int) -> Key:
        """Return the only key of a bucket, by a read of the whole vector `bucket`."""


class BlockAssignment(ABC, Generic[Copies]):
    """An assignment with counters of each block of threads (Blanchard et al. 2015, section 2)."""

    @abstractmethod
    def assign(self, pivots: Doubles, slopes: Doubles, buckets: int) -> Integers:
        """Assign each finite key by the interval and the slope at its pivot; return the counters.

        There is one pivot more than there are slopes, and each interval has as many buckets.
        """

    @abstractmethod
    def reduced_to_segments(self, active: Sequence[int], count: int, in_shared: bool) -> Copies:
        """Copy the keys of some ascending buckets, each bucket to a part of its own.

        The counters of each block give the places; `in_shared` says whether they are first loaded
        into shared memory.
        """

    @abstractmethod
    def reduced_by_flags(self, active: Sequence[int], count: int) -> Copies:
        """Copy the keys of some ascending buckets together, by a vector of n flags."""
