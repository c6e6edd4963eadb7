"""Kernels that students write: how they are spelled, how they run, and what is seen of them."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from shadersort.errors import DeviceUnavailable
from shadersort.lessons.buckets.kernels import HISTOGRAM, block_histogram
from shadersort.lessons.median.kernels import DISTANCES, SUM, distances, sum_of_distances
from shadersort.lessons.shared.kernels import running
from shadersort.lessons.shared.kernels.dialect import Setting, checked, cuda, glsl, shared_of
from shadersort.lessons.shared.kernels.exercise import (
    APART,
    RACE,
    KernelExercise,
    in_child,
)
from shadersort.lessons.shared.kernels.mistakes import changed
from shadersort.lessons.shared.kernels.pictures import MOST, show_results, show_sums
from shadersort.lessons.shared.kernels.running import ORDERS, Launch, NotCompiled, ran
from shadersort.lessons.side_by_side.compacted import COMPACTED, compacted
from shadersort.lessons.side_by_side.prefix_sums import PREFIX, prefix_sums
from shadersort.lessons.side_by_side.select_round import ROUND, select_round

RIGHT = {
    distances: DISTANCES,
    sum_of_distances: SUM,
    block_histogram: HISTOGRAM,
    prefix_sums: PREFIX,
    compacted: COMPACTED,
    select_round: ROUND,
}
every_kernel = pytest.mark.parametrize(
    ("exercise", "text"), RIGHT.items(), ids=[each.name for each in RIGHT]
)

TORN = changed(
    SUM,
    ("        barrier();  // all have added\n", ""),
    ("step];\n", "step];\n            barrier();\n"),
)

KEYS = np.arange(200)

SHORT = KernelExercise(
    name="copied",
    specification=lambda keys: keys,
    cases=lambda rng: [(np.arange(3),)],
    hints=("",),
    launch=lambda keys: Launch(keys, np.zeros(len(keys), int)),
)


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
    assert APART in sum_of_distances.check(TORN).about


def test_blocks_that_wait_for_ever_are_noticed() -> None:
    """llvmpipe ends them, and some write nothing at all."""
    inside = SUM.replace("    if (i < n)", "    if (i < n) {\n        if (i < n)").rstrip() + "\n}"
    assert APART in sum_of_distances.check(inside).about


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
        ("void main() {}", "it has no function `void kernel"),
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
    ],
)
def test_habits_of_python_are_named(line: str, instead: str) -> None:
    with pytest.raises(NotCompiled, match=instead):
        ran(f"void kernel() {{\n    {line}\n}}", Setting(64), Launch(KEYS, KEYS))


def test_a_kernel_that_never_ends_is_stopped_and_the_next_one_runs() -> None:
    """llvmpipe lets each thread loop 65,535 times, so it takes many blocks to be slow."""
    endless = "void kernel() { while (n > 0) result[0] += 1; }"
    slow = replace(SHORT, launch=lambda keys: Launch(keys, np.zeros(3, int), 60_000), seconds=0.5)
    verdict = slow.check(endless)
    assert verdict.state == "wrong"
    assert "stopped after 0.5 seconds: does a loop never end?" in verdict.about
    assert SHORT.check("void kernel() { if (thread < n) result[thread] = keys[thread]; }").passed


class FakeContext:
    """A context by a driver of this name, with this version of OpenGL."""

    def __init__(self, renderer: str, version: int) -> None:
        self.gl: Any = SimpleNamespace(info={"GL_RENDERER": renderer}, version_code=version)
        self.released = False

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
    assert (found.gl.info["GL_RENDERER"], found.gl.version_code) == chosen
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


@every_kernel
def test_right_kernels_are_accepted_and_spelled_in_both_languages(
    exercise: KernelExercise, text: str
) -> None:
    assert exercise.check(text).passed
    for language, words in (
        (glsl, ("layout(local_size_x = 64) in;", "void main() {", "gl_LocalInvocationID")),
        (cuda, ('extern "C" __global__ void kernel(', "threadIdx.x", "int* result")),
    ):
        written = language(text, exercise.setting)
        assert all(word in written for word in words)
        assert "void kernel()" not in written
    assert ("__shared__" in cuda(text, exercise.setting)) == bool(shared_of(text))


def test_comments_keep_their_words() -> None:
    text = "// a shared barrier()\nvoid kernel() {\n    barrier(); // thread: atomicAdd(x)\n}\n"
    written = cuda(text, Setting(8))
    assert "// a shared barrier()" in written
    assert "    __syncthreads(); // thread: atomicAdd(x)" in written
    assert "threadIdx" not in written, "no thread asks for its number"
    assert "barrier(); //" not in checked(text, Setting(8))


@every_kernel
def test_a_race_is_named_whatever_caused_it(exercise: KernelExercise, text: str) -> None:
    """Without any barrier, kernels with shared memory depend on the order of the threads."""
    if not shared_of(text):
        return
    verdict = exercise.check(text.replace("barrier();", ""))
    assert verdict.state == "wrong"
    assert RACE in verdict.about or "behind the end" in verdict.about


def test_what_does_not_race_is_not_called_a_race() -> None:
    verdict = sum_of_distances.check(changed(SUM, ("step > 0", "step > 1")))
    assert RACE not in verdict.about


@pytest.mark.parametrize("dotted", [None, ..., "void kernel() {\n    ...  // your code here\n}"])
def test_a_blank_is_not_yet_an_answer(dotted: Any) -> None:
    verdict = distances.check(dotted)
    assert (verdict.state, verdict.about) == ("not yet", "")


ALONE = """
shared int sums[THREADS];

void kernel() {
    int i = block * THREADS + thread;
    sums[thread] = i < n ? abs(keys[i] - pivot) : 0;
    barrier();
    int sum = 0;
    for (int j = 0; j < THREADS; ++j) sum += sums[j];
    if (thread == 0) result[block] = sum;
}
"""


def test_one_thread_that_does_the_work_of_all_is_noticed() -> None:
    verdict = sum_of_distances.check(ALONE)
    assert verdict.state == "wrong"
    assert "too few: 1 for each thread, and steps of all threads need at least 6" in verdict.about


@every_kernel
def test_kernels_are_tried_on_another_machine(exercise: KernelExercise, text: str) -> None:
    asked = []

    def launch(text: str, keys: Any, result: Any, numbers: Any, **options: int) -> Any:
        asked.append((text, options))
        given = Launch(keys, result, options["blocks"], numbers, beyond=int(keys[0]))
        return machine[0](given)

    machine: list[Callable[[Launch], Any]] = [
        lambda given: ran(text, exercise.setting, given).results[0]
    ]
    assert exercise.check_on(launch, text).startswith(f"{exercise.name}, as CUDA C: right in")
    assert asked[0] == (cuda(text, exercise.setting), {"blocks": 1, "threads": 64})
    machine[0] = lambda given: given.result
    assert exercise.check_on(launch, text) == (
        f"{exercise.name}, as CUDA C: wrong in case 1 of "
        f"{len(list(exercise.cases(np.random.default_rng(0))))}"
    )
    asked.clear()
    for unfit in ("...", changed(text, ("void kernel", "void kernels"))):
        said = f"{exercise.name}: first it must be right without a GPU"
        assert exercise.check_on(launch, unfit) == said
    assert not asked, "no GPU is asked to run what is wrong here"


def test_pictures_show_the_first_wrong_part() -> None:
    yours, expected = np.arange(100), np.arange(100)
    yours[50] = 0
    axes: Any = show_results((), yours, expected).axes
    labels = [label.get_text() for label in axes[0].get_xticklabels()]
    assert len(labels) == MOST
    assert "50" in labels
    assert len(axes[0].lines) == 1, "one place is crossed out"
    steps: Any = show_sums(np.arange(8)).axes
    assert [len(ax.texts) for ax in steps] == [8, 4, 2, 1]
    assert steps[-1].texts[0].get_text() == "28"
