"""Exercises with kernels: right ones are accepted, and races and other faults are named."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shadersort.lessons.median.kernels import sum_of_distances
from shadersort.lessons.exercises.kernels.dialect import cuda, glsl, shared_of
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.shared.kernels.faults import RACE
from shadersort.lessons.shared.kernels.mistakes import changed
from shadersort.lessons.shared.kernels.running import Launch, ran
from tests.right_kernels import RIGHT

every_kernel = pytest.mark.parametrize(
    ("exercise", "text"), RIGHT.items(), ids=[each.name for each in RIGHT]
)


SHORT = KernelExercise(
    name="copied",
    specification=lambda keys: keys,
    cases=lambda rng: [(np.arange(3),)],
    hints=("",),
    launch=lambda keys: Launch(keys, np.zeros(len(keys), int)),
)


def test_a_kernel_that_never_ends_is_stopped_and_the_next_one_runs() -> None:
    """llvmpipe lets each thread loop 65,535 times, so it takes many blocks to be slow."""
    endless = "void kernel() { while (n > 0) result[0] += 1; }"
    slow = replace(SHORT, launch=lambda keys: Launch(keys, np.zeros(3, int), 60_000), seconds=0.5)
    verdict = slow.check(endless)
    assert verdict.state == "wrong"
    assert "stopped after 0.5 seconds: does a loop never end?" in verdict.about
    assert SHORT.check("void kernel() { if (thread < n) result[thread] = keys[thread]; }").passed


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


@every_kernel
def test_a_race_is_named_whatever_caused_it(exercise: KernelExercise, text: str) -> None:
    """Without any barrier, kernels with shared memory depend on the order of the threads."""
    if not shared_of(text):
        return
    verdict = exercise.check(text.replace("barrier();", ""))
    assert verdict.state == "wrong"
    assert RACE in verdict.about or "behind the end" in verdict.about


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
