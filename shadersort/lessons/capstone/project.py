"""Lesson 18: all right versions of a student together, counted and measured."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from shadersort.drawing.passes import CHANNELS
from shadersort.keys.types import Integers, Keys
from shadersort.lessons.capstone import exercises
from shadersort.lessons.capstone.exercises import STAGES, STATISTICS
from shadersort.lessons.capstone.parts import Statistic
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.exercises.kernels.simulator import simulate
from shadersort.lessons.shared.tables import Table, short
from shadersort.lessons.shared.timing import best_seconds

BLOCKS = 16

EXACT = 1 << 24
"""A float32 has every whole number up to this one."""

_child = Child()
"""The process that draws and is timed. Only texts that were checked before come here."""

HEAD = ("version", "answer", "right", "passes or launches", "bytes read", "bytes back")
TIMES = ("device", "NumPy first, ms", "then, ms", "place in your guess")

CLOSE = 1e-6
"""Answers that are this close are the same: those by drawing are sums of float32."""

NO_GUESS = f"Write your guess first: {', '.join(STAGES)}, each once, the fastest first"
UNTIMED = "{} is left out: only a device can be timed, and none here has OpenGL 4.3"


class Ran(NamedTuple):
    """What a version did, and how long it took on which device."""

    answer: float
    launches: int  # of kernels, or passes that were drawn
    ms: float = 0.0
    device: str = ""


def find_fault(version: str, keys: Keys) -> str:
    """Return why "by_drawing" or "by_kernel" cannot take some keys; "" if it can."""
    if keys.dtype.kind not in "iu" or not len(keys):
        return "takes whole numbers, one at least: try np.rint(1000 * keys).astype(int)"
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
    ran: Ran | None = _child.call(_run, name, version, text, keys, timed, seconds=60.0).result
    return ran


def _run(name: str, version: str, text: str, keys: Integers, timed: bool) -> Ran:
    if timed or version == "by_drawing":
        from shadersort.lessons.shared.opengl import device_name, open_kernel, open_shader
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


@dataclass(frozen=True, eq=False, slots=True)
class Project:
    """The answers of a student that are right."""

    statistic: Statistic
    answers: Mapping[str, Any]  # by the name of their stage

    def __repr__(self) -> str:
        right = ", ".join(self.answers) or "no stage yet"
        return f"<Project: the {self.statistic.name}, right: {right}>"

    def table(self, keys: Integers, guess: Any = None) -> Table:
        """Run every right version; return its answer and what it read, launched and returned.

        With a guess, the names of all stages in an order, every version is timed, too: the fastest
        one comes first.
        """
        name, size, rows = self.statistic.name, 4 * len(keys), []
        right, timed = self.statistic.definition(keys), False
        told = [f"the {name} of {len(keys):,} keys is {right:.6g}"]
        if guess is not None:
            timed = isinstance(guess, list) and {*guess} == {*STAGES}
            told += [] if timed else [NO_GUESS]
        before = 1e3 * best_seconds(partial(self.statistic.prepare, keys)) if timed else 0.0
        for version, answer in self.answers.items():
            first, counts = 0.0, ("", "", "")
            if version in STAGES[:2]:
                ms = 1e3 * best_seconds(partial(answer, keys)) if timed else 0.0
                ran = Ran(float(answer(keys)), 0, ms, "NumPy")
            elif fault := find_fault(version, keys):
                told.append(f"{version} {fault}")
                continue
            elif found := run(name, version, answer, keys, timed=timed):
                ran, first = found, before
                back = 8 * ran.launches if version == "by_kernel" else size
                counts = (f"{ran.launches:,}", f"{size * ran.launches:,}", f"{back:,}")
            else:
                told.append(UNTIMED.format(version))
                continue
            near = np.isclose(ran.answer, right, rtol=CLOSE, atol=CLOSE * np.median(np.abs(keys)))
            row: tuple[str, ...] = (version, f"{ran.answer:.6g}", "yes" if near else "NO", *counts)
            if timed:
                place = str(guess.index(version) + 1)
                row = (*row, ran.device, short(first), short(ran.ms), place)
            rows.append((first + ran.ms, row))
        rows.sort(key=lambda each: each[0])
        head = (*HEAD, *TIMES) if timed else HEAD
        return Table(head, tuple(row for _, row in rows), ". ".join(told))


def hand_in(*answers: Any) -> Project:
    """Return the project with the answers to the four stages, as far as they are right."""
    found = zip(STAGES, answers, strict=True)
    right = {name: each for name, each in found if getattr(exercises, name).check(each).passed}
    return Project(exercises.chosen, right)
