"""Wrong answers as people write them, and the words that have to be said of each."""

from typing import Any

import pytest

from shadersort.lessons.four_sorts.shaders import HALVES, sorted_texel
from shadersort.lessons.median.kernels import DISTANCES, SUM, distances, sum_of_distances
from shadersort.lessons.shared.exercise import Exercise
from shadersort.lessons.shared.glsl.exercise import ShaderExercise
from shadersort.lessons.shared.kernels.mistakes import changed

FOR = "for (int step = THREADS"
IF = "    if (i < n) sums[thread]"
AGAIN = "vec4 a = vec4(min(four.rb, four.ga), max(four.rb, four.ga));\n    "

ANSWERS: list[tuple[Exercise, Any, str]] = [
    (
        sorted_texel,
        f"{AGAIN}{HALVES}return vec4(b.r, min(b.g, b.b), max(b.g, b.b), b.a);",
        "is missing, or compares the same pairs again.",
    ),
    (
        distances,
        changed(DISTANCES, ("block * THREADS + thread", "block * thread")),
        "Is the place's number right",
    ),
    (sum_of_distances, changed(SUM, (FOR, "for (step = THREADS")), "“step” is new here, so its"),
    (
        sum_of_distances,
        changed(SUM, (IF, IF.replace("sums", "int sums"))),
        "`int sums[thread]`: `sums` exists already: leave out `int` before it",
    ),
    (
        distances,
        changed(DISTANCES, ("result[i] =", "float result[i] =")),
        "`result` exists already: leave out `float`",
    ),
]


@pytest.mark.parametrize(("exercise", "answer", "words"), ANSWERS)
def test_what_is_said(exercise: Exercise, answer: Any, words: str) -> None:
    if isinstance(exercise, ShaderExercise):
        answer = exercise.surroundings.function(answer)
    verdict = exercise.check(answer)
    assert verdict.state == "wrong"
    assert words in f"{verdict.about} {verdict.diagnosis}"
