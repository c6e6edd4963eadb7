"""Kernels as compute shaders: four orders of threads, shared memory, barriers, errors."""

from typing import Any

import numpy as np
import pytest

from shadersort.lessons.exercises.child import Child
from shadersort.lessons.shared.kernels import running
from shadersort.lessons.shared.kernels.compiling import NotCompiled
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.shared.kernels.running import ORDERS, Launch, ran
from shadersort.lessons.side_by_side.prefix_sums import PREFIX, prefix_sums

KEYS = np.arange(200)


def launched(text: str, **given: Any) -> tuple[np.ndarray[Any, Any], ...]:
    """Every result of a text with 200 keys and 200 results, in four blocks."""
    launch = Launch(KEYS, np.full(200, -1), 4, **given)
    return ran(text, Setting(64), launch).results


def test_four_orders_of_threads_and_blocks_are_tried() -> None:
    text = "void kernel() { int i = block * THREADS + thread; if (i < n) result[i] = keys[i]; }"
    for result in launched(text):
        assert np.array_equal(result, KEYS)
    number = "uint order = gl_LocalInvocationID.x; result[block * THREADS + thread] = int(order);"
    launch = Launch(KEYS, np.full(128, -1), 2)
    done = ran(f"void kernel() {{ {number} }}", Setting(64), launch)
    assert len(done.results) == len({each.tobytes() for each in done.results}) == ORDERS
    for each in done.results:  # every thread ran once, in both blocks
        assert np.array_equal(np.sort(each[:64]), np.arange(64))
        assert np.array_equal(np.sort(each[64:]), np.arange(64))


def test_blocks_come_in_both_orders() -> None:
    text = "void kernel() { if (thread == 0) result[block] = int(gl_WorkGroupID.x); }"
    assert {tuple(each[:4]) for each in launched(text)} == {(0, 1, 2, 3), (3, 2, 1, 0)}


def test_shared_memory_is_not_clean_and_reading_beyond_the_keys_is_seen() -> None:
    text = """
shared int left[2], alone;
void kernel() {
    if (thread == 0) { result[0] = left[0]; result[1] = left[1]; result[2] = alone; }
    if (thread == 1) result[3] = keys[n];
}"""
    for result in launched(text, beyond=77):
        assert result[:4].tolist() == [7, 7, 7, 77]


def test_barriers_that_some_threads_miss_are_counted() -> None:
    launch = Launch(KEYS, np.full(200, -1), 4)
    some = ran("void kernel() { if (thread < 9) barrier(); }", Setting(64), launch)
    every = ran("void kernel() { barrier(); }", Setting(64), launch)
    assert (some.barriers, every.barriers) == (None, 1)


def test_writing_behind_the_result_is_counted() -> None:
    done = ran(
        "void kernel() { result[n + 2 * thread] = 5; }", Setting(8), Launch(KEYS, np.full(200, -1))
    )
    assert done.beyond == 8


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("void kernel() {\n    int x = y;\n}", "line 2, `int x = y;`: “y” is not declared"),
        (
            "\nvoid kernel() {\n    int x = 1\n    x = 2;\n}",
            "line 2, `int x = 1`: Perhaps a semicolon is missing at the end",
        ),
        ("void kernel() {\n    if (thread) return;\n}", "line 2, .*condition must be one value"),
        ("void kernel() {\n    int i = 0;", "the text ends too early"),
        ("void kernel() {\n    keys[0] = 1;\n}", "line 2, .*“keys” can be read"),
        ("void kernel() {\n    int i = n < m << 1 ? 1 : 0;\n}", "“m” is not declared"),
        ("void main() {}", "it has no function `void kernel"),
        ("void kernel() {\n    shared int sums[8];\n}", "is declared before the function"),
        ("void kernel() {\n    int x = n > 1;\n}", "where a number is needed: write … \\? 1 : 0"),
        ("shared sums[8];\nvoid kernel() {}", "A type stands after `shared`"),
        ("shared int[8] sums;\nvoid kernel() {}", "the length stands after the name"),
        ("shared int sums;\nvoid kernel() {\n    sums[0] = 1;\n}", "declared without a length"),
        ("shared int a[8]\nvoid kernel() {\n    int i = 1;\n}", "semicolon is missing at the end"),
    ],
)
def test_what_the_compiler_says_names_the_students_line(wrong: str, said: str) -> None:
    with pytest.raises(NotCompiled, match=said):
        ran(wrong, Setting(64), Launch(KEYS, KEYS))


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("if i < n:", "in round brackets, and what depends on it in braces"),
        ("for i in n { }", "A loop is written for"),
        ("int x = n ** 2;", "x \\* x"),
        ("bool b = True;", "written true and false"),
        ("i = thread;", "its type stands before it"),
        ("int x = keys[1:3];", "no slices"),
        ("if (thread == 0); result[0] = 1;", "semicolon stands right behind"),
        ("int i = threadIdx.x;", "Here they are thread, block"),
        ("atomicAdd(&result[thread], 1);", "Give the place itself, without &"),
        ("int a, b; a, b = 1, 2;", "values to several names at once"),
        ("int a = 0; a =+ 1;", "=\\+, which only gives a value"),
    ],
)
def test_habits_of_python_are_named(line: str, instead: str) -> None:
    with pytest.raises(NotCompiled, match=instead):
        ran(f"void kernel() {{\n    {line}\n}}", Setting(64), Launch(KEYS, KEYS))


@pytest.mark.slow
@pytest.mark.parametrize("bits", ["128", "256", "512"])
def test_a_missing_barrier_is_seen_whatever_llvmpipe_takes_together(
    bits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes four, eight or 16 threads together, by the CPU's vectors."""
    monkeypatch.setenv("LP_NATIVE_VECTOR_WIDTH", bits)
    child = Child(running.open_context)
    launch = Launch(KEYS, np.full(200, -1), 4)
    try:
        for text in (PREFIX, *(each.answer for each in prefix_sums.mistakes[:4])):
            done = child.call(ran, text, Setting(64), launch, seconds=30).result
            assert (len({each.tobytes() for each in done.results}) == 1) == (text is PREFIX)
    finally:
        child.close()
