"""Lesson 17, stage 4: the part of a statistic that a kernel computes."""

from collections.abc import Callable, Iterator

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.capstone.stages import Stage
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import IN_SHARED, KernelRunner
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.pictures import show_results
from shadersort.lessons.exercises.kernels.simulator import Launch
from shadersort.lessons.exercises.mistakes import Mistake
from shadersort.lessons.exercises.runner import Case

THREADS = 64


def _runner(names: tuple[str, ...], start: Callable[[int], list[int]]) -> KernelRunner:
    """Return a runner; `start` gives what `result` holds before, for a number of keys."""

    def launch(keys: Integers, *numbers: int) -> Launch:
        *given, blocks = numbers
        return Launch(keys, np.array(start(len(keys))), blocks, tuple(given))

    return KernelRunner(Setting(THREADS, names), launch, rules=(IN_SHARED,), barriers=6)


RUNNERS = {
    "trimmed mean": _runner(("low", "high"), lambda n: [0, 0]),
    "mode": _runner(("length",), lambda n: [0, n]),
}

ALL_KEYS = "every block takes all keys"
SHARES = "Which threads share the work: those of a block, or those of all blocks?"


def _bounded(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys with two bounds, on which keys lie, and a number of blocks."""
    yield np.array([5, 1, 9, 5, 3]), 1, 9, 1
    yield np.full(30, 4), 4, 4, 1
    yield rng.integers(-20, 60, size=64), 0, 40, 1
    yield rng.integers(-20, 60, size=65), -5, 30, 1
    yield rng.integers(-20, 60, size=500), 0, 50, 3
    yield rng.integers(0, 100, size=2000), 25, 75, 4


def _between(keys: Integers, low: int, high: int, blocks: int) -> Integers:
    inside = keys[(low < keys) & (keys < high)]
    return np.array([len(inside), inside.sum()])


_trimmed = Exercise(
    name="by_kernel",
    specification=_between,
    cases=_bounded,
    hints=(
        "Three parts: each thread counts and adds its own keys in variables; the steps of lesson "
        "10 add over the block; one thread adds to `result`.",
        "`for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) { … }`, as in "
        "lesson 11, and in it `if (low < keys[i] && keys[i] < high) { count += 1; sum += keys[i]; "
        "}`",
        "`first[thread] = count; second[thread] = sum; barrier();`, and then the loop of steps, in "
        "which both arrays are added, with a barrier at the end of each turn.",
        "Thread 0 ends it: `atomicAdd(result[0], first[0]); atomicAdd(result[1], second[0]);`",
    ),
    mistakes=(
        Mistake(ALL_KEYS, lambda *case: case[-1] * _between(*case), SHARES),
        Mistake(
            "each thread takes one key only",
            lambda keys, *rest: _between(keys[: rest[-1] * THREADS], *rest),
            "There may be more keys than threads: go on by blocks * THREADS.",
        ),
        Mistake(
            "you counted keys that equal a bound",
            lambda keys, low, high, blocks: _between(keys, low - 1, high + 1, blocks),
            "Strictly between: stage 2 counts the bounds.",
        ),
    ),
    runner=RUNNERS["trimmed mean"],
    draw=show_results,
)


def _lengths(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys in order, with a length of runs, and a number of blocks."""
    yield np.array([2, 2, 5, 5, 5, 9]), 2, 1
    yield np.array([2, 2, 5, 5, 5, 9]), 1, 1
    yield np.array([1, 2, 3]), 2, 1
    yield np.full(30, 4), 30, 1
    yield np.array([4, 4]), 3, 1
    yield np.sort(rng.integers(0, 20, size=65)), 4, 1
    yield np.sort(rng.integers(0, 99, size=200)), 1, 2
    yield np.sort(rng.integers(0, 99, size=500)), 7, 3
    yield np.sort(np.minimum(rng.geometric(0.02, size=2000), 300)), 50, 4


def _equal_runs(keys: Integers, length: int, blocks: int) -> Integers:
    """Return how many places begin `length` equal keys, and the first of them, or n."""
    places = np.arange(max(0, len(keys) - length + 1))
    found = places[keys[places] == keys[places + length - 1]]
    return np.array([len(found), *found, len(keys)])[:2]


def _without_last(keys: Integers, length: int, blocks: int) -> Integers:
    count, first = _equal_runs(keys[:-1], length, blocks)
    return np.array([count, first if count else len(keys)])


_mode = Exercise(
    name="by_kernel",
    specification=_equal_runs,
    cases=_lengths,
    hints=(
        "The keys are in order. So key i begins `length` equal keys if it equals the key "
        "`length - 1` places further on, and that place is before n.",
        "After `int count = 0, place = n;` comes `for (int i = block * THREADS + thread; "
        "i + length <= n; i += blocks * THREADS) { … }`, and in it `if (keys[i] == keys[i + length "
        "- 1]) { count += 1; place = min(place, i); }`",
        "`first[thread] = count; second[thread] = place; barrier();`, and then the steps of lesson "
        "10: `first` is added, and of `second` the smaller is kept, by min.",
        "Thread 0 ends it: `atomicAdd(result[0], first[0]); atomicMin(result[1], second[0]);`",
    ),
    mistakes=(
        Mistake(ALL_KEYS, lambda *case: _equal_runs(*case) * [case[-1], 1], SHARES),
        Mistake(
            "you left out the last place: a run may end with the last key",
            _without_last,
            "With i + length == n the last key of all is the last of the run.",
        ),
    ),
    runner=RUNNERS["mode"],
    draw=show_results,
)

by_kernel = Stage("by_kernel", {"trimmed mean": _trimmed, "mode": _mode})
