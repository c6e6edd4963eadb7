"""Lesson 18: the trimmed mean, in four stages."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers, Keys
from shadersort.lessons.capstone import parts
from shadersort.lessons.capstone.parts import Given, Statistic, mode, trimmed_mean
from shadersort.lessons.exercises import SORTS, Case, Exercise, Mistake, PythonRunner, number_of
from shadersort.lessons.line.lines import key_of_rank

BY_DEFINITION = Exercise(
    *("by_definition", trimmed_mean, parts.cases),
    hints=(
        "In order, the keys to drop stand at both ends: np.sort(keys).",
        "len(keys) // 4 keys go at each end. Call this number d.",
        "A slice keeps the places from d to len(keys) - d; .mean() is the rest.",
    ),
    mistakes=(
        Mistake(
            "you cut with [d:-d], which keeps nothing where d is 0",
            lambda keys: np.sort(keys)[len(keys) // 4 : -(len(keys) // 4)].mean(),
            "-0 is 0, so [0:-0] is empty. Write the end as len(keys) - d.",
        ),
        Mistake("you computed the mode", mode, parts.OTHER.format("mode")),
    ),
    runner=PythonRunner(number_of),
)


def ends_of(keys: Keys) -> tuple[int, Any, Any]:
    """Return how many keys go at each end, and the smallest and the largest key that stay."""
    outside = len(keys) // 4
    low, high = (key_of_rank(keys, rank) for rank in (outside, len(keys) - 1 - outside))
    return outside, low, high


def _mean_within(keys: Any, compare: Callable[..., Any]) -> Any:
    """Return the mean of the keys within the ends, which `compare` compares."""
    _, low, high = ends_of(keys)
    return keys[compare(low, keys) & compare(keys, high)].mean()


BY_ORDER = Exercise(
    *("by_order", trimmed_mean, parts.cases),
    hints=(
        "With d = len(keys) // 4, the smallest key that stays has the rank d, and the largest "
        "the rank len(keys) - 1 - d. Call them low and high.",
        "All keys strictly between low and high stay. How many keys equal to low stay, and how "
        "many equal to high?",
        "np.sum(keys <= low) keys lie at the lower end, and d of them are dropped. So "
        "np.sum(keys <= low) - d copies of low stay.",
        "If low == high, everything that stays equals low. Otherwise: (the sum between + "
        "copies of low * low + copies of high * high) / (len(keys) - 2 * d).",
    ),
    mistakes=(
        Mistake(
            "you kept all keys that equal one of the ends",
            lambda keys: _mean_within(keys, np.less_equal),
            "Some of these are among the dropped ones: np.sum(keys <= low) - d stay.",
        ),
        Mistake(
            "you left out the keys that equal the ends",
            lambda keys: _mean_within(keys, np.less),
            "The ends themselves stay, and perhaps several of each.",
        ),
    ),
    runner=PythonRunner(
        number_of,
        forbidden=(*SORTS, "partition", "argpartition", "unique"),
        without_loop=True,
    ),
)


def _count_and_add(texels: Texels, inside: Any) -> Texels:
    drawn = np.zeros_like(texels)
    drawn[..., 0], drawn[..., 1] = inside.sum(2), np.where(inside, texels, 0).sum(2)
    return drawn


def _keys_and_bounds(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures with keys on the bounds, below and above; once with nothing between."""
    for height, width, low, high in ((1, 2, 2.0, 6.0), (2, 2, 3.0, 3.0), (2, 4, -1.0, 4.0)):
        yield rng.integers(-3, 8, size=(height, width, CHANNELS)).astype(np.float32), low, high


BY_DRAWING = Exercise(
    name="by_drawing",
    asks=(
        "Red is how many of the four keys of a texel are greater than low and less than high, "
        "green is their sum; blue and alpha are 0."
    ),
    specification=lambda texels, low, high: _count_and_add(
        texels, (low < texels) & (texels < high)
    ),
    cases=_keys_and_bounds,
    hints=(
        "Fetch the four keys: vec4 own = texel_of(number);",
        "As in lesson 6, vec4(greaterThan(own, vec4(low))) has 1.0 where a key is above the lower "
        "end. Multiplied by the same for the upper end it marks the keys between: inside.",
        "dot(inside, vec4(1.0)) counts them. What does dot(inside, own) add?",
    ),
    mistakes=(
        Mistake(
            "you counted keys that equal a bound",
            lambda texels, low, high: _count_and_add(texels, (low <= texels) & (texels <= high)),
            "Strictly between: greaterThan and lessThan. Stage 2 counts the bounds.",
        ),
    ),
    runner=parts.shader_runner("low", "high"),
)


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


BY_KERNEL = Exercise(
    name="by_kernel",
    asks="`result[0]` is the number of keys between `low` and `high`, without these, and "
    "`result[1]` their sum. Both are 0 at first. Only what a whole block has found goes to "
    "`result`, and there are no atomics in shared memory.",
    specification=_between,
    cases=_bounded,
    hints=(
        "Three parts: each thread counts and adds its own keys in variables; the steps of lesson "
        "10 add over the block; one thread adds to `result`.",
        "`for (int i = block * THREADS + thread; i < n; i += blocks * THREADS) { … }`, as in "
        "lesson 11, and in it `if (low < keys[i] && keys[i] < high) { count += 1; sum += keys[i]; "
        "}`",
        "`first[thread] = count; second[thread] = sum; barrier();`, and then the loop of steps, in "
        "which both arrays are added, with a barrier at the end of each turn. Thread 0 ends it.",
    ),
    mistakes=(
        Mistake(parts.ALL_KEYS, lambda *case: case[-1] * _between(*case), parts.SHARES),
        Mistake(
            "each thread takes one key only",
            lambda keys, *rest: _between(keys[: rest[-1] * parts.THREADS], *rest),
            "There may be more keys than threads: go on by blocks * THREADS.",
        ),
    ),
    runner=parts.kernel_runner(lambda n: [0, 0], "low", "high"),
)


def _prepare(keys: Integers) -> Given:
    """Select the two ends, and count how many copies of the lower one stay."""
    outside, low, high = map(int, ends_of(keys))
    return Given(keys, (low, high), int(np.count_nonzero(keys <= low)) - outside)


def _mean_of(given: Given, count: int, total: float) -> float:
    """Return the mean, given the keys between the ends by their count and their sum."""
    low, high = given.numbers
    if low == high:
        return float(low)
    kept = len(given.keys) - 2 * (len(given.keys) // 4)
    return (total + given.copies * low + (kept - count - given.copies) * high) / kept


def _read_frame(given: Given, frame: Texels) -> float:
    count, total = frame[..., :2].sum(axis=(0, 1), dtype=np.float64).tolist()
    return _mean_of(given, int(count), total)


TRIMMED_MEAN = Statistic(
    *("trimmed mean", trimmed_mean, BY_DEFINITION, BY_ORDER, BY_DRAWING, BY_KERNEL),
    prepare=_prepare,
    read_frame=_read_frame,
    launch=lambda given, ask: _mean_of(given, *ask(*given.numbers).tolist()),
)
