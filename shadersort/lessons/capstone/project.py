"""Lesson 17: all right versions of a student together, counted and measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.capstone import exercises, running
from shadersort.lessons.capstone.exercises import STAGES
from shadersort.lessons.capstone.parts import Statistic
from shadersort.lessons.shared.tables import Table, short
from shadersort.lessons.shared.timing import best_seconds

HEAD = ("version", "answer", "right", "passes or launches", "bytes read", "bytes back")
TIMES = ("device", "NumPy first, ms", "then, ms", "place in your guess")

CLOSE = 1e-6
"""Answers that are this close are the same: those by drawing are sums of float32."""

NO_GUESS = f"Write your guess first: {', '.join(STAGES)}, each once, the fastest first"
UNTIMED = "{} is left out: only a device can be timed, and none here has OpenGL 4.3"


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
                ran = running.Ran(float(answer(keys)), 0, ms, "NumPy")
            elif fault := running.find_fault(version, keys):
                told.append(f"{version} {fault}")
                continue
            elif found := running.run(name, version, answer, keys, timed=timed):
                ran, first = found, before
                back = 8 * ran.launches if version == "by_kernel" else size
                counts = (f"{ran.launches:,}", f"{size * ran.launches:,}", f"{back:,}")
            else:
                told.append(UNTIMED.format(version))
                continue
            near = np.isclose(ran.answer, right, rtol=CLOSE, atol=CLOSE * np.median(np.abs(keys)))
            row = (version, f"{ran.answer:.6g}", "yes" if near else "NO", *counts)
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
