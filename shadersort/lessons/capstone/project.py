"""Lesson 17: all right versions of a student together, counted, compared and measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from shadersort.keys.types import Integers
from shadersort.lessons.capstone import measuring, running
from shadersort.lessons.capstone.exercises import STAGES, choice, facts
from shadersort.lessons.capstone.own_keys import fault, is_close, overflow
from shadersort.lessons.capstone.statistics import STATISTICS
from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.tables import Table
from shadersort.lessons.shared.timing import best_seconds

ON_HOST = ("by_definition", "by_order")
RUNS = {"by_drawing": running.by_drawing, "by_kernel": running.by_kernel}


@dataclass(frozen=True, eq=False, slots=True)
class Project:
    """The answers of a student that are right.

    Attributes
    ----------
    name
        The statistic.
    answers
        The right answers by the name of their stage.
    """

    name: str
    answers: Mapping[str, Any]

    def __repr__(self) -> str:
        ready = ", ".join(self.answers) or "no stage yet"
        return f"<Project: the {self.name}, right: {ready}>"

    def runs(self, keys: Integers) -> dict[str, running.Counted]:
        """Run the shader and the kernel on some keys: those that are right and take such keys."""
        out = self.faults(keys)
        ready = [each for each in RUNS if each in self.answers and each not in out]
        return {each: RUNS[each](self.name, self.answers[each], keys) for each in ready}

    def faults(self, keys: Integers) -> dict[str, str]:
        """Return why right versions cannot take some keys: a sentence for each of these."""
        told = {each: fault(each, keys) for each in RUNS if each in self.answers}
        return {version: f"{version} {why}" for version, why in told.items() if why}

    def counted(self, keys: Integers) -> Table:
        """Return a table of every right version: its answer, its launches, and its bytes."""
        right = STATISTICS[self.name](keys)

        def told(answer: float) -> tuple[str, str]:
            return f"{answer:.6g}", "yes" if is_close(answer, right, keys) else "NO"

        rows: list[tuple[str, ...]] = [
            (version, *told(running.on_host(self.answers[version], keys)), "", "", "")
            for version in ON_HOST
            if version in self.answers
        ]
        for version, ran in self.runs(keys).items():
            numbers = (f"{each:,}" for each in (ran.launches, ran.read, ran.back))
            rows.append((version, *told(ran.answer), *numbers))
        head = ("version", "answer", "right", "passes or launches", "bytes read", "bytes back")
        caption = f"the {self.name} of {len(keys):,} keys is {right:.6g}"
        if not rows:
            caption += "; no stage is right yet"
        notes = [*self.faults(keys).values()]
        if any(row[:3:2] == ("by_kernel", "NO") for row in rows):
            notes.append(overflow(self.name, keys))
        return Table(head, tuple(rows), ". ".join(filter(None, [caption, *notes])))

    def compared(self, answer: Any, keys: Integers) -> Table:
        """Return what a student's `facts` say of these runs, beside what was counted."""
        ran = self.runs(keys)
        head = ("", "by your facts", "counted")
        if not facts.check(answer).passed or "by_kernel" not in ran:
            caption = "This compares your facts with your runs, once facts and kernel are right."
            return Table(head, (), self.faults(keys).get("by_kernel", caption))
        kernel = ran["by_kernel"]
        read, back, frame, _ = answer(len(keys), kernel.launches, 1.0)
        rows = [
            ("bytes read by the launches", f"{read:,}", f"{kernel.read:,}"),
            ("bytes back from the launches", f"{back:,}", f"{kernel.back:,}"),
        ]
        if "by_drawing" in ran:
            rows.append(("bytes back by drawing", f"{frame:,}", f"{ran['by_drawing'].back:,}"))
        return Table(head, tuple(rows), f"{len(keys):,} keys; launches: {kernel.launches}")

    def measured(self, keys: Integers) -> list[Row]:
        """Time every right version that takes the keys; return rows with the device of each.

        A version that no device here can run has no row.
        The ends or a sort come before the shader and the kernel: `before_ms`, by NumPy.
        """
        out = self.faults(keys)
        before = 1e3 * best_seconds(partial(running.prepared, self.name, keys))
        rows: list[Row] = []
        for version, answer in self.answers.items():
            if version in out:
                continue
            if version in ON_HOST:
                ms = 1e3 * best_seconds(partial(running.on_host, answer, keys))
                rows.append({"version": version, "ms": ms, "before_ms": 0.0, "device": "NumPy"})
                continue
            if (timed := measuring.measured(version, self.name, answer, keys)) is None:
                continue
            row = {"version": version, "ms": timed.ms, "before_ms": before}
            rows.append({**row, "device": timed.device})
        return rows


def hand_in(*answers: Any) -> Project:
    """Return the project with the answers to the four stages, as far as they are right."""
    found = zip(STAGES, answers, strict=True)
    right = {stage.name: answer for stage, answer in found if stage.check(answer).passed}
    return Project(choice.name, right)


PARTS = {
    "trimmed mean": (
        ("select a key by `modern.median`, twice", "auto", 2),
        ("read all keys once", "max", 1),
    ),
    "mode": (("sort all keys", "sort", 1), ("read all keys once, for each launch", "max", 1)),
    "interquartile range": (("select a key by `modern.median`, twice", "auto", 2),),
    "median absolute deviation": (("select a key by `modern.median`, twice", "auto", 2),),
}
"""The parts of each statistic: what they do, how a record calls this, and how often."""


def recorded(name: str, modern: Record, n: int = 1 << 28) -> Table:
    """Return the recorded times of the parts of a statistic; none was recorded as a whole."""
    rows = []
    for told, what, times in PARTS[name]:
        of = {"distribution": "uniform", "dtype": "float32", "n": n, "what": what}
        (row,) = [row for row in modern.where(**of) if row["group"] in ("method", "peer")]
        rows.append((told, f"{times * row['ms']:.2f}", f"{times * row['reads']:.1f}"))
    caption = f"parts of the {name}, for 2^{n.bit_length() - 1} float32 keys: {modern.label}"
    return Table(("part", "ms", "in reads of the keys"), tuple(rows), caption)
