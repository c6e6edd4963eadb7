"""Lesson 17: all right versions of a student together, counted and measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.capstone import running
from shadersort.lessons.capstone.exercises import STAGES
from shadersort.lessons.capstone.stages import Stage
from shadersort.lessons.capstone.statistics import STATISTICS
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.tables import Table, short
from shadersort.lessons.shared.timing import best_seconds

VERSIONS = tuple(stage.name for stage in STAGES)
RUNS = {"by_drawing": running.count_drawing, "by_kernel": running.count_kernel}

CLOSE = 1e-6
"""Answers that are this close are the same: those by drawing are sums of float32."""

NO_GUESS = f"Write your guess first: {', '.join(VERSIONS)}, each once, the fastest first."
UNTIMED = "{} is left out: only a device can be timed, and none here has OpenGL 4.3"


@dataclass(frozen=True, eq=False, slots=True)
class Project:
    """The answers of a student that are right."""

    name: str  # the statistic
    answers: Mapping[str, Any]  # by the name of their stage

    def __repr__(self) -> str:
        return f"<Project: the {self.name}, right: {', '.join(self.answers) or 'no stage yet'}>"

    def faults(self, keys: Integers) -> dict[str, str]:
        """Return why right versions cannot take some keys: a sentence for each of these."""
        found = {each: running.find_fault(self.name, each, keys) for each in RUNS}
        return {
            each: f"{each} {why}" for each, why in found.items() if why and each in self.answers
        }

    def counted(self, keys: Integers) -> Table:
        """Return a table of every right version: its answer, its launches, and its bytes."""
        right, faults, rows = STATISTICS[self.name](keys), self.faults(keys), []
        for version, answer in self.answers.items():
            if version in faults:
                continue
            numbers = ["", "", ""]
            if version in RUNS:
                found, *counts = RUNS[version](self.name, answer, keys)
                numbers = [f"{each:,}" for each in counts]
            else:
                found = float(answer(keys))
            close = np.isclose(found, right, rtol=CLOSE, atol=CLOSE * np.median(np.abs(keys)))
            rows.append((version, f"{found:.6g}", "yes" if close else "NO", *numbers))
        head = ("version", "answer", "right", "passes or launches", "bytes read", "bytes back")
        caption = f"the {self.name} of {len(keys):,} keys is {right:.6g}"
        if not self.answers:
            caption += "; no stage is right yet"
        return Table(head, tuple(rows), ". ".join([caption, *faults.values()]))

    def measured(self, keys: Integers, guess: Any) -> Table:
        """Time every right version, once there is a guess; return a table, the fastest first."""
        head = ("version", "device", "NumPy first, ms", "then, ms", "place in your guess")
        if not isinstance(guess, list) or {*guess} != {*VERSIONS}:
            return Table(("",), (), NO_GUESS)
        faults, found = self.faults(keys), []
        before = 1e3 * best_seconds(partial(running.prepare, self.name, keys))
        for version, answer in self.answers.items():
            if version in faults:
                continue
            if version not in RUNS:
                found.append((0.0, 1e3 * best_seconds(partial(answer, keys)), "NumPy", version))
            elif timed := running.time_on_device(version, self.name, answer, keys):
                found.append((before, timed.ms, timed.device, version))
            else:
                faults[version] = UNTIMED.format(version)
        rows = tuple(
            (version, device, short(first), short(then), str(guess.index(version) + 1))
            for first, then, device, version in sorted(found, key=lambda row: row[0] + row[1])
        )
        caption = f"the {self.name} of {len(keys):,} keys, measured here"
        return Table(head, rows, ". ".join([caption, *faults.values()]))


def hand_in(*answers: Any) -> Project:
    """Return the project with the answers to the four stages, as far as they are right."""
    found = zip(STAGES, answers, strict=True)
    right = {stage.name: answer for stage, answer in found if stage.check(answer).passed}
    return Project(Stage.statistic, right)


PARTS = {
    "read all keys once": "max",
    "select a key by `modern.median`": "auto",
    "sort all keys": "sort",
}
"""Parts of statistics, and how a record calls them."""


def recorded_parts(modern: Record) -> Table:
    """Return recorded times of what statistics consist of."""
    rows = []
    for told, what in PARTS.items():
        of = {"distribution": "uniform", "dtype": "float32", "n": 1 << 28, "what": what}
        (row,) = [row for row in modern.where(**of) if row["group"] in ("method", "peer")]
        rows.append((told, f"{row['ms']:.2f}", f"{row['reads']:.1f}"))
    head = ("part", "ms", "in reads of the keys")
    return Table(head, tuple(rows), f"parts of statistics, for 2^28 float32 keys: {modern.label}")
