"""Lesson 18: what a statistic is, the definitions of both, and what their exercises share."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.keys.types import Integers, Keys
from shadersort.lessons.exercises import Case, Exercise, KernelRunner, Setting, ShaderRunner
from shadersort.lessons.exercises.kernel_runner import IN_SHARED, NO_ATOMIC, STEPS, blank_kernel

THREADS = 64

ALL_KEYS = "every block takes all keys"
SHARES = "Which threads share the work: those of a block, or those of all blocks?"
OTHER = 'Is the cell with lesson.choose("{}") missing?'


class Given(NamedTuple):
    """What a shader or a kernel is given."""

    keys: Integers  # for the mode in order
    numbers: tuple[int, ...] = ()  # for the trimmed mean its two ends
    copies: int = 0  # how many keys equal to the lower end stay


@dataclass(frozen=True, eq=False, slots=True)
class Statistic:
    """A statistic, with the exercises of its stages, and what the host does for stages 3 and 4."""

    name: str
    definition: Callable[[Keys], float]
    by_definition: Exercise
    by_order: Exercise
    by_drawing: Exercise
    by_kernel: Exercise
    prepare: Callable[[Integers], Given]  # before drawing or launching
    read_frame: Callable[[Given, Texels], float]  # returns the answer, given the frame of stage 3
    # Returns the answer by launches of the kernel of stage 4. The second argument launches it with
    # the numbers of the kernel, and returns `result`.
    launch: Callable[[Given, Callable[..., Integers]], float]


def trimmed_mean(keys: Keys) -> float:
    """Return the mean of the keys without a quarter at each end."""
    outside = len(keys) // 4
    return float(np.sort(keys)[outside : len(keys) - outside].mean())


def mode(keys: Keys) -> float:
    """Return the most frequent key; the smallest one of several."""
    different, counts = np.unique(keys, return_counts=True)
    return float(different[counts.argmax()])


def cases(rng: np.random.Generator) -> Iterator[Case]:
    """Yield keys: one, two, an even number, ties at the ends, all equal, negative, fractions."""
    for keys in (
        *([7], [9, 4], [5, 1, 9], [8, 1, 2, 12], [3, 3, 3, 3, 3], [1, 9, 9, 4, 4]),
        *([6, 2, 2, 2, 6, 6, 9, 1], [5, 5, 1, 5, 5, 7, 5, 5, 2], [-3, -8, 4, -3, 1000, 4, 0]),
        [0.5, -1.25, 0.5, 2.0, 7.75, 2.0],
    ):
        yield (np.array(keys),)
    yield (rng.integers(-6, 30, size=40),)
    yield (rng.integers(0, 12, size=101),)


def shader_runner(*names: str) -> ShaderRunner:
    """Return a runner of functions that are given the number of a texel."""
    return ShaderRunner("vec4 new_texel(int number)", "new_texel(number)", names, rules=("loop",))


def kernel_runner(start: Callable[[int], list[int]], *names: str) -> KernelRunner:
    """Return a runner; `start` gives what `result` holds before, for a number of keys."""
    rules = IN_SHARED, NO_ATOMIC
    text = blank_kernel("shared int first[THREADS], second[THREADS];")
    return KernelRunner(Setting(THREADS, names), start, rules=rules, turns=STEPS, text=text)
