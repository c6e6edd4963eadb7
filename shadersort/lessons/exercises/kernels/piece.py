"""An exercise with a kernel as a piece of a lesson, for a browser."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises.kernels.export import WORDS, as_data
from shadersort.lessons.exercises.kernels.pictures import MOST
from shadersort.lessons.shared.grids import show_rows
from shadersort.lessons.shared.pictures import picture
from shadersort.web.kernels import microscope
from shadersort.web.piece import Piece


def exercise_piece(exercise: Any) -> Piece:
    """Return an `Exercise` with a kernel for a browser, after a picture of what is asked for."""
    case = exercise.all_cases()[0]
    rows = {"keys": case[0], "result": exercise.specification(*case)}
    shown = {name: np.full(MOST, np.nan) for name in rows}
    for name, row in rows.items():
        shown[name][: len(row)] = row[:MOST]
    still = picture(show_rows(shown), f"{exercise.name}: keys, and what the kernel writes")
    title = f"Write the kernel {exercise.name}"
    return Piece(title, microscope(title, [as_data(exercise)], WORDS), 1500).beside(still)
