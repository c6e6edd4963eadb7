"""Kelley's cutting plane exactly as printed (Beliakov 2011, section IV, Alg. 1; code in figure 1).

Objective (2) and its subgradient are sums over all keys in double precision, at a place t that is a
double. The ends of the bracket, y1 = x(1) and y2 = x(n), are evaluated by the formulas of section
IV. Alg. 1 to the end finds the largest key x ≤ y by "a simple loop". The hybrid copies the keys of
the open interval ]yL, yR[ after 7 iterations and sorts them; the answer is z(k − m), where m keys
are at or below yL.

Readings (docs/errata.md): objective (2) serves every rank, with its weights exchanged. To the end,
gt = 0 is read as c = k, where the footnote's loop gives the answer; the hybrid keeps gt = 0 to the
letter, and so never stops early by it. maxit is 100. Section V-D's logarithms are not used.

If the answer is exactly yL or yR, the place k − m lies outside z, and the code of figure 1 reads
memory that was never written. Here this is 0, which is what Alabi et al. 2012 saw in 19% of their
trials at k = 2; the proof by counts refutes it.
"""

import math
from typing import NamedTuple

from shadersort.errors import BadOption, choices
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.printed.finite_keys import key_beside, key_of, sorted_key
from shadersort.selection.selection import Selection

ITERATIONS = 7
"""Iterations of the hybrid, for n = 2^25."""

MAXIT = 100
"""The upper bound on the number of iterations to the end."""

TOLERANCE_F = 1e-12
"""The width of the interval at which Alg. 1 stops."""

FINISHES = ("iterate", "compact")


class Point(NamedTuple):
    """A place, the objective and a subgradient there, and the number of finite keys up to there."""

    y: float
    f: float
    g: float
    upto: int


class Objective:
    """Objective (2) for the k-th smallest of n finite keys, with its weights exchanged."""

    def __init__(self, selection: Selection) -> None:
        self.keys, self.extent, self.n = selection.keys, selection.extent, selection.extent.finite
        self.k = selection.k - self.extent.minus_infinite + 1
        self.weights = self.n - self.k + 0.5, self.k - 0.5  # of keys below and above a place

    def point_at(self, y: float) -> Point:
        """Evaluate f and g at a place, by one reduction."""
        below, above = self.weights
        sums = self.keys.tangent(y)
        upto = sums.upto - self.extent.minus_infinite
        f = below * sums.below + above * sums.above
        return Point(y, f, below * upto - above * (self.n - upto), upto)

    @property
    def ends(self) -> tuple[Point, Point]:
        """The values at x(1) and x(n), by the formulas of section IV."""
        (below, above), n, total = self.weights, self.n, self.extent.total
        low, high = float(self.extent.low), float(self.extent.high)
        left = Point(low, above * (total - n * low), below - above * (n - 1), 1)
        right = Point(high, below * (n * high - total), below * (n - 1) - above, n - 1)
        return left, right


def cutting_plane(
    selection: Selection, *, finish: str = "iterate", iterations: int | None = None
) -> Key:
    """Cut the bracket where the tangents at its two ends meet.

    `finish` is "iterate" for Alg. 1 to the end, or "compact" for the hybrid. `iterations` is maxit;
    None for 100 to the end, and 7 for the hybrid.
    """
    if finish not in FINISHES:
        raise BadOption(f"as printed no finish is called {finish!r}: use {choices(FINISHES)}")
    if iterations is not None and iterations < 1:
        raise BadOption(f"iterations must be 1 or more, not {iterations}")
    objective, to_the_end = Objective(selection), finish == "iterate"
    L, R = objective.ends
    maxit = iterations or (MAXIT if to_the_end else ITERATIONS)
    y, L, R, stopped = _algorithm_1(selection, objective, L, R, maxit, to_the_end)
    dtype = selection.keys.dtype
    if to_the_end or stopped:  # the footnote's loop; x(1) if rounding left none
        x = selection.keys.at_or_below(key_beside(y, dtype, -1))
        selection.record("nearest")
        return selection.extent.low if x is None else x
    place = objective.k - L.upto - 1  # SortZ of figure 1
    z = selection.keys.between(key_beside(L.y, dtype, -1), key_beside(R.y, dtype, 1))
    selection.record("compact")
    if not 0 <= place < z.size:
        selection.record("sort")
        return dtype.type(0)
    return sorted_key(selection, z, place)


def _algorithm_1(
    selection: Selection, objective: Objective, L: Point, R: Point, maxit: int, to_the_end: bool
) -> tuple[float, Point, Point, bool]:
    """Alg. 1: return y, the ends of the interval, and whether a criterion was met before maxit."""
    dtype = selection.keys.dtype
    for _ in range(maxit):
        if L.g == R.g:  # for the largest key, where the formulas give both ends one slope
            raise selection.did_not_converge("the tangents at the two ends are parallel")
        y = (R.f - L.f + L.y * L.g - R.y * R.g) / (L.g - R.g)
        if not math.isfinite(y):
            raise selection.did_not_converge("the sums of the objective overflow")
        t = objective.point_at(y)
        zero = t.upto == objective.k if to_the_end else t.g == 0
        stopped = zero or R.y - L.y <= TOLERANCE_F
        if not stopped:
            L, R = (t, R) if t.g < 0 else (L, t)
        places = {"low": L.y, "high": R.y, "pivot": t.y}
        named = {name: key_of(place, dtype) for name, place in places.items()}
        selection.record("cut", candidates=max(R.upto - L.upto, 0), **named)
        if stopped:
            break
    return t.y, L, R, stopped


METHOD = Method(
    "cutting-plane", cutting_plane, needs=("extent", "objective", "at_or_below"), finite=True
)
