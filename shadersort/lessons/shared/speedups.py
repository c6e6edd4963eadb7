"""A speed-up since a paper as a product: bandwidth, algorithm, and the rest.

**bandwidth** is the ratio of the two cards' memory bandwidths, by their data sheets: what a program
gains that does nothing but move bytes, as fast as its card can. **algorithm** is the time of the
method as printed over that of ours, both measured on the newer card. **rest** is what remains:
launches and waits, caches, atomic additions, arithmetic, and how well each program was written. It
is above one if the same method gained more than bandwidth, and below one if it gained less.

The factors of the rest cannot be told apart without the older card. Bandwidths are the most that a
card can do, and the algorithm's factor might be another one on the older card.
"""

from dataclasses import dataclass

from shadersort.drawing.cost.profiles import memory_bandwidth


@dataclass(frozen=True, slots=True)
class SpeedUp:
    """How many times faster than in a paper: `total` is the product of the three factors."""

    total: float  # the paper's time over ours
    bandwidth: float  # of the newer card's memory over that of the older one
    algorithm: float | None  # as printed over ours, on the newer card; None if not measured

    @property
    def rest(self) -> float:
        """What neither bandwidth nor the algorithm explains."""
        known = self.algorithm if self.algorithm is not None else 1.0
        return self.total / self.bandwidth / known


def split(paper: float, printed: float | None, ours: float, *, then: str, now: str) -> SpeedUp:
    """Split a speed-up; `then` and `now` are descriptions that name the cards.

    The times have one unit, and are of equally many keys: that of the paper; that of the same
    method as printed, measured on the newer card, or None; and that of ours on the newer card.

    An UnknownName says that a description names no card of a known bandwidth.
    """
    bandwidth = memory_bandwidth(now).value / memory_bandwidth(then).value
    algorithm = None if printed is None else printed / ours
    return SpeedUp(paper / ours, bandwidth, algorithm)
