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
from shadersort.selection.methods.searches.objective import Convex
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.printed.beliakov_2011_cutting_plane import Objective
from shadersort.selection.selection import Selection
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

SHOWN = 6
"""Iterations that are shown of a search that makes no progress."""

TITLE = "Houses on a street: cutting planes find the one in the middle"

SCRIPTS = (
    *("elements.js", "pieces/picture_elements.js", "pieces/recorded_steps.js"),
    *("pieces/sum_chart.js", "pieces/street_road.js", "pieces/street.js"),
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
    """A straight line that touches the sum of distances: where, its slope, and its height at 0.

    Heights are above the minimum of the sum, so that they are small wherever houses are near.
    """

    place: float
    slope: float
    height: float


class Step(NamedTuple):
    """A step of a search.

    Its name and its pivot; the sum of distances at the pivot, above the minimum; how many keys are
    below, equal to and above the pivot; how many may still be the answer; and the two lines at the
    ends of the bracket before the step.
    """

    name: str
    pivot: float | None
    height: float | None
    counts: tuple[int, int, int] | None
    candidates: int | None
    left: Line
    right: Line


def street_piece(
    houses: Sequence[float] = HOUSES, places: Sequence[float] = PLACES, *, still: Any = None
) -> Piece:
    """Return the page on which a house is dragged out of its street.

    Parameters
    ----------
    houses
        The places of the houses that stay, at least two, different and ascending: an even number.
    places
        The places, ascending, of the house that is dragged.
    still
        What a notebook shows as a picture.

    Raises
    ------
    BadOption
        The houses that stay are an odd number, so that no house is in the middle of all.

    Examples
    --------
    >>> street_piece((1, 2, 4, 5, 9, 12), (8, 20, 1000))
    <Piece: Houses on a street: cutting planes find the one in the middle>
    """
    if len(houses) % 2 or not houses:
        raise BadOption(f"{len(houses)} houses stay: with one more, none is in the middle of all")
    data = street_data(houses, places)
    return Piece(TITLE, page(TITLE, "<main></main>", SCRIPTS, {"street": data}), 1340, still)


def street_data(houses: Sequence[float], places: Sequence[float]) -> dict[str, Any]:
    """Return what the page shows: houses, colours, and what happens for each place."""
    usual = int(np.argmin([abs(place - USUAL) for place in places]))
    return {
        "houses": list(houses),
        "colours": COLOURS,
        "step": Step._fields,
        "line": Line._fields,
        "usual": usual,
        "places": [recorded(houses, float(place)) for place in places],
    }


def recorded(houses: Sequence[float], place: float) -> dict[str, Any]:
    """Return what there is to be seen when the last house stands at some place.

    - `corners`: every house, and the sum of the distances to it, less the smallest such sum.
    - `mean`, `median`; `spacing`: the next larger number in double precision than the sum of the
      distances to the median is larger by so much.
    - The steps of each variant, see `steps_of`.

    Examples
    --------
    >>> found = recorded((0, 1, 5, 6), 90)
    >>> found["median"], found["mean"], found["corners"][0]
    (5.0, 20.4, [0.0, 7.0])
    >>> found["as printed"]["proved"], found["as printed"]["answer"]
    (True, 5.0)
    """
    keys = np.array([*houses, place], np.float64)
    least = _least(keys)
    return {
        "place": place,
        "mean": float(keys.mean()),
        "median": float(np.median(keys)),
        "spacing": float(np.spacing(float(least))),
        "corners": [[each, float(walks(keys, each) - least)] for each in np.unique(keys).tolist()],
        "as printed": steps_of(keys, as_printed=True),
        "improved": steps_of(keys, as_printed=False),
    }


def walks(keys: Keys, place: float) -> Fraction:
    """Return the exact sum of all distances to a place.

    Examples
    --------
    >>> walks(np.array([1.0, 2, 1e20]), 2) - walks(np.array([1.0, 2, 1e20]), 1)
    Fraction(-1, 1)
    """
    return sum((abs(Fraction(key) - Fraction(place)) for key in keys.tolist()), Fraction(0))


def steps_of(keys: Keys, *, as_printed: bool) -> dict[str, Any]:
    """Return the steps to the median by the cutting plane, to its end and without copies.

    - `proved`: whether counts proved the answer; `answer`: what the method said.
    - `iterations` of the method; `reads`: how often all keys were read, the proof included.
    - `steps`: a `Step` each. `left_out` steps of a long search are missing after its first ones.

    Examples
    --------
    >>> found = steps_of(np.array([0.0, 1, 5, 6, 90]), as_printed=True)
    >>> [(step.name, step.pivot) for step in found["steps"]]
    [('extent', None), ('cut', 4.0), ('cut', 5.5), ('nearest', None), ('proof', 5.0)]
    """
    options: dict[str, Any] = {"as_printed": as_printed, "finish": "iterate", "return_trace": True}
    rank = len(keys) // 2
    try:
        trace = select(NumPyPrimitives(keys), rank, method="cutting-plane", **options)[1]
        proved = True
    except AnswerRefuted as error:
        trace, proved = error.trace, False
    lines = _lines_as_printed(keys, trace) if as_printed else _lines_improved(keys, trace)
    steps = [_described(keys, each, *at) for each, at in zip(trace.steps, lines, strict=True)]
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


def _described(keys: Keys, step: Iteration, left: Line, right: Line) -> Step:
    """Return what the page shows of a step; a trace as printed has no counts but in the proof."""
    if step.pivot is None:
        return Step(step.name, None, None, None, step.candidates, left, right)
    counts = step.counts or NumPyPrimitives(keys).counts(step.pivot)
    pivot = float(step.pivot) + 0.0  # no −0
    height = float(walks(keys, pivot) - _least(keys))
    told = (counts.below, counts.equal, counts.above)
    return Step(step.name, pivot, height, told, step.candidates, left, right)


def _least(keys: Keys) -> Fraction:
    """Return the smallest sum of distances, which is that to the median."""
    return walks(keys, float(np.median(keys)))


def _line(keys: Keys, place: float, slope: float) -> Line:
    """Return the line that touches the sum of distances at a place, exactly."""
    height = walks(keys, place) - _least(keys) - Fraction(slope) * Fraction(place)
    return Line(float(place), float(slope), float(height))


def _lines_improved(keys: Keys, trace: SelectionTrace) -> Iterator[tuple[Line, Line]]:
    """Yield the lines at the ends of the bracket before each step: their slopes are just inside.

    The objective divides all sums by two: both weights are one half.
    """
    selection = Selection(NumPyPrimitives(keys), list(trace.ks), trace.method)
    f, n, extent = Convex(selection), trace.n, selection.extent
    left = _line(keys, extent.low, 2 * f.line(0, n))
    right = _line(keys, extent.high, 2 * f.line(n, 0))
    for step in trace.steps:
        yield left, right
        if (counts := step.counts) is None:
            continue
        if selection.k < counts.below:
            right = _line(keys, step.pivot, 2 * f.line(counts.below, n - counts.below))
        else:
            left = _line(keys, step.pivot, 2 * f.slope(counts))


def _lines_as_printed(keys: Keys, trace: SelectionTrace) -> Iterator[tuple[Line, Line]]:
    """Yield the same as printed: the trace has the ends of the interval after each cut.

    The printed objective is n / 2 times the sum of distances.
    """
    selection = Selection(NumPyPrimitives(keys), list(trace.ks), trace.method)
    objective = Objective(selection)
    left, right = (_line(keys, end.y, 2 * end.g / trace.n) for end in objective.ends)
    for step in trace.steps:
        yield left, right
        if step.name == "cut":
            left, right = (
                line if float(place) == line.place else _line_at(keys, objective, float(place))
                for place, line in ((step.low, left), (step.high, right))
            )


def _line_at(keys: Keys, objective: Objective, place: float) -> Line:
    """Return the line with the printed subgradient at a place."""
    return _line(keys, place, 2 * objective.point_at(place).g / objective.n)
