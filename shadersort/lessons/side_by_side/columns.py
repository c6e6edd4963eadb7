"""Two texts side by side, with letters at the lines that do the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from string import ascii_uppercase

from shadersort.palette import BLACK, FAINT

PRE = (
    "margin:0; padding:0; background:none; text-align:left; line-height:1.35; "
    "font-family:monospace; font-size:11px; "
    "white-space:pre-wrap; word-break:normal; overflow-wrap:break-word"
)

CELL = "width:50%; text-align:left; vertical-align:top"

BADGE = f"background:{FAINT}; color:{BLACK}"

HANG = "10ch"

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Columns:
    """Two texts side by side."""

    titles: tuple[str, str]
    texts: tuple[tuple[str, ...], tuple[str, ...]]  # the lines of each text
    letters: tuple[tuple[str, ...], tuple[str, ...]]  # the letter of each line, often ""

    def __repr__(self) -> str:
        """Return one text below the other, because two columns are too wide for a terminal."""
        found = []
        for title, lines, letters in zip(self.titles, self.texts, self.letters, strict=True):
            found.append(f"--- {title}")
            found += [
                f"{letter:1} {line}".rstrip() for letter, line in zip(letters, lines, strict=True)
            ]
        return "\n".join(found)

    def _repr_html_(self) -> str:
        heads = "".join(f'<th style="{CELL}">{escape(title)}</th>' for title in self.titles)
        cells = "".join(
            f'<td style="{CELL}"><pre style="{PRE}">{_html(lines, letters)}</pre></td>'
            for lines, letters in zip(self.texts, self.letters, strict=True)
        )
        table = "width:100%; table-layout:fixed"
        return f'<table style="{table}"><tr>{heads}</tr><tr>{cells}</tr></table>'


def _html(lines: Iterable[str], letters: Iterable[str]) -> str:
    """Return lines with letters in the margin; long lines continue with an indent."""
    found = []
    for line, letter in zip(lines, letters, strict=True):
        margin = f'<b style="{BADGE}">{letter}</b> ' if letter else "  "
        style = f"padding-left:{HANG}; text-indent:-{HANG}"
        found.append(f'<div style="{style}">{margin}{escape(line)}</div>')
    return "".join(found)


def beside(left: str, right: str, *, titles: tuple[str, str], same: Pairs = ()) -> Columns:
    r"""Return two texts side by side.

    `same` has pairs of parts of lines, one in each text, that do the same: both lines get the
    letter A, those of the next pair B, and so on. The first line with the part counts; without
    one, a ValueError is raised.
    """
    one, other = left.rstrip().splitlines(), right.rstrip().splitlines()
    letters = _letters(one, [each for each, _ in same]), _letters(other, [each for _, each in same])
    return Columns(titles, (tuple(one), tuple(other)), letters)


def _letters(lines: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the letter of each line."""
    letters = [""] * len(lines)
    for letter, part in zip(ascii_uppercase, wanted, strict=False):
        place = next((at for at, line in enumerate(lines) if part in line), None)
        if place is None:
            raise ValueError(f"no line has {part!r}")
        letters[place] += letter
    return tuple(letters)
