"""What a verdict says: of numbers that some compilers refuse, and of long results."""

import numpy as np

from shadersort.lessons.buckets.exercises import block_histogram
from shadersort.lessons.exercises import Verdict
from shadersort.lessons.ladder.exercises import counts_of_texel
from tests.lessons.test_exercises import shader_text
from tests.right_kernels import HISTOGRAM, without_barrier

COUNTED = (
    "vec4 one = vec4(1.0);\n"
    "    float below = dot(vec4(lessThan(four, vec4(pivot))), one);\n"
    "    float above = dot(vec4(greaterThan(four, vec4(pivot))), one);\n"
    "    return vec4(below, SAME - below - above, above, 0);"
)


def test_an_int_where_browsers_want_a_float_is_told() -> None:
    checked = counts_of_texel.check
    right = checked(shader_text(counts_of_texel, COUNTED.replace("SAME", "4.0")))
    assert right.passed
    assert right.about == "in all 3 cases"
    warned = checked(shader_text(counts_of_texel, COUNTED.replace("SAME", "4")))
    assert warned.passed
    line = "return vec4(below, 4 - below - above, above, 0);"
    assert f"in all 3 cases. But some compilers refuse `{line}`, those of" in warned.about
    also = checked(
        shader_text(
            counts_of_texel,
            COUNTED.replace("SAME", "4.0").replace("float above =", "float above = 0 +"),
        )
    )
    assert "But some compilers refuse `float above = 0 +" in also.about


def test_the_first_difference_of_long_results_is_printed() -> None:
    """One of 100 counters differs, where an array is shortened."""
    text = without_barrier(HISTOGRAM, 1)
    assert "first at place" in dict(block_histogram.check(text).rows())["differs"]
    yours, expected = np.zeros((50, 2)), np.zeros((50, 2))
    yours[20, 1], expected[10, 0], yours[10, 0] = 3, np.nan, np.nan
    verdict = Verdict("any", "wrong", case=(1,), yours=yours, expected=expected)
    rows = dict(verdict.rows())
    assert rows["yours"] == rows["expected"]
    assert rows["differs"] == "first at place (20, 1): 3.0, where 0.0 is expected"
    assert "differs   first at place" in repr(verdict)
