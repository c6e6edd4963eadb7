"""Lesson 17: buttons that measure; nothing is measured before one is pressed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.capstone.exercises import STAGES
from shadersort.lessons.capstone.pictures import show_measured
from shadersort.lessons.capstone.project import Project
from shadersort.lessons.exercises.answers import missing
from shadersort.lessons.shared.pictures import Bundle, Picture, picture
from shadersort.lessons.shared.tables import Table, short
from shadersort.lessons.shared.timing import best_seconds

VERSIONS = tuple(stage.name for stage in STAGES)

IN_CACHE, IN_MEMORY = 1 << 17, 1 << 27
"""Numbers of keys, of four bytes: half a megabyte, and more than the caches of most machines."""

UNTIMED = "{} is left out: only a device can be timed, and none here has OpenGL 4.3."


def fault_of(guess: Any) -> str:
    """Return what is wrong with a guess, in a sentence; "" if it names each version once.

    Examples
    --------
    >>> fault_of([...])
    'Write your guess first: by_definition, by_order, by_drawing and by_kernel, the fastest first.'
    >>> fault_of(["by_order", "by_gpu"])
    "Your guess names 'by_gpu', and no version is called so."
    >>> fault_of(["by_order", "by_order", "by_kernel", "by_drawing"])
    'Name each version once: your guess has by_definition 0 times, by_order 2 times.'
    """
    names = [guess] if isinstance(guess, str) or missing(guess) else list(guess)
    if all(missing(each) for each in names):
        return (
            f"Write your guess first: {', '.join(VERSIONS[:-1])} and {VERSIONS[-1]}, "
            "the fastest first."
        )
    if unknown := [each for each in names if each not in VERSIONS]:
        told = ", ".join("a blank" if missing(each) else repr(each) for each in unknown)
        return f"Your guess names {told}, and no version is called so."
    if odd := [f"{each} {names.count(each)} times" for each in VERSIONS if names.count(each) != 1]:
        return f"Name each version once: your guess has {', '.join(odd)}."
    return ""


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Measurement:
    """A button that measures a project, once there is a guess.

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
        guess = fault_of(self.guess) or f"Your guess, the fastest first: {', '.join(self.guess)}."
        return f"In a running notebook a button measures here: {ready}.\n{guess}"

    def pressed(self) -> tuple[Picture, list[str]]:
        """Measure; return the picture, and the versions that no device here can run."""
        rows = self.project.measured(self.keys)
        shown = picture(
            show_measured(self.project.name, len(self.keys), rows, self.guess),
            "the milliseconds of each version, measured here, and the guess",
        )
        there = {row["version"] for row in rows} | {*self.project.faults(self.keys)}
        return shown, [each for each in self.project.answers if each not in there]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        return _bundle(self, bool(self.project.answers))

    def player(self) -> Any:
        """Return the widget: a button, and below it the picture, or what is missing."""
        return _player("Measure here", self._shown)

    def _shown(self) -> list[Any]:
        """Return the picture with a sentence for each version that does not take the keys."""
        import ipywidgets as widgets

        if wrong := fault_of(self.guess):
            return [widgets.Label(wrong)]
        left_out = [widgets.Label(each) for each in self.project.faults(self.keys).values()]
        if len(left_out) == len(self.project.answers):
            return left_out
        shown, missed = self.pressed()
        image = widgets.Image(value=shown.png, format="png")
        image.layout.width = f"{shown.width}px"
        return [image, *left_out, *(widgets.Label(UNTIMED.format(each)) for each in missed)]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Bandwidth:
    """A button that measures how fast NumPy reads keys of four bytes, in a cache and in memory.

    Attributes
    ----------
    sizes
        How many keys are read, by where they lie.
    """

    sizes: tuple[tuple[str, int], ...] = (("in a cache", IN_CACHE), ("in memory", IN_MEMORY))

    def __repr__(self) -> str:
        return "In a running notebook a button measures here how fast keys are read."

    def measured(self) -> Table:
        """Read the keys of each size several times, and return the fastest read."""
        rows = []
        for where, n in self.sizes:
            keys = np.ones(n, np.int32)  # pages that nobody wrote to would all be one page of zeros
            seconds = best_seconds(keys.max, turns=9)
            numbers = keys.nbytes / 1e6, 1e3 * seconds, keys.nbytes / seconds / 1e9
            rows.append((where, *map(short, numbers)))
        head = ("keys", "MB", "ms", "GB/s")
        return Table(head, tuple(rows), "np.max of int32 keys, measured here")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        return _bundle(self, True)

    def player(self) -> Any:
        """Return the widget: a button, and the table below it once it is pressed."""
        import ipywidgets as widgets

        return _player("Measure memory", lambda: [widgets.HTML(self.measured()._repr_html_())])


def _bundle(shown: Any, ready: bool) -> Bundle:
    """Return the widget of a button if there is something to measure, and its text."""
    data: dict[str, Any] = {"text/plain": repr(shown)}
    if not ready:
        return data, {}
    try:
        import ipywidgets  # noqa: F401
    except ModuleNotFoundError:
        return data, {}
    return {**shown.player()._repr_mimebundle_(), **data}, {}


def _player(name: str, work: Callable[[], list[Any]]) -> Any:
    """Return a button, which shows below it what some work returns."""
    import ipywidgets as widgets

    button = widgets.Button(description=name)
    box = widgets.VBox([button])

    def pressed(_: Any) -> None:
        button.disabled, button.description = True, "Measuring …"
        try:
            box.children = (button, *work())
        finally:
            button.disabled, button.description = False, "Measure again"

    button.on_click(pressed)
    return box
