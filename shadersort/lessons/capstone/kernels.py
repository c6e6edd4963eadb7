"""Lesson 17, stage 4: the part of a statistic that a kernel computes."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.capstone.blocks import RULES, mistakes_of_blocks
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.shared.kernels.exercise import KernelExercise
from shadersort.lessons.shared.kernels.mistakes import mistake
from shadersort.lessons.shared.kernels.pictures import show_results
from shadersort.lessons.shared.kernels.running import Launch
from shadersort.lessons.shared.mistakes import Case

THREADS = 64


def _bounded(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys with two bounds, on which keys lie, and a number of blocks."""
    yield np.array([5, 1, 9, 5, 3]), 1, 9, 1
    yield np.full(30, 4), 4, 4, 1
    yield rng.integers(-20, 60, size=64), 0, 40, 1
    yield rng.integers(-20, 60, size=65), -5, 30, 1
    yield rng.integers(-20, 60, size=500), 0, 50, 3
    yield rng.integers(0, 100, size=3000), 25, 75, 4


def _between(keys: Integers, low: int, high: int, blocks: int) -> Integers:
    inside = keys[(low < keys) & (keys < high)]
    return np.array([len(inside), inside.sum()])


LOOP = "int i = block * THREADS + thread; i < n; i += blocks * THREADS"

REDUCED = """
    first[thread] = count;
    second[thread] = {other};
    barrier();
    for (int step = THREADS / 2; step > 0; step /= 2) {{
        if (thread < step) {{
            first[thread] += first[thread + step];
            {joined}
        }}
        barrier();  // all have added
    }}
    if (thread == 0) {{
        atomicAdd(result[0], first[0]);
        {atomic}(result[1], second[0]);
    }}
}}
"""

BETWEEN = f"""
shared int first[THREADS], second[THREADS];

void kernel() {{
    int count = 0, sum = 0;
    for ({LOOP}) {{
        if (low < keys[i] && keys[i] < high) {{
            count += 1;
            sum += keys[i];
        }}
    }}""" + REDUCED.format(
    other="sum", joined="second[thread] += second[thread + step];", atomic="atomicAdd"
)

EQUAL_RUNS = """
shared int first[THREADS], second[THREADS];

void kernel() {
    int count = 0, place = n;
    for (int i = block * THREADS + thread; i + length <= n; i += blocks * THREADS) {
        if (keys[i] == keys[i + length - 1]) {
            count += 1;
            place = min(place, i);
        }
    }""" + REDUCED.format(
    other="place",
    joined="second[thread] = min(second[thread], second[thread + step]);",
    atomic="atomicMin",
)


_trimmed = KernelExercise(
    name="by_kernel",
    specification=_between,
    cases=_bounded,
    setting=Setting(THREADS, numbers=("low", "high")),
    launch=lambda keys, low, high, blocks: Launch(
        keys, np.zeros(2, int), blocks, (low, high), beyond=(low + high) // 2
    ),
    draw=show_results,
    rules=RULES,
    barriers=6,
    most_barriers=24,
    hints=(
        "Three parts: each thread counts and adds its own keys in variables; the steps of lesson "
        "10 add over the block; one thread adds to `result`.",
        f"The keys of this thread, as in lesson 11: `for ({LOOP}) {{ … }}`",
        "In it: `if (low < keys[i] && keys[i] < high) { count += 1; sum += keys[i]; }`",
        "`first[thread] = count; second[thread] = sum; barrier();`, and then the loop of steps, in "
        "which both arrays are added, with a barrier at the end of each turn.",
        "Thread 0 ends it: `atomicAdd(result[0], first[0]); atomicAdd(result[1], second[0]);`",
    ),
    mistakes=(
        *mistakes_of_blocks(BETWEEN),
        mistake(
            "you counted keys that equal a bound",
            BETWEEN,
            ("low < keys[i]", "low <= keys[i]"),
            ("keys[i] < high", "keys[i] <= high"),
            hint="Strictly between: stage 2 counts the bounds.",
        ),
        mistake(
            "you counted keys that equal the lower bound",
            BETWEEN,
            ("low < keys[i]", "low <= keys[i]"),
        ),
    ),
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
    yield np.sort(np.minimum(rng.geometric(0.02, size=3000), 300)), 50, 4


def _equal_runs(keys: Integers, length: int, blocks: int) -> Integers:
    """Return how many places begin `length` equal keys, and the first of them, or n."""
    places = np.arange(max(0, len(keys) - length + 1))
    found = places[keys[places] == keys[places + length - 1]]
    return np.array([len(found), *found, len(keys)])[:2]


_mode = KernelExercise(
    name="by_kernel",
    specification=_equal_runs,
    cases=_lengths,
    setting=Setting(THREADS, numbers=("length",)),
    launch=lambda keys, length, blocks: Launch(
        keys, np.array([0, len(keys)]), blocks, (length,), beyond=int(keys[-1])
    ),
    draw=show_results,
    rules=RULES,
    barriers=6,
    most_barriers=24,
    hints=(
        "The keys are in order. So key i begins `length` equal keys if it equals the key "
        "`length - 1` places further on, and that place is before n.",
        "The places of this thread: `for (int i = block * THREADS + thread; i + length <= n; "
        "i += blocks * THREADS) { … }`, with `int count = 0, place = n;` before.",
        "In it: `if (keys[i] == keys[i + length - 1]) { count += 1; place = min(place, i); }`",
        "`first[thread] = count; second[thread] = place; barrier();`, and then the steps of lesson "
        "10: `first` is added, and of `second` the smaller is kept, by min.",
        "Thread 0 ends it: `atomicAdd(result[0], first[0]); atomicMin(result[1], second[0]);`",
    ),
    mistakes=(
        *mistakes_of_blocks(EQUAL_RUNS),
        mistake(
            "you looked `length` places ahead: of `length` keys the last is `length - 1` places on",
            EQUAL_RUNS,
            ("i + length - 1]", "i + length]"),
            ("i + length <= n", "i + length < n"),
        ),
        mistake(
            "you left out the last place: a run may end with the last key",
            EQUAL_RUNS,
            ("i + length <= n", "i + length < n"),
            hint="With i + length == n the last key of all is the last of the run.",
        ),
        mistake(
            "you looked beyond the last key",
            EQUAL_RUNS,
            ("i + length <= n", "i < n"),
            hint="i + length - 1 must be below n.",
        ),
        mistake(
            "you compared neighbours, however long the run",
            EQUAL_RUNS,
            ("i + length - 1]", "i + 1]"),
            hint="In order, all keys between two equal ones are equal, too: look far ahead.",
        ),
        mistake(
            "you kept the last place, and not the first",
            EQUAL_RUNS,
            ("place = min(place, i)", "place = i"),
            hint="min(place, i): a thread meets several places.",
        ),
        mistake(
            "each block overwrites the place of the others",
            EQUAL_RUNS,
            ("atomicMin(result[1], second[0])", "result[1] = second[0]"),
            hint="The smallest place of all blocks: atomicMin.",
        ),
        mistake(
            "you returned the key, and not its place",
            EQUAL_RUNS,
            ("place = min(place, i)", "place = min(place, keys[i])"),
        ),
    ),
)

BY_KERNEL: Mapping[str, KernelExercise] = MappingProxyType(
    {"trimmed mean": _trimmed, "mode": _mode}
)
"""The exercise of stage 4 for each statistic."""
