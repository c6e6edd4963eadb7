"""A speed-up since a paper as a product: bandwidth, algorithm, and the rest.

**rest** is what neither explains: launches and waits, caches, atomic additions, arithmetic, and how
well each program was written. These cannot be told apart without the older card. Bandwidths are
those of data sheets, and the algorithm's factor might be another one on the older card.
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
    """Split a speed-up; `then` and `now` name the cards, else UnknownName is raised.

    The times have one unit, and are of equally many keys: that of the paper; that of the same
    method as printed, measured on the newer card, or None; and that of ours on the newer card.
    """
    bandwidth = memory_bandwidth(now).value / memory_bandwidth(then).value
    algorithm = None if printed is None else printed / ours
    return SpeedUp(paper / ours, bandwidth, algorithm)
