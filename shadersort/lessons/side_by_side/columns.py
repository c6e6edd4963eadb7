"""Lesson 14: two texts side by side; letters in their comments mark the lines that do the same."""

import re
from dataclasses import dataclass
from html import escape

from shadersort.lessons.exercises.kernels.dialect import Setting, cuda, glsl, lines_of
from shadersort.palette import BLACK, FAINT

PRE = (
    "margin:0; padding:0; background:none; text-align:left; line-height:1.35; "
    "font-family:monospace; font-size:11px; "
    "white-space:pre-wrap; word-break:normal; overflow-wrap:break-word"
)
CELL = "width:50%; text-align:left; vertical-align:top"
LINE = "padding-left:10ch; text-indent:-10ch"
"""Long lines continue with an indent."""

LETTER = re.compile(r" *// ([A-Z])$")


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Columns:
    """Two texts by their titles."""

    texts: dict[str, str]

    def __repr__(self) -> str:
        """Return one text below the other, because two columns are too wide for a terminal."""
        return "\n".join(f"--- {title}\n{text}" for title, text in self.texts.items())

    def _repr_html_(self) -> str:
        heads = "".join(f'<th style="{CELL}">{escape(title)}</th>' for title in self.texts)
        cells = "".join(
            f'<td style="{CELL}"><pre style="{PRE}">{"".join(map(_html, text.splitlines()))}</pre>'
            "</td>"
            for text in self.texts.values()
        )
        table = "width:100%; table-layout:fixed"
        return f'<table style="{table}"><tr>{heads}</tr><tr>{cells}</tr></table>'


def _html(line: str) -> str:
    """Return a line with its letter in the margin."""
    letter = LETTER.search(line)
    badge = f"background:{FAINT}; color:{BLACK}"
    margin = f'<b style="{badge}">{letter[1]}</b> ' if letter else "  "
    return f'<div style="{LINE}">{margin}{escape(LETTER.sub("", line))}</div>'


def columns(shader: str, kernel: str, *numbers: str) -> Columns:
    """Return a fragment shader beside a kernel in CUDA C, which is given some numbers."""
    right = lines_of(cuda(kernel, Setting(numbers=numbers)))
    return Columns({"GLSL: a shader": lines_of(shader), "CUDA C: a kernel": right})


def spellings(kernel: str, *numbers: str) -> Columns:
    """Return a kernel in both languages."""
    setting = Setting(numbers=numbers)
    left, right = lines_of(glsl(kernel, setting)), lines_of(cuda(kernel, setting))
    return Columns({"GLSL: a compute shader": left, "CUDA C: a kernel": right})
