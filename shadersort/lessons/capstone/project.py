"""Lesson 15: all right versions of a student together, counted, compared and measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from shadersort.keys.types import Integers
from shadersort.lessons.capstone import measuring, running
from shadersort.lessons.capstone.exercises import STAGES, choice, facts
from shadersort.lessons.capstone.pictures import show_measured
from shadersort.lessons.capstone.statistics import STATISTICS
from shadersort.lessons.shared.pictures import Bundle, Picture, picture
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
        """Run the shader and the kernel, as far as they are right, on some keys."""
        ready = {version: run for version, run in RUNS.items() if version in self.answers}
        return {
            version: run(self.name, self.answers[version], keys) for version, run in ready.items()
        }

    def counted(self, keys: Integers) -> Table:
        """Return a table of every right version: its answer, its launches, and its bytes."""
        rows: list[tuple[str, ...]] = [
            (version, f"{running.on_host(self.answers[version], keys):.6g}", "", "", "")
            for version in ON_HOST
            if version in self.answers
        ]
        for version, ran in self.runs(keys).items():
            numbers = (f"{each:,}" for each in (ran.launches, ran.read, ran.back))
            rows.append((version, f"{ran.answer:.6g}", *numbers))
        right = STATISTICS[self.name](keys)
        head = ("version", "answer", "passes or launches", "bytes read", "bytes back")
        caption = f"the {self.name} of {len(keys):,} keys is {right:.6g}"
        return Table(head, tuple(rows), caption if rows else f"{caption}; no stage is right yet")

    def compared(self, answer: Any, keys: Integers) -> Table:
        """Return what a student's `facts` say of these runs, beside what was counted."""
        ran = self.runs(keys)
        head = ("", "by your facts", "counted")
        if not facts.check(answer).passed or "by_kernel" not in ran:
            caption = "This compares your facts with your runs, once facts and kernel are right."
            return Table(head, (), caption)
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
        """Time every right version here; return rows with the device that ran each.

        Bounds or a sort come before the shader and the kernel: `before_ms`, by NumPy.
        """
        before = 1e3 * best_seconds(partial(running.prepared, self.name, keys))
        rows: list[Row] = []
        for version, answer in self.answers.items():
            if version in ON_HOST:
                ms = 1e3 * best_seconds(partial(running.on_host, answer, keys))
                rows.append({"version": version, "ms": ms, "before_ms": 0.0, "device": "NumPy"})
                continue
            timed = measuring.measured(version, self.name, answer, keys)
            row = {"version": version, "ms": timed.ms, "before_ms": before}
            rows.append({**row, "device": timed.device})
        return rows


def hand_in(*answers: Any) -> Project:
    """Return the project with the answers to the four stages, as far as they are right."""
    found = zip(STAGES, answers, strict=True)
    right = {stage.name: answer for stage, answer in found if stage.check(answer).passed}
    return Project(choice.name, right)


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Measurement:
    """A button that measures a project; nothing is measured before it is pressed.

    Attributes
    ----------
    project, keys
        What is measured.
    guess
        The versions in the order that the student expects, the fastest first.
    """

    project: Project
    keys: Integers
    guess: Sequence[str]

    def __repr__(self) -> str:
        ready = ", ".join(self.project.answers) or "none yet"
        return (
            f"In a running notebook a button measures here: {ready}.\n"
            f"Your guess, the fastest first: {', '.join(self.guess)}."
        )

    def pressed(self) -> Picture:
        """Measure, and return the picture."""
        rows = self.project.measured(self.keys)
        return picture(
            show_measured(self.project.name, len(self.keys), rows, self.guess),
            "the milliseconds of each version, measured here, and the guess",
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        data: dict[str, Any] = {"text/plain": repr(self)}
        if not self.project.answers:
            return data, {}
        try:
            import ipywidgets  # noqa: F401
        except ModuleNotFoundError:
            return data, {}
        return {**self.player()._repr_mimebundle_(), **data}, {}

    def player(self) -> Any:
        """Return the widget: a button, and the picture below it once it is pressed."""
        import ipywidgets as widgets

        button = widgets.Button(description="Measure here")
        box = widgets.VBox([button])

        def pressed(_: Any) -> None:
            button.disabled, button.description = True, "Measuring …"
            try:
                shown = self.pressed()
                image = widgets.Image(value=shown.png, format="png")
                image.layout.width = f"{shown.width}px"
                box.children = (button, image)
            finally:
                button.disabled, button.description = False, "Measure again"

        button.on_click(pressed)
        return box


PARTS = {
    "trimmed mean": (
        ("select a key (the median), twice", "auto", 2),
        ("read all keys once", "max", 1),
    ),
    "mode": (("sort all keys", "sort", 1), ("read all keys once, for each launch", "max", 1)),
    "interquartile range": (("select a key (the median), twice", "auto", 2),),
    "median absolute deviation": (("select a key (the median), twice", "auto", 2),),
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
