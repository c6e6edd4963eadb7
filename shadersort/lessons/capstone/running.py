"""Lesson 17: runs a student's right shaders and kernels, and times them on a device."""

from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers, Keys
from shadersort.lessons.capstone.exercises import STATISTICS
from shadersort.lessons.exercises.child import Child, ChildUnavailable
from shadersort.lessons.exercises.kernels.simulator import simulate
from shadersort.lessons.shared.opengl import context, device_name, open_kernel, open_shader
from shadersort.lessons.shared.timing import best_seconds

BLOCKS = 16

EXACT = 1 << 24
"""A float32 has every whole number up to this one."""

SECONDS = 60.0
"""The longest time of a measurement."""

_child = Child(prepare=context)
"""The process that draws and is timed. Only texts that were checked before come here."""


class Ran(NamedTuple):
    """What a version did, and how long it took on which device."""

    answer: float
    launches: int  # of kernels, or passes that were drawn
    ms: float = 0.0
    device: str = ""


def find_fault(version: str, keys: Keys) -> str:
    """Return why "by_drawing" or "by_kernel" cannot take some keys; "" if it can."""
    if len(keys) == 0:
        return "needs one key at least"
    if keys.dtype.kind not in "iu":
        return f"takes whole numbers, not {keys.dtype}: try np.rint(1000 * keys).astype(int)"
    if int(keys.max()) > EXACT or int(keys.min()) < -EXACT:
        return f"takes keys from {-EXACT:,} to {EXACT:,}: a float32 has all of these"
    if version == "by_drawing" and (rest := len(keys) % CHANNELS):
        out = f"leave out {rest}, or add {CHANNELS - rest}"
        return f"draws four keys in a texel, and {len(keys):,} is no multiple of 4: {out}"
    return ""


def run(name: str, version: str, text: str, keys: Integers, *, timed: bool) -> Ran | None:
    """Run a right function of stage 3, or a right kernel of stage 4; None if no device runs it.

    A kernel that is not timed runs on the simulator. Before the clock starts, the keys are in the
    memory of the device, and the text is compiled. The time ends when the answer is known.
    """
    if version == "by_kernel" and not timed:
        return _run(name, version, text, keys, timed)
    ran: Ran | None = None
    with suppress(ChildUnavailable):
        ran = _child.call(_run, name, version, text, keys, timed, seconds=SECONDS).result
    return ran


def _run(name: str, version: str, text: str, keys: Integers, timed: bool) -> Ran:
    statistic, launches = STATISTICS[name], 0
    runner: Any = getattr(statistic, version).runner
    given = statistic.prepare(keys)
    with ExitStack() as stack:
        if version == "by_drawing":
            count = len(keys) // CHANNELS  # a texture as nearly square as can be
            height = max(rows for rows in range(1, int(count**0.5) + 1) if count % rows == 0)
            texels: Any = given.keys.astype(np.float32).reshape(height, -1, CHANNELS)
            size = count // height, height
            whole = runner.text(text, size, tuple(map(float, given.numbers)))
            draw = stack.enter_context(open_shader(whole, {"keys": texels}, {}, texels.shape))

            def work() -> float:
                return statistic.read_frame(given, draw()[0])

        else:
            launch: Any = partial(simulate, text, runner.setting, orders=1)
            if timed:
                launch = stack.enter_context(open_kernel(text, runner.setting, given.keys, 2))

            def ask(*numbers: int) -> Integers:
                nonlocal launches
                launches += 1
                found = launch(runner.launch(given.keys, *numbers, BLOCKS))
                result: Integers = found if timed else found.results[0]
                return result

            def work() -> float:
                return statistic.launch(given, ask)

        ran = Ran(work(), launches or 1)
        seconds = best_seconds(work, turns=5) if timed else 0.0
        return ran._replace(ms=1e3 * seconds, device=device_name()) if timed else ran
