"""Houses on a street, one of which is dragged far out: Kelley's cutting planes find the median.

The page computes no step. Python records, for each place of that house, what the cutting plane of
the package does, as printed and improved: its trace, and the lines that touch the objective.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from shadersort.errors import AnswerRefuted, BadOption
from shadersort.keys.types import Keys
from shadersort.palette import FAINT, GREEN, GREY, LIME, LOOKS, PINK
from shadersort.selection import Iteration, SelectionTrace, select
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.web.page import page
from shadersort.web.piece import Piece

HOUSES = (0, 1, 2, 3, 5, 6, 8, 10, 13, 17, 22, 28, 35, 43)
"""The houses that stay where they are; with the one that is dragged, their number is odd."""

PLACES = (
    *range(0, 62, 2),
    *(80, *(digit * 10**power for power in range(2, 20) for digit in (1, 3, 6)), 10**20),
)
"""The places of the house that is dragged: along the street, and then farther and farther out."""

USUAL = 60
SHOWN = 6  # iterations that are shown of a search that makes no progress

TITLE = "Houses on a street: cutting planes find the one in the middle"

SCRIPTS = (
    *("page/player.js", "page/chart.js", "charts/road.js", "charts/sum_chart.js"),
    "charts/street.js",
)

CUT, _ = LOOKS["cutting-plane"]

COLOURS = {
    "cut": CUT,
    "answer": GREEN,
    "mean": LIME,
    "dragged": PINK,
    "bracket": GREEN,
    "as printed": GREY,
    "improved": CUT,
    "faint": FAINT,
}


class Line(NamedTuple):
    """A straight line that touches the sum of distances.

    Heights are above the minimum of the sum, so that they are small wherever houses are near.
    """

    place: float
    slope: float
    height: float  # at 0


class Step(NamedTuple):
    """A step of a search."""

    name: str
    pivot: float | None
    height: float | None  # the sum of distances at the pivot, above the minimum
    counts: tuple[int, int, int] | None  # keys below, equal to and above the pivot
    candidates: int | None  # keys that may still be the answer
    left: Line  # at both ends of the bracket before the step
    right: Line


def street_piece(houses: Sequence[float] = HOUSES) -> Piece:
    """Return the page on which a house is dragged out of its street.

    Parameters
    ----------
    houses
        The places of the houses that stay, at least two, different and ascending: an even number.

    Raises
    ------
    BadOption
        The houses that stay are an odd number, so that no house is in the middle of all.
    """
    if len(houses) % 2 or not houses:
        raise BadOption(f"{len(houses)} houses stay: with one more, none is in the middle of all")
    data = {
        "houses": list(houses),
        "colours": COLOURS,
        "step": Step._fields,
        "line": Line._fields,
        "usual": PLACES.index(USUAL),
        "places": [record_search(houses, float(place)) for place in PLACES],
    }
    return Piece(TITLE, page(TITLE, SCRIPTS, data, "StreetPiece"), 1340)


def record_search(houses: Sequence[float], place: float) -> dict[str, Any]:
    """Return what there is to be seen when the last house stands at some place.

    - `corners`: every house, and the sum of the distances to it, less the smallest such sum.
    - `mean`, `median`; `spacing`: the next larger number in double precision than the sum of the
      distances to the median is larger by so much.
    - The steps of each variant, see `steps_of`.
    """
    keys = np.array([*houses, place], np.float64)
    least = _least(keys)
    return {
        "place": place,
        "mean": float(keys.mean()),
        "median": float(np.median(keys)),
        "spacing": float(np.spacing(float(least))),
        "corners": [
            [each, float(distance_sum(keys, each) - least)] for each in np.unique(keys).tolist()
        ],
        "as printed": steps_of(keys, as_printed=True),
        "improved": steps_of(keys, as_printed=False),
    }


def distance_sum(keys: Keys, place: float) -> Fraction:
    """Return the exact sum of all distances to a place."""
    return sum((abs(Fraction(key) - Fraction(place)) for key in keys.tolist()), Fraction(0))


def steps_of(keys: Keys, *, as_printed: bool) -> dict[str, Any]:
    """Return the steps to the median by the cutting plane, to its end and without copies.

    - `proved`: whether counts proved the answer; `answer`: what the method said.
    - `iterations` of the method; `reads`: how often all keys were read, the proof included.
    - `steps`: a `Step` each. `left_out` steps of a long search are missing after its first ones.
    """
    options: dict[str, Any] = {"as_printed": as_printed, "finish": "iterate", "return_trace": True}
    rank = len(keys) // 2
    try:
        trace = select(NumPyPrimitives(keys), rank, method="cutting-plane", **options)[1]
        proved = True
    except AnswerRefuted as error:
        trace, proved = error.trace, False
    lines = _lines(keys, trace, as_printed=as_printed)
    steps = [_step_of(keys, each, *at) for each, at in zip(trace.steps, lines, strict=True)]
    pivots = [step.pivot for step in steps if step.pivot is not None]
    iterations = len(trace.iterations)
    left_out = max(0, iterations - SHOWN)
    return {
        "proved": proved,
        "answer": pivots[-1],
        "iterations": iterations,
        "reads": trace.keys_read / len(keys),
        "left_out": left_out,
        "steps": steps[: 1 + SHOWN] + steps[1 + SHOWN + left_out :],
    }


def _step_of(keys: Keys, step: Iteration, left: Line, right: Line) -> Step:
    """Return what the page shows of a step; a trace as printed has no counts but in the proof."""
    if step.pivot is None:
        return Step(step.name, None, None, None, step.candidates, left, right)
    counts = step.counts or NumPyPrimitives(keys).counts(step.pivot)
    pivot = float(step.pivot) + 0.0  # no −0
    height = float(distance_sum(keys, pivot) - _least(keys))
    told = (counts.below, counts.equal, counts.above)
    return Step(step.name, pivot, height, told, step.candidates, left, right)


def _least(keys: Keys) -> Fraction:
    """Return the smallest sum of distances, which is that to the median."""
    return distance_sum(keys, float(np.median(keys)))


def _line(keys: Keys, place: float, slope: int) -> Line:
    """Return the line that touches the sum of distances at a place, exactly."""
    height = distance_sum(keys, place) - _least(keys) - slope * Fraction(float(place))
    return Line(float(place), slope, float(height))


def _lines(keys: Keys, trace: SelectionTrace, *, as_printed: bool) -> Iterator[tuple[Line, Line]]:
    """Yield the lines at the ends of the bracket before each step.

    Their slopes are those just inside; as printed, a slope is always that to the right of a place.
    """
    n = len(keys)
    edge = n - 2 if as_printed else n
    left, right = _line(keys, keys.min(), -edge), _line(keys, keys.max(), edge)
    for step in trace.steps:
        yield left, right
        if step.pivot is None or (as_printed and step.pivot not in (step.low, step.high)):
            continue  # as printed, the last cut leaves the bracket as it is
        upto = int(np.sum(keys <= step.pivot))
        before = upto if as_printed else int(np.sum(keys < step.pivot))
        if n // 2 < before:
            right = _line(keys, step.pivot, 2 * before - n)
        else:
            left = _line(keys, step.pivot, 2 * upto - n)
