"""Kelley's cutting plane exactly as printed (Beliakov 2011, section IV, Alg. 1; code in figure 1).

Objective (2) and its subgradient are sums over all keys in double precision, at a place t that is a
double. The ends of the bracket, y1 = x(1) and y2 = x(n), are evaluated by the formulas of section
IV. Alg. 1 to the end finds the largest key x ≤ y by "a simple loop". The hybrid copies the keys of
the open interval ]yL, yR[ after 7 iterations and sorts them; the answer is z(k − m), where m keys
are at or below yL.

Readings (docs/errata.md): objective (2) serves every rank, with its weights exchanged. To the end,
gt = 0 is read as c = k, where the footnote's loop gives the answer; the hybrid keeps gt = 0 to the
letter, and so never stops early by it. maxit is 100. `transform="log"` takes the logarithms of
section V-D.

If the answer is exactly yL or yR, the place k − m lies outside z, and the code of figure 1 reads
memory that was never written. Here this is 0, which is what Alabi et al. 2012 saw in 19% of their
trials at k = 2; the proof by counts refutes it.
"""

import math

from shadersort.errors import BadOption, choices
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.printed.beliakov_2011_objective import TOLERANCE_F, Objective
from shadersort.selection.printed.finite_keys import sorted_key
from shadersort.selection.selection import Selection

ITERATIONS = 7  # iterations of the hybrid, for n = 2^25
MAXIT = 100  # the upper bound on the number of iterations to the end
FINISHES = ("iterate", "compact")


def cutting_plane(
    selection: Selection,
    *,
    finish: str = "iterate",
    iterations: int | None = None,
    transform: str | None = None,
) -> Key:
    """Cut the bracket where the tangents at its two ends meet.

    `finish` is "iterate" for Alg. 1 to the end, or "compact" for the hybrid. `iterations` is maxit;
    None for 100 to the end, and 7 for the hybrid. `transform="log"` searches among logarithms.
    """
    if finish not in FINISHES:
        raise BadOption(f"as printed no finish is called {finish!r}: use {choices(FINISHES)}")
    to_the_end = finish == "iterate"
    default = MAXIT if to_the_end else ITERATIONS
    f = Objective(selection, "cut", default if iterations is None else iterations, transform)
    y, stopped = _algorithm_1(f, to_the_end)
    if to_the_end or stopped:
        x = f.nearest(y)
        selection.record("nearest")
        return x
    place = f.k - f.L.upto - 1  # SortZ of figure 1
    z = selection.keys.between(f.key_beside(f.L.y, -1), f.key_beside(f.R.y, 1))
    selection.record("compact")
    if not 0 <= place < z.size:
        selection.record("sort")
        return selection.keys.dtype.type(0)
    return sorted_key(selection, z, place)


def _algorithm_1(f: Objective, to_the_end: bool) -> tuple[float, bool]:
    """Alg. 1: return y, and whether a criterion was met before maxit."""
    for _ in range(f.maxit):
        L, R = f.L, f.R
        if L.g == R.g:  # for the largest key, where the formulas give both ends one slope
            raise f.selection.did_not_converge("the tangents at the two ends are parallel")
        y = (R.f - L.f + L.y * L.g - R.y * R.g) / (L.g - R.g)
        if not math.isfinite(y):
            raise f.selection.did_not_converge("the sums of the objective overflow")
        t = f.at(y)
        if (f.solves(t) if to_the_end else t.g == 0) or R.y - L.y <= TOLERANCE_F:
            return y, True
    return y, False


METHOD = Method(
    "cutting-plane", cutting_plane, needs=("extent", "objective", "at_or_below"), finite=True
)
