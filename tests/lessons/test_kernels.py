"""Kernels as compute shaders: four orders of threads, shared memory, barriers, errors."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from shadersort.errors import DeviceUnavailable
from shadersort.lessons.shared.child import Child
from shadersort.lessons.shared.kernels import running
from shadersort.lessons.shared.kernels.compiling import NotCompiled
from shadersort.lessons.shared.kernels.dialect import Setting
from shadersort.lessons.shared.kernels.exercise import in_child
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
        ("while n > 2 {}", "A condition stands in round brackets"),
        ("for i in n { }", "A loop is written for"),
        ("if (n > 1 and n < 5) return;", "`and` is written &&"),
        ("int x = n ** 2;", "x \\* x"),
        ("int x = n // 2;", "begins a comment"),
        ("# a comment", "comment begins with //"),
        ("bool b = True;", "written true and false"),
        ("int x = 2 * keys;", "keys\\[i\\]"),
        ("i = thread;", "its type stands before it"),
        ("int x = keys[1:3];", "no slices"),
        ("for step in range(6):", "A loop is written for"),
        ("for (int i = 0; i < 3) { }", "three parts"),
        ("if (thread = 0) return;", "compared by =="),
        ("int i = N;", "“N” is not declared"),
        ("int i = n > 1 ? 2;", "has three parts: behind :"),
        ("if (thread == 0); result[0] = 1;", "semicolon stands right behind"),
        ("for (int i = 0; i < min(n, 3); i += 1); { }", "semicolon stands right behind"),
        ("int i = threadIdx.x;", "Here they are thread, block"),
        ("__syncthreads();", "Here they are thread, block"),
        ("if (0 < keys[thread] < n) return;", "Two comparisons are joined by &&"),
        ("if (0 <= thread < n - 1) return;", "Two comparisons are joined by &&"),
        ("atomicAdd(&result[thread], 1);", "Give the place itself, without &"),
        ("int old = atomicMin(& result[0], keys[0]);", "Give the place itself, without &"),
        ("atomicAdd(result[0]);", "takes one place and a number"),
        ("{ int i = 0; }\n    i += 1;", "in a part that has ended"),
        ("int a, b; a, b = 1, 2;", "values to several names at once"),
        ("int a = 0; a =+ 1;", "=\\+, which only gives a value"),
    ],
)
def test_habits_of_python_are_named(line: str, instead: str) -> None:
    with pytest.raises(NotCompiled, match=instead):
        ran(f"void kernel() {{\n    {line}\n}}", Setting(64), Launch(KEYS, KEYS))


class FakeContext:
    """A context by a driver of this name, with this version of OpenGL."""

    def __init__(self, renderer: str, version: int) -> None:
        self.gl: Any = SimpleNamespace(info={"GL_RENDERER": ""}, version_code=version)
        self.renderer, self.released = renderer, False

    def __enter__(self) -> None:
        self.gl.info = {"GL_RENDERER": self.renderer}

    def __exit__(self, *error: object) -> None:
        self.gl.info = {"GL_RENDERER": ""}

    def release(self) -> None:
        self.released = True


GPU, CPU = ("NVIDIA H200", 430), ("llvmpipe (LLVM 15)", 430)


@pytest.mark.parametrize(
    ("egl", "window", "chosen"),
    [
        ([GPU, CPU], None, CPU),
        ([CPU, GPU], None, CPU),
        ([GPU, GPU], None, GPU),
        ([("llvmpipe", 330), GPU], None, GPU),
        ([], CPU, CPU),
        ([], GPU, GPU),
    ],
)
def test_kernels_run_on_a_cpu_where_they_can(
    monkeypatch: pytest.MonkeyPatch, egl: list[Any], window: Any, chosen: Any
) -> None:
    """Its threads take turns in a fixed order."""
    made: list[FakeContext] = []

    def opened(given: Any) -> FakeContext:
        if given is None:
            raise DeviceUnavailable("none")
        made.append(FakeContext(*given))
        return made[-1]

    monkeypatch.setattr(running, "egl_device_count", lambda: len(egl))
    monkeypatch.setattr(running, "EGLContext", lambda index: opened(egl[index] if egl else None))
    monkeypatch.setattr(running, "WindowContext", lambda: opened(window))
    found: Any = running.context.__wrapped__()
    assert (found.renderer, found.gl.version_code) == chosen
    assert [each.released for each in made] == [each is not found for each in made]


def test_without_compute_shaders_it_is_said_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = FakeContext("llvmpipe", 330)
    monkeypatch.setattr(running, "egl_device_count", lambda: 1)
    monkeypatch.setattr(running, "EGLContext", lambda index: old)
    with pytest.raises(DeviceUnavailable, match=r"kernels need OpenGL 4\.3"):
        running.context.__wrapped__()
    assert old.released


def test_errors_in_the_child_are_raised() -> None:
    with pytest.raises(RuntimeError, match="NotCompiled"):
        in_child(ran, "", Setting(64), Launch(KEYS, KEYS))


def test_the_context_of_this_machine_knows_its_driver() -> None:
    with running.context() as opened:
        assert opened.gl.info["GL_RENDERER"]


@pytest.mark.parametrize("bits", ["128", "256", "512"])
def test_a_missing_barrier_is_seen_whatever_llvmpipe_takes_together(bits: str) -> None:
    """It takes four, eight or 16 threads together, by the CPU's vectors."""
    child = Child(running.open_context, {"LP_NATIVE_VECTOR_WIDTH": bits})
    launch = Launch(KEYS, np.full(200, -1), 4)
    try:
        for text in (PREFIX, *(each.answer for each in prefix_sums.mistakes[:4])):
            done = child.call(ran, text, Setting(64), launch, seconds=30).result
            assert (len({each.tobytes() for each in done.results}) == 1) == (text is PREFIX)
    finally:
        child.close()
