"""Wrong answers as people write them, and the words that have to be said of each."""

from typing import Any

import pytest

from shadersort.lessons.four_sorts.shaders import HALVES, sorted_texel
from shadersort.lessons.shared.exercise import Exercise
from shadersort.lessons.shared.glsl.exercise import ShaderExercise

AGAIN = "vec4 a = vec4(min(four.rb, four.ga), max(four.rb, four.ga));\n    "

ANSWERS: list[tuple[Exercise, Any, str]] = [
    (
        sorted_texel,
        f"{AGAIN}{HALVES}return vec4(b.r, min(b.g, b.b), max(b.g, b.b), b.a);",
        "is missing, or compares the same pairs again.",
    ),
]


@pytest.mark.parametrize(("exercise", "answer", "words"), ANSWERS)
def test_what_is_said(exercise: Exercise, answer: Any, words: str) -> None:
    if isinstance(exercise, ShaderExercise):
        answer = exercise.surroundings.function(answer)
    verdict = exercise.check(answer)
    assert verdict.state == "wrong"
    assert words in f"{verdict.about} {verdict.diagnosis}"
