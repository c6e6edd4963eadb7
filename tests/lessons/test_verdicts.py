"""Wrong answers as people write them, and the words that have to be said of each."""

from typing import Any

import numpy as np
import pytest

from shadersort.lessons.adversary.exercises import alike, killer, slow_pivots
from shadersort.lessons.buckets.kernels import HISTOGRAM, block_histogram
from shadersort.lessons.by_drawing.shaders import directed_step, mirror_step
from shadersort.lessons.capstone.kernels import BETWEEN, BY_KERNEL, EQUAL_RUNS
from shadersort.lessons.capstone.shaders import BY_DRAWING
from shadersort.lessons.drawing.shaders import turned
from shadersort.lessons.four_sorts.shaders import HALVES, sorted_texel
from shadersort.lessons.ladder.shaders import counts_of_texel
from shadersort.lessons.median.kernels import DISTANCES, SUM, distances, sum_of_distances
from shadersort.lessons.shared.exercise import Exercise
from shadersort.lessons.shared.glsl.exercise import ShaderExercise
from shadersort.lessons.shared.kernels.mistakes import changed
from shadersort.lessons.shared.verdict import Verdict
from shadersort.lessons.side_by_side.prefix_sums import PREFIX, prefix_sums

FOR = "for (int step = THREADS"
IF = "    if (i < n) sums[thread]"
AND = (
    "bool first = (wire & distance) == 0;\nbool rises = (wire & run) == 0;\n"
    "return first & rises ? texel_of(0) : texel_of(1);"
)
LEFT = "left = sums[thread - step];"
AGAIN = "vec4 a = vec4(min(four.rb, four.ga), max(four.rb, four.ga));\n    "

ANSWERS: list[tuple[Exercise, Any, str]] = [
    (
        sorted_texel,
        f"{AGAIN}{HALVES}return vec4(b.r, min(b.g, b.b), max(b.g, b.b), b.a);",
        "is missing, or compares the same pairs again.",
    ),
    (
        turned,
        "return texel_at(place.x, place.y);",
        "“texel_at” does not take (int, int). It takes one place: ivec2(column, row).",
    ),
    (mirror_step, "return texel_at(wire);", "By its number a texel is fetched by texel_of."),
    (mirror_step, "return 0 < wire < block ? O : O;".replace("O", "texel_of(0)"), "joined by &&"),
    (
        BY_DRAWING["trimmed mean"],
        "vec4 own = texel_of(number);\n"
        "vec4 inside = vec4(greaterThan(own, vec4(low)) && lessThan(own, vec4(high)));\n"
        "return inside;",
        "Two bvec4 cannot be joined: make numbers first, and multiply, as in vec4(a) * vec4(b).",
    ),
    (
        BY_KERNEL["trimmed mean"],
        changed(BETWEEN, ("low < keys[i] && keys[i] < high", "low < keys[i] < high")),
        "Two comparisons are joined by &&",
    ),
    (
        BY_KERNEL["mode"],
        changed(EQUAL_RUNS, ("atomicMin(result[1]", "atomicMin(&result[1]")),
        "Give the place itself, without &, as in atomicAdd(counts[b], 1). CUDA C writes the &.",
    ),
    (directed_step, AND, "Two bool are joined by &&"),
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
    (prefix_sums, changed(PREFIX, (LEFT, LEFT.replace("left", "int left"))), "another `left`"),
    (
        prefix_sums,
        changed(PREFIX, (LEFT, "{ int left = sums[thread - step]; }")),
        "`left` is declared again in a part of the text where it is known",
    ),
]


@pytest.mark.parametrize(("exercise", "answer", "words"), ANSWERS)
def test_what_is_said(exercise: Exercise, answer: Any, words: str) -> None:
    if isinstance(exercise, ShaderExercise):
        answer = exercise.surroundings.function(answer)
    verdict = exercise.check(answer)
    assert verdict.state == "wrong"
    assert words in f"{verdict.about} {verdict.diagnosis}"


COUNTED = (
    "vec4 one = vec4(1.0);\n"
    "    float below = dot(vec4(lessThan(four, vec4(pivot))), one);\n"
    "    float above = dot(vec4(greaterThan(four, vec4(pivot))), one);\n"
    "    return vec4(below, SAME - below - above, above, 0);"
)


def test_an_int_where_browsers_want_a_float_is_told() -> None:
    checked = counts_of_texel.check
    text = counts_of_texel.surroundings.function
    right = checked(text(COUNTED.replace("SAME", "4.0")))
    assert right.passed
    assert right.about == "in all 3 cases"
    warned = checked(text(COUNTED.replace("SAME", "4")))
    assert warned.passed
    line = "return vec4(below, 4 - below - above, above, 0);"
    assert f"in all 3 cases. But some compilers refuse `{line}`, those of" in warned.about
    also = checked(
        text(COUNTED.replace("SAME", "4.0").replace("float above =", "float above = 0 +"))
    )
    assert "But some compilers refuse `float above = 0 +" in also.about


def by_pop(n: int) -> Any:
    """Keys for slow pivots, by a list of places that gets shorter."""
    keys, places, number = np.zeros(n), list(range(n)), 0
    while len(places) > 2:
        m = len(places)
        keys[places.pop(0)], keys[places.pop(m // 2)] = number, number + 1
        number += 2
    keys[places] = number + np.arange(len(places))
    return keys


def far_integers(n: int, count: int, rounds: int) -> Any:
    return [0] * (n - rounds) + [(2 * count) ** power for power in range(1, rounds + 1)]


ROWS: list[tuple[Exercise, Any, str]] = [
    (slow_pivots, by_pop, "you took out the first place before the middle one"),
    (killer, far_integers, "whole numbers in an array end at 2⁶³"),
    (alike, lambda n, bits: np.arange(n) % 2**bits, "the type int64, and not uint32"),
    (
        killer,
        lambda n, count, rounds: np.append(
            np.zeros(n - rounds, int), (2 * count) ** np.arange(rounds)
        ),
        "powers of whole numbers, from the power 0 on",
    ),
    (killer, lambda n, count, rounds: np.ones(n), "keys left at first and after each round"),
]


@pytest.mark.parametrize(("exercise", "answer", "words"), ROWS)
def test_what_is_said_of_keys(exercise: Exercise, answer: Any, words: str) -> None:
    verdict = exercise.check(answer)
    assert verdict.state == "wrong"
    assert words in repr(verdict)


def test_the_first_difference_of_long_results_is_printed() -> None:
    """One of 100 counters differs, where an array is shortened."""
    text = changed(HISTOGRAM, ("    barrier();\n", ""))
    assert "first at place" in dict(block_histogram.check(text).rows())["differs"]
    yours, expected = np.zeros((50, 2)), np.zeros((50, 2))
    yours[20, 1], expected[10, 0], yours[10, 0] = 3, np.nan, np.nan
    verdict = Verdict("any", "wrong", case=(1,), yours=yours, expected=expected)
    rows = dict(verdict.rows())
    assert rows["yours"] == rows["expected"]
    assert rows["differs"] == "first at place (20, 1): 3.0, where 0.0 is expected"
    assert "differs   first at place" in repr(verdict)
