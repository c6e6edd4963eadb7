"""Lesson 17: runs a student's right shaders and kernels, and times them on a device."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers, Keys
from shadersort.lessons.capstone.kernels import RUNNERS as KERNELS
from shadersort.lessons.capstone.shaders import RUNNERS as SHADERS
from shadersort.lessons.capstone.statistics import ends_of
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate
from shadersort.lessons.shared.opengl import context, device_name, open_kernel, open_shader
from shadersort.lessons.shared.timing import best_seconds

Ask = Callable[[Launch], Integers]
"""Launches a kernel; returns the two numbers of its `result`."""

BLOCKS = 16

EXACT, LIMIT = 1 << 24, 1 << 31
"""A float32 has every whole number up to the first; one of 32 bits is less than the second."""

SECONDS = 60.0
"""The longest time of a measurement."""

_child = Child(prepare=context)
"""The process that is timed. Only texts that were checked before come here."""


class Given(NamedTuple):
    """What a shader or a kernel is given."""

    keys: Integers  # for the mode in order
    numbers: tuple[int, ...] = ()  # for the trimmed mean its two ends
    copies: int = 0  # how many keys equal to the lower end stay


class Counted(NamedTuple):
    """What a version did."""

    answer: float
    launches: int  # of kernels, or passes that were drawn
    read: int  # bytes of keys, if each launch reads all keys once
    back: int  # bytes of results that came back to the host


class Timed(NamedTuple):
    """How long a version took on which device."""

    answer: float
    ms: float
    device: str


def find_fault(name: str, version: str, keys: Keys) -> str:
    """Return why "by_drawing" or "by_kernel" cannot take some keys; "" if it can."""
    if len(keys) == 0:
        return "needs one key at least"
    if keys.dtype.kind not in "iu":
        return f"takes whole numbers, not {keys.dtype}: try np.rint(1000 * keys).astype(int)"
    drawn = version == "by_drawing"
    if drawn and (rest := len(keys) % CHANNELS):
        out = f"leave out {rest}, or add {CHANNELS - rest}"
        return f"draws four keys in a texel, and {len(keys):,} is no multiple of 4: {out}"
    most = EXACT if drawn else LIMIT - 1
    if int(keys.max()) > most or int(keys.min()) < -most:
        which = "a float32 has all of these" if drawn else "more does not fit in 32 bits"
        return f"takes keys from {-most:,} to {most:,}: {which}"
    if not drawn and name == "trimmed mean":
        _, low, high = ends_of(keys)
        total = int(keys[(low < keys) & (keys < high)].sum(dtype=np.int64))
        if not -LIMIT <= total < LIMIT:
            return f"adds in 32 bits, and the sum between the ends is {total:,}: it does not fit"
    return ""


def prepare(name: str, keys: Integers) -> Given:
    """Sort keys for the mode, or select the two ends of a trimmed mean and count the lower one."""
    if name == "mode":
        return Given(np.sort(keys))
    outside, low, high = map(int, ends_of(keys))
    copies = 0 if low == high else int(np.count_nonzero(keys <= low)) - outside
    return Given(keys, (low, high), copies)


def _mean_of(given: Given, count: int, total: float) -> float:
    """Return a trimmed mean, given the keys between its ends by their count and their sum."""
    low, high = given.numbers
    if low == high:
        return float(low)
    kept = len(given.keys) - 2 * (len(given.keys) // 4)
    return (total + given.copies * low + (kept - count - given.copies) * high) / kept


def _mode_by_lengths(keys: Integers, ask: Callable[[int], Integers]) -> tuple[float, int]:
    """Return the mode of keys in order, and how often it was asked for runs of some length.

    The length is doubled until no run has it; then the bracket is halved, as in lesson 10.
    """
    low, high, place, asked, doubling = 1, 2, 0, 0, True
    while doubling or high - low > 1:
        length = high if doubling else (low + high) // 2
        count, first = ask(length).tolist()
        asked += 1
        if count:
            low, place = length, first
            high = 2 * length if doubling else high
        else:
            high, doubling = length, False
    return float(keys[place]), asked


def _texels_of(keys: Integers) -> Texels:
    """Return a texture with four keys in a texel, as nearly square as can be."""
    count = len(keys) // CHANNELS
    height = max(rows for rows in range(1, int(count**0.5) + 1) if count % rows == 0)
    return keys.astype(np.float32).reshape(height, count // height, CHANNELS)


def _answer_of_frame(name: str, given: Given, frame: Texels) -> float:
    """Return the statistic, given the frame of stage 3."""
    if name == "mode":
        starts = np.flatnonzero(frame.ravel())
        lengths = np.diff(np.append(starts, len(given.keys)))
        return float(given.keys[starts[lengths.argmax()]])
    count, total = frame[..., :2].sum(axis=(0, 1), dtype=np.float64).tolist()
    return _mean_of(given, int(count), total)


def _compute(name: str, given: Given, ask: Ask) -> tuple[float, int]:
    """Return the statistic by the kernel of stage 4, and the number of its launches."""
    launch = KERNELS[name].launch
    if name == "mode":
        return _mode_by_lengths(given.keys, lambda length: ask(launch(given.keys, length, BLOCKS)))
    count, total = ask(launch(given.keys, *given.numbers, BLOCKS)).tolist()
    return _mean_of(given, count, total), 1


def count_drawing(name: str, text: str, keys: Integers) -> Counted:
    """Run a right function of stage 3."""
    given = prepare(name, keys)
    texels = _texels_of(given.keys)
    frame = SHADERS[name].run(text, (texels, *map(float, given.numbers))).result
    return Counted(_answer_of_frame(name, given, frame), 1, texels.nbytes, frame.nbytes)


def count_kernel(name: str, text: str, keys: Integers) -> Counted:
    """Run a right kernel of stage 4 on the simulator."""
    given, setting = prepare(name, keys), KERNELS[name].setting
    answer, launches = _compute(
        name, given, lambda launch: simulate(text, setting, launch, orders=1).results[0]
    )
    return Counted(answer, launches, 4 * len(keys) * launches, 8 * launches)


def time_on_device(version: str, name: str, text: str, keys: Integers) -> Timed | None:
    """Time a right text in a child process; return None where no device runs it.

    Before the clock starts, the keys are in the memory of the device, and the text is compiled. The
    time ends when the answer is known.
    """
    work = {"by_drawing": _time_drawing, "by_kernel": _time_kernel}[version]
    timed: Timed | None = _child.call(work, name, text, keys, seconds=SECONDS).result
    return timed


def _time(work: Callable[[], float]) -> Timed:
    seconds = best_seconds(work, turns=5)
    return Timed(work(), 1e3 * seconds, device_name())


def _time_drawing(name: str, text: str, keys: Integers) -> Timed:
    given = prepare(name, keys)
    texels: Any = _texels_of(given.keys)
    height, width, _ = texels.shape
    whole = SHADERS[name].text(text, (width, height), tuple(map(float, given.numbers)))
    with open_shader(whole, {"keys": texels}, {}, texels.shape) as draw:
        return _time(lambda: _answer_of_frame(name, given, draw()[0]))


def _time_kernel(name: str, text: str, keys: Integers) -> Timed:
    given = prepare(name, keys)
    with open_kernel(text, KERNELS[name].setting, given.keys, 2) as ask:
        return _time(lambda: _compute(name, given, ask)[0])
