"""Lesson 17: runs a student's own versions, and counts their launches and bytes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers
from shadersort.lessons.capstone.kernels import BY_KERNEL
from shadersort.lessons.capstone.shaders import RUNNERS
from shadersort.lessons.capstone.statistics import dropped, key_of_rank
from shadersort.lessons.exercises.kernel_runner import KernelRunner
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate

Ask = Callable[[tuple[int, ...]], Integers]
"""Launches a kernel with some numbers; returns the two numbers of its `result`."""

BLOCKS = 16


@dataclass(frozen=True, slots=True)
class Counted:
    """What a version did: its answer, its launches or passes, and the bytes that it moved.

    Attributes
    ----------
    answer
        The statistic.
    launches
        How many passes were drawn, or how many kernels were launched.
    read
        Bytes of keys that these read, if each reads all keys once.
    back
        Bytes of results that came back to the host.
    """

    answer: float
    launches: int
    read: int
    back: int


@dataclass(frozen=True, eq=False, slots=True)
class Given:
    """What a shader or a kernel is given.

    Attributes
    ----------
    keys
        The keys; for the mode in order.
    numbers
        For the trimmed mean its two ends.
    copies
        How many keys equal to the lower end stay; 0 if both ends are equal, as nobody asks then.
    """

    keys: Integers
    numbers: tuple[int, ...] = ()
    copies: int = 0


def prepared(name: str, keys: Integers) -> Given:
    """Sort keys for the mode, or select the two ends of a trimmed mean and count the lower one."""
    if name == "mode":
        return Given(np.sort(keys))
    outside = dropped(len(keys))
    low = int(key_of_rank(keys, outside))
    high = int(key_of_rank(keys, len(keys) - 1 - outside))
    upto = outside if low == high else np.count_nonzero(keys <= low)
    return Given(keys, (low, high), int(upto) - outside)


def mean_of(given: Given, count: int, total: float) -> float:
    """Return a trimmed mean, given the keys between its ends by their count and their sum.

    Examples
    --------
    >>> mean_of(prepared("trimmed mean", np.array([1, 2, 2, 3, 9])), 0, 0.0) == (2 + 2 + 3) / 3
    True
    """
    low, high = given.numbers
    if low == high:
        return float(low)
    kept = len(given.keys) - 2 * dropped(len(given.keys))
    return (total + given.copies * low + (kept - count - given.copies) * high) / kept


def mode_by_lengths(keys: Integers, ask: Ask) -> tuple[float, int]:
    """Return the mode of keys in order, and how often it was asked for runs of some length.

    The length is doubled until no run has it; then the bracket is halved, as in lesson 10.

    Examples
    --------
    >>> def ask(numbers):
    ...     run = [int(i + numbers[0] <= 5) for i in range(5)]
    ...     return np.array([sum(run), 0 if sum(run) else 5])
    >>> mode_by_lengths(np.full(5, 7), ask)
    (7.0, 5)
    """
    low, high, place, asked, doubling = 1, 2, 0, 0, True
    while doubling or high - low > 1:
        length = high if doubling else (low + high) // 2
        count, first = ask((length,)).tolist()
        asked += 1
        if count:
            low, place = length, first
            high = 2 * length if doubling else high
        else:
            high, doubling = length, False
    return float(keys[place]), asked


def texels_of(keys: Integers) -> Texels:
    """Return a texture with four keys in a texel, as nearly square as can be.

    Examples
    --------
    >>> texels_of(np.arange(32)).shape
    (2, 4, 4)
    """
    if len(keys) % CHANNELS:
        raise ValueError(f"{len(keys)} keys do not fill texels of {CHANNELS}")
    count = len(keys) // CHANNELS
    height = max(rows for rows in range(1, int(count**0.5) + 1) if count % rows == 0)
    return keys.astype(np.float32).reshape(height, count // height, CHANNELS)


def answer_of_frame(name: str, given: Given, frame: Texels) -> float:
    """Return the statistic, given the frame of stage 3."""
    if name == "mode":
        starts = np.flatnonzero(frame.ravel())
        lengths = np.diff(np.append(starts, len(given.keys)))
        return float(given.keys[starts[lengths.argmax()]])
    count, total = frame[..., :2].sum(axis=(0, 1), dtype=np.float64).tolist()
    return mean_of(given, int(count), total)


def computed(name: str, given: Given, ask: Ask) -> tuple[float, int]:
    """Return the statistic by the kernel of stage 4, and the number of its launches."""
    if name == "mode":
        return mode_by_lengths(given.keys, ask)
    count, total = ask(given.numbers).tolist()
    return mean_of(given, count, total), 1


def empty_result(name: str, n: int) -> Integers:
    """Return what `result` holds before a launch."""
    return np.array([0, n if name == "mode" else 0])


def by_drawing(name: str, text: str, keys: Integers) -> Counted:
    """Run a right function of stage 3 on the device at hand."""
    given = prepared(name, keys)
    texels = texels_of(given.keys)
    frame = RUNNERS[name].run(text, (texels, *map(float, given.numbers))).result
    return Counted(answer_of_frame(name, given, frame), 1, texels.nbytes, frame.nbytes)


def setting_of(name: str) -> Setting:
    """Return what the kernel of a statistic is written for."""
    runner = BY_KERNEL[name].runner
    assert isinstance(runner, KernelRunner)
    return runner.setting


def by_kernel(name: str, text: str, keys: Integers) -> Counted:
    """Run a right kernel of stage 4 without a GPU."""
    given = prepared(name, keys)
    back: list[int] = []

    def ask(numbers: tuple[int, ...]) -> Integers:
        launch = Launch(given.keys, empty_result(name, len(keys)), BLOCKS, numbers)
        (result,) = simulate(text, setting_of(name), launch, orders=1).results
        back.append(result.astype(np.int32).nbytes)
        return result

    answer, launches = computed(name, given, ask)
    return Counted(answer, launches, launches * given.keys.astype(np.int32).nbytes, sum(back))


def on_host(answer: Callable[[Any], float], keys: Integers) -> float:
    """Return what a version in NumPy makes of the keys."""
    return float(answer(keys))
