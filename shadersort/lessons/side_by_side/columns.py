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

    # the title and the lines of each text
    titles: tuple[str, str]
    texts: tuple[tuple[str, ...], tuple[str, ...]]
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
    return "".join(
        f'<div style="padding-left:{HANG}; text-indent:-{HANG}">{_margin(letter)}{escape(line)}'
        "</div>"
        for line, letter in zip(lines, letters, strict=True)
    )


def _margin(letter: str) -> str:
    return f'<b style="{BADGE}">{letter}</b> ' if letter else "  "


def beside(left: str, right: str, *, titles: tuple[str, str], same: Pairs = ()) -> Columns:
    r"""Return two texts side by side.

    `same` has pairs of parts of lines, one in each text, that do the same: both lines get the
    letter A, those of the next pair B, and so on. The first line with the part counts; without
    one, a ValueError is raised.
    """
    texts = (tuple(left.rstrip().splitlines()), tuple(right.rstrip().splitlines()))
    letters = tuple(
        _lettered(lines, [pair[side] for pair in same]) for side, lines in enumerate(texts)
    )
    return Columns(titles, texts, (letters[0], letters[1]))


def _lettered(lines: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the letter of each line."""
    letters = [""] * len(lines)
    for letter, part in zip(ascii_uppercase, wanted, strict=False):
        letters[_line_with(part, lines)] += letter
    return tuple(letters)


def _line_with(part: str, lines: Sequence[str]) -> int:
    """Return the number of the first line with a part."""
    for number, line in enumerate(lines):
        if part in line:
            return number
    raise ValueError(f"no line has {part!r}")
