"""Lesson 18: the mode, in four stages."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers
from shadersort.lessons.capstone import parts
from shadersort.lessons.capstone.parts import Given, Statistic, mode, trimmed_mean
from shadersort.lessons.exercises import Case, Exercise, Mistake, PythonRunner, number_of

LARGEST = Mistake(
    "you took the largest of several keys that are equally frequent",
    lambda keys: -mode(-keys),
    "Take the smallest of them: argmax finds the first of several largest numbers.",
)

BY_DEFINITION = Exercise(
    *("by_definition", mode, parts.cases),
    hints=(
        "Which keys are there, and how often does each occur?",
        "np.unique(keys, return_counts=True) returns both, with the keys in order.",
        "counts.argmax() is the place of the largest count, and of several the first.",
    ),
    mistakes=(
        LARGEST,
        Mistake(
            "you returned how often the key occurs, and not the key",
            lambda keys: np.unique(keys, return_counts=True)[1].max(),
            "argmax of the counts is the place of the key.",
        ),
        Mistake("you computed the trimmed mean", trimmed_mean, parts.OTHER.format("trimmed mean")),
    ),
    runner=PythonRunner(number_of),
)


def _take_longest_unsorted(keys: Any) -> Any:
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    return keys[starts[np.diff(np.append(starts, len(keys))).argmax()]]


BY_ORDER = Exercise(
    *("by_order", mode, parts.cases),
    hints=(
        "ordered = np.sort(keys): equal keys are neighbours now, in runs.",
        "ordered[1:] != ordered[:-1] is True where a run begins, but for the first run.",
        "starts = np.flatnonzero(np.append(True, …)). A run ends where the next one begins, "
        "and the last at len(keys).",
        "np.diff(np.append(starts, len(keys))) are the lengths; argmax finds the first of the "
        "longest, and ordered[starts[…]] is its key.",
    ),
    mistakes=(
        Mistake(
            "you measured runs of the keys as they were given, without sorting",
            _take_longest_unsorted,
            "Equal keys are neighbours only after a sort.",
        ),
        LARGEST,
    ),
    runner=PythonRunner(
        number_of,
        forbidden=("unique", "bincount", "Counter", "most_common", "mode", "multimode"),
        without_loop=True,
    ),
)


def _mark_starts(texels: Texels, first: float = np.nan) -> Any:
    """Return 1 for each key that differs from the one before it; before the first is `first`."""
    before = np.append(first, texels.ravel()[:-1])
    return (texels.ravel() != before).astype(texels.dtype).reshape(texels.shape)


def _in_order(rng: np.random.Generator) -> Iterator[Case]:
    """Yield textures in order: runs that end inside of a texel, at its end, and all over."""
    for height, width, least, most in ((1, 2, 2, 5), (2, 2, -1, 1), (2, 4, -1, 9), (2, 2, 4, 5)):
        keys = np.sort(rng.integers(least, most, size=height * width * CHANNELS))
        keys[0] = least
        yield (keys.reshape(height, width, CHANNELS).astype(np.float32),)


BY_DRAWING = Exercise(
    name="by_drawing",
    asks=(
        "The keys are in order, texel by texel, and in a texel from red to alpha. Mark where a run "
        "of equal keys starts: a channel is 1 if its key differs from the key before it, else 0. "
        "The first key of all always starts a run."
    ),
    specification=_mark_starts,
    cases=_in_order,
    hints=(
        "Fetch the four keys: vec4 own = texel_of(number); Before green stands red, before blue "
        "green, before alpha blue.",
        "Before red stands the alpha of the texel before: texel_of(number - 1).a. So the four keys "
        "before are vec4(texel_of(number - 1).a, own.rgb).",
        "vec4(notEqual(own, before)) has 1.0 where two numbers differ.",
        "The first texel of all has none before it: if (number == 0) starts.r = 1.0;",
    ),
    mistakes=(
        Mistake(
            "you compared the first key of all with what lies outside of the texture",
            lambda texels: _mark_starts(texels, -1),
            "texel_of gives -1 there, and a key may be -1. Set the first channel yourself.",
        ),
    ),
    runner=parts.shader_runner(),
)


def _lengths(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys in order, with a length of runs, and a number of blocks."""
    for keys, length in (([2, 2, 5, 5, 5, 9], 2), ([2, 2, 5], 1), ([1, 2, 3], 2), ([4, 4], 3)):
        yield np.array(keys), length, 1
    yield np.full(30, 4), 30, 1
    yield np.sort(rng.integers(0, 20, size=65)), 4, 1
    yield np.sort(rng.integers(0, 99, size=200)), 1, 2
    yield np.sort(rng.integers(0, 99, size=500)), 7, 3
    yield np.sort(np.minimum(rng.geometric(0.02, size=2000), 300)), 50, 4


def _equal_runs(keys: Integers, length: int, blocks: int) -> Integers:
    """Return how many places begin `length` equal keys, and the first of them, or n."""
    places = np.arange(max(0, len(keys) - length + 1))
    found = places[keys[places] == keys[places + length - 1]]
    return np.array([len(found), *found, len(keys)])[:2]


BY_KERNEL = Exercise(
    name="by_kernel",
    asks="The keys are in order, and key i begins `length` equal keys if the key `length - 1` "
    "places further on equals it. `result[0]`, 0 at first, is how many keys do so, and "
    "`result[1]`, n at first, the first such place. Only what a whole block has found goes to "
    "`result`, and there are no atomics in shared memory.",
    specification=_equal_runs,
    cases=_lengths,
    hints=(
        "The keys are in order. So key i begins `length` equal keys if it equals the key "
        "`length - 1` places further on, and that place is before n.",
        "After `int count = 0, place = n;` comes `for (int i = block * THREADS + thread; "
        "i + length <= n; i += blocks * THREADS) { … }`, and in it `if (keys[i] == keys[i + length "
        "- 1]) { count += 1; place = min(place, i); }`",
        "`first[thread] = count; second[thread] = place; barrier();`, and then the steps of lesson "
        "10: `first` is added, and of `second` the smaller is kept, by min. Thread 0 ends it.",
    ),
    mistakes=(
        Mistake(parts.ALL_KEYS, lambda *case: _equal_runs(*case) * [case[-1], 1], parts.SHARES),
        Mistake(
            "you left out the last place: a run may end with the last key",
            lambda keys, *rest: _equal_runs(np.append(keys[:-1], np.nan), *rest),
            "With i + length == n the last key of all is the last of the run.",
        ),
    ),
    runner=parts.kernel_runner(lambda n: [0, n], "length"),
)


def _read_frame(given: Given, frame: Texels) -> float:
    starts = np.flatnonzero(frame.ravel())
    lengths = np.diff(np.append(starts, len(given.keys)))
    return float(given.keys[starts[lengths.argmax()]])


def _launch(given: Given, ask: Callable[..., Integers]) -> float:
    """Double a length until no run has it; then halve the bracket, as in lesson 10."""
    low, high, place, doubling = 1, 2, 0, True
    while doubling or high - low > 1:
        length = high if doubling else (low + high) // 2
        count, first = ask(length).tolist()
        if count:
            low, place = length, first
            high = 2 * length if doubling else high
        else:
            high, doubling = length, False
    return float(given.keys[place])


MODE = Statistic(
    *("mode", mode, BY_DEFINITION, BY_ORDER, BY_DRAWING, BY_KERNEL),
    prepare=lambda keys: Given(np.sort(keys)),
    read_frame=_read_frame,
    launch=_launch,
)
