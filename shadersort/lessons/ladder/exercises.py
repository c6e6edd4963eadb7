"""Lesson 6, the same shaders today: the exercises."""

from collections.abc import Iterator, Sequence

import numpy as np

from shadersort.drawing.networks import network
from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Case, Exercise, PythonRunner, number_of
from shadersort.lessons.ladder.mistakes import AFTER_ONE_STEP, PREDICTED_MS
from shadersort.lessons.ladder.rates import BLENDING, WRITING, milliseconds_of, partners_of
from shadersort.lessons.ladder.shaders import counts_of_texel, largest_of_four


def _after_one_step(keys: Keys, partner: Keys) -> Keys:
    wires = np.arange(len(keys))
    other = keys[partner]
    return np.where(wires < partner, np.minimum(keys, other), np.maximum(keys, other))


def _some_steps(rng: np.random.Generator) -> Iterator[Case]:
    """Yield one comparator; then steps of every network, some with idle wires."""
    yield np.array([7, 2]), np.array([1, 0])
    yield np.array([2, 7]), np.array([1, 0])
    for name, n in (("pbsn", 8), ("bitonic", 8), ("odd-even-merge", 8), ("bitonic", 32)):
        for step in network(name, n).steps[:4]:
            yield rng.permutation(n), partners_of(step, n)


after_one_step = Exercise(
    name="after_one_step",
    specification=_after_one_step,
    cases=_some_steps,
    hints=(
        "keys[partner] has the keys that all texels fetch from their partners.",
        "The numbers of the texels are wires = np.arange(len(keys)). Where a number is smaller "
        "than the partner's, the texel keeps the smaller key.",
        "np.where(wires < partner, …, …) chooses between np.minimum and np.maximum of own "
        "and other.",
    ),
    runner=PythonRunner(without_loop=True),
    mistakes=AFTER_ONE_STEP,
)


predicted_ms = Exercise(
    name="predicted_ms",
    specification=milliseconds_of,
    cases=lambda rng: [
        (round(1e9 * WRITING), 0, WRITING, BLENDING),
        (0, round(1e9 * BLENDING), WRITING, BLENDING),
        (924_844_032, 0, WRITING, BLENDING),
        (924_844_032, 924_844_032, WRITING, BLENDING),
        (1 << 20, 1 << 19, 0.25, 0.125),
    ],
    hints=(
        f"If {WRITING} · 10⁹ texels take a second, how long does one take?",
        "copied / (writing * 1e9) is in seconds. So is the same for what is blended.",
        "Add both, and multiply by 1000: milliseconds are wanted.",
    ),
    runner=PythonRunner(
        number_of,
        forbidden=("milliseconds_of",),
    ),
    mistakes=PREDICTED_MS,
)

EXERCISES: Sequence[Exercise] = (after_one_step, predicted_ms, largest_of_four, counts_of_texel)
