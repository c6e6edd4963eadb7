"""The result of checking an answer, and how a notebook or a terminal shows it."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import chain, repeat
from typing import Any, Literal

import numpy as np

from shadersort.lessons.shared.mistakes import Mistake
from shadersort.lessons.shared.pictures import picture
from shadersort.pictures.matplotlib_types import Figure

State = Literal["right", "wrong", "not yet"]

MIME = "application/vnd.shadersort.verdict+json"
"""The type under which a notebook stores name and state for `scripts.lessons`."""

MARKS = {"right": "✓", "wrong": "✗", "not yet": "…"}

MOST_SHOWN = 64
"""The largest array that is written in full."""


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Verdict:
    """The result of checking an answer.

    Attributes
    ----------
    exercise, state
        The name of the exercise, and "right", "wrong" or "not yet".
    about
        The number of right cases; the case that was wrong, and how; or what an unfinished answer
        lacks.
    hints
        The hints that are shown unless the answer is right.
    case, yours, expected
        The arguments of the smallest case that failed, what the answer made of them, and what is
        right.
    figure
        Draws "yours" beside "expected"; returns None where they cannot be drawn.
    mistake
        The mistake behind a wrong answer, or None if it is not known.
    names
        The names of the arguments after the first, as far as they have names.
    """

    exercise: str
    state: State
    about: str = ""
    hints: tuple[str, ...] = ()
    case: tuple[Any, ...] | None = None
    yours: Any = None
    expected: Any = None
    figure: Callable[[], Figure | None] = lambda: None
    mistake: Mistake | None = None
    names: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the answer is right."""
        return self.state == "right"

    @property
    def headline(self) -> str:
        """The verdict in one line."""
        if self.state == "not yet":
            if self.about:
                return f"{self.exercise}: not yet, {self.about}"
            return (
                f"{self.exercise}: not yet. Write it in place of the dots, and run the cell again."
            )
        return f"{self.exercise}: {self.state}, {self.about}"

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
        given = ", ".join(f"{sign}{shown(argument)}" for sign, argument in named)
        rows = [("given", given)]
        if self.yours is not None:
            rows.append(("yours", shown(self.yours)))
            if place := first_difference(self.yours, self.expected):
                rows.append(("differs", place))
        return [*rows, ("expected", shown(self.expected))]

    def __repr__(self) -> str:
        lines = [self.headline]
        for name, value in self.rows():
            lines.append(f"  {name:9} " + value.replace("\n", "\n" + " " * 12))
        if self.mistake:
            lines.append(f"  mistake   {self.diagnosis} {self.mistake.hint}".rstrip())
        if not self.passed and self.hints:
            count = len(self.hints)
            calls = [f"lesson.{self.exercise}.hint({n})" for n in range(1, count + 1)]
            lines.append(f"  hints     {', '.join(calls)}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Show the headline, a table of the case that failed, and hints that open one by one."""
        cells = "".join(
            f"<tr><th>{name}</th><td><pre>{escape(value)}</pre></td></tr>"
            for name, value in self.rows()
        )
        table = f"<table>{cells}</table>" if cells else ""
        hints = "" if self.passed else hints_html(self.hints)
        head = f"<p><b>{MARKS[self.state]} {escape(self.headline)}</b></p>"
        return f"{head}{mistake_html(self.mistake, self.diagnosis)}{table}{hints}"

    def _ipython_display_(self) -> None:
        """Show the verdict in a notebook, and below it the picture of the case, if any."""
        from IPython.display import display

        bundle = {
            "text/plain": repr(self),
            "text/html": self._repr_html_(),
            MIME: {"exercise": self.exercise, "state": self.state},
        }
        display(bundle, raw=True)  # type: ignore[no-untyped-call]
        if (figure := self.figure()) is not None:
            display(picture(figure, "yours beside expected"))  # type: ignore[no-untyped-call]


def mistake_html(mistake: Mistake | None, diagnosis: str) -> str:
    """Return what is said of a mistake, with its own hint to open below it.

    Examples
    --------
    >>> mistake_html(Mistake("you added", None, "Multiply."), "It looks as if you added.")[:66]
    '<p>It looks as if you added.</p><details><summary>How to go on</su'
    """
    if mistake is None:
        return ""
    said = f"<p>{escape(diagnosis)}</p>"
    if not mistake.hint:
        return said
    opened = f"<summary>How to go on</summary><p>{escape(mistake.hint)}</p>"
    return f"{said}<details>{opened}</details>"


def hints_html(hints: tuple[str, ...]) -> str:
    """Return nested hints: each opens inside the one before it.

    Examples
    --------
    >>> hints_html(("Look.", "Look again."))[:57]
    '<details><summary>Hint 1</summary><p>Look.</p><details><s'
    """
    html = ""
    for number in reversed(range(len(hints))):
        text = escape(hints[number])
        html = f"<details><summary>Hint {number + 1}</summary><p>{text}</p>{html}</details>"
    return html


def first_difference(yours: Any, expected: Any) -> str:
    """Return the first place at which two arrays of one shape differ, if they are shortened.

    Examples
    --------
    >>> first_difference(np.arange(100) // 70, np.zeros(100, int))
    'first at place 70: 1, where 0 is expected'
    >>> first_difference(np.arange(3), np.zeros(3, int))
    ''
    """
    if not isinstance(expected, np.ndarray) or expected.size <= MOST_SHOWN:
        return ""
    mine = np.asarray(yours)
    if mine.shape != expected.shape or mine.dtype.kind not in "biuf":
        return ""
    different = (mine != expected) & ((mine == mine) | (expected == expected))
    if not different.any():
        return ""
    at = tuple(np.argwhere(different)[0].tolist())
    place = str(at[0]) if len(at) == 1 else str(at)
    return f"first at place {place}: {mine[at]}, where {expected[at]} is expected"


def shown(value: Any) -> str:
    """Return a value as Python code; long arrays are shortened."""
    if isinstance(value, np.ndarray):
        with np.printoptions(threshold=MOST_SHOWN, edgeitems=4, linewidth=90):
            return repr(value)
    return repr(value)
