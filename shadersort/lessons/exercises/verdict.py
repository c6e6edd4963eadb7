"""The result of checking an answer, and how a notebook or a terminal shows it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import chain, repeat
from typing import Any, Literal

import numpy as np

from shadersort.lessons.exercises.comparing import MOST_SHOWN, first_difference
from shadersort.lessons.exercises.outcomes import Mistake
from shadersort.lessons.shared.pictures import picture
from shadersort.pictures.matplotlib_types import Figure

State = Literal["right", "wrong", "not yet"]

MIME = "application/vnd.shadersort.verdict+json"
"""The type under which a notebook stores name and state for `scripts.lessons`."""

BLANK = ". Write it in place of the dots, and run the cell again."
MARKS = {"right": "✓", "wrong": "✗", "not yet": "…"}


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Verdict:
    """The result of checking an answer."""

    exercise: str  # the name of the exercise
    state: State
    about: str = ""  # in how many cases it is right; how it is wrong; or what is not finished
    hints: tuple[str, ...] = ()  # are shown unless the answer is right
    case: tuple[Any, ...] | None = None  # the arguments of the smallest case that failed
    yours: Any = None  # what the answer made of the case
    expected: Any = None  # what is right
    figure: Callable[[], Figure | None] = lambda: None  # draws both, if they can be drawn
    mistake: Mistake | None = None  # what is behind a wrong answer, if it is known
    names: tuple[str, ...] = ()  # of the arguments after the first, as far as they have names
    piece: Any = None  # a page that checks the answer in place of this machine

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.state == "right"

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        about = f", {self.about}" if self.about else BLANK
        return f"{self.exercise}: {self.state}{about}"

    @property
    def diagnosis(self) -> str:
        """What went wrong, as a sentence, if the mistake is known; "" otherwise."""
        return f"It looks as if {self.mistake.said}." if self.mistake else ""

    def rows(self) -> list[tuple[str, str]]:
        """Return the rows of a table of the case that failed."""
        if self.case is None:
            return []
        signs = chain([""], (f"{name} = " for name in self.names), repeat(""))
        named = zip(signs, self.case, strict=False)
        rows = [("given", ", ".join(f"{sign}{_show(argument)}" for sign, argument in named))]
        if self.yours is not None:
            rows.append(("yours", _show(self.yours)))
            if place := first_difference(self.yours, self.expected):
                rows.append(("differs", place))
        return [*rows, ("expected", _show(self.expected))]

    def __repr__(self) -> str:
        lines = [self.headline]
        for name, value in self.rows():
            lines.append(f"  {name:9} " + value.replace("\n", "\n" + " " * 12))
        if self.mistake:
            lines.append(f"  mistake   {self.diagnosis} {self.mistake.hint}".rstrip())
        if not self.passed and self.hints:
            calls = [f"lesson.{self.exercise}.hint({n + 1})" for n in range(len(self.hints))]
            lines.append(f"  hints     {', '.join(calls)}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Show the headline, a table of the case that failed, and hints that open one by one."""
        said = f"<p><b>{MARKS[self.state]} {_coded(self.headline)}</b></p>"
        if self.mistake:
            said += f"<p>{_coded(self.diagnosis)}</p>"
        if self.mistake and self.mistake.hint:
            said += _details("How to go on", self.mistake.hint)
        cells = "".join(
            f"<tr><th>{name}</th><td><pre>{escape(value)}</pre></td></tr>"
            for name, value in self.rows()
        )
        said += f"<table>{cells}</table>" if cells else ""
        hints = ""
        for number in () if self.passed else range(len(self.hints), 0, -1):
            hints = _details(f"Hint {number}", self.hints[number - 1], hints)
        return said + hints

    def _ipython_display_(self) -> None:
        """Show the verdict in a notebook, and below it the picture of the case, or a piece."""
        from IPython.display import display

        bundle = {
            "text/plain": repr(self),
            "text/html": self._repr_html_(),
            MIME: {"exercise": self.exercise, "state": self.state},
        }
        display(bundle, raw=True)  # type: ignore[no-untyped-call]
        if (figure := self.figure()) is not None:
            display(picture(figure, "yours beside expected"))  # type: ignore[no-untyped-call]
        if self.piece is not None:
            display(self.piece)  # type: ignore[no-untyped-call]


def _details(summary: str, text: str, inside: str = "") -> str:
    """Return a text that opens below a summary, and what opens inside it."""
    return f"<details><summary>{summary}</summary><p>{_coded(text)}</p>{inside}</details>"


def _coded(text: str) -> str:
    """Return a text as HTML, with code where it has backticks."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _show(value: Any) -> str:
    """Return a value as Python code; long arrays are shortened, and floats have twelve digits."""
    with np.printoptions(threshold=MOST_SHOWN, edgeitems=4, linewidth=90):
        return repr(_round(value))


def _round(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.12g}")
    return type(value)(map(_round, value)) if type(value) in (list, tuple) else value
