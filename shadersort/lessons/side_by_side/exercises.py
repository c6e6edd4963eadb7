"""Lesson 14, side by side: the exercises."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Case, Exercise, Mistake
from shadersort.lessons.exercises.kernels.pictures import show_results
from shadersort.lessons.side_by_side.kernels import compacted, prefix_sums, select_round


def _some_lanes(rng: np.random.Generator) -> Iterator[Case]:
    yield (np.array([4, 2, 3, 1]),)
    yield (np.array([3, 8, 1, 6, 2, 7, 4, 5]),)
    for count in (8, 16, 32, 32):
        yield (rng.integers(100, size=count),)


def _add_lanes(lanes: Any, step: int) -> Any:
    return np.append(lanes[:-step] + lanes[step:], lanes[-step:])


def _add_in_place(lanes: Any, step: int) -> Any:
    now = lanes.copy()
    for lane in range(len(now) - step - 1, -1, -1):
        now[lane] += now[lane + step]
    return now


def _by_steps(after: Callable[[Any, int], Any]) -> Callable[[Any], Keys]:
    """Return a function of lanes that returns what they hold after each step, one row a step."""

    def rows(lanes: Any) -> Keys:
        found = [lanes]
        for power in range(len(lanes).bit_length() - 2, -1, -1):
            found.append(after(found[-1], 1 << power))
        return np.array(found[1:])

    return rows


warp_sum = Exercise(
    name="warp_sum",
    specification=_by_steps(_add_lanes),
    cases=_some_lanes,
    hints=(
        "The steps are len(lanes) // 2, then half of it, and so on, down to 1.",
        "In a step every lane reads the lane `step` further on, all at once: use the values from "
        "before the step. The last `step` lanes have no such lane, and keep their value.",
        "lanes[:-step] + lanes[step:] are the new values of all but the last `step` lanes; "
        "np.append adds the others.",
    ),
    draw=show_results,
    mistakes=(
        Mistake(
            "the last lanes read round the end, from the first ones",
            _by_steps(lambda lanes, step: lanes + np.roll(lanes, -step)),
            "The last `step` lanes have no lane so far on, and keep their value.",
        ),
        Mistake(
            "each step reads the next lane only",
            _by_steps(lambda lanes, step: _add_lanes(lanes, 1)),
            "The steps are len(lanes) // 2, then half of it, and so on, down to 1.",
        ),
        Mistake(
            "a lane reads what another lane has written in the same step",
            _by_steps(_add_in_place),
            "All lanes read before one writes: compute the new lanes from a copy of the old ones.",
        ),
    ),
)

EXERCISES = (warp_sum, prefix_sums, compacted, select_round)
