"""Fills figures from records into Markdown.

    python -m bench.fill      # the README and the pages of docs/

A block of a page has its template in a comment, and the filled text below it:

    <!-- fill one-read-nvidia-h200; n=2^28; data=uniform
    | `one-read` | {ms 3; what=select n/2; dtype=float32} ms |
    -->
    | `one-read` | 0.305 ms |
    <!-- end -->

A placeholder is `{SOURCE COLUMN FORMAT; field=value; …}`: the column of the rows of a source with
these fields. Source and fields may stand in the first line of the block. Several rows give their
least and largest figure. `{a / b}` divides the means of two of these. A format is a number of
significant digits (2 unless it is given) or one of Python. `max:`, `min:`, `mean:`, `count:` or
`swing:` before a column make one figure of all rows; a swing is the largest over the least of equal
keys. A value may be `2^28`, `!x` (not x) or `most` (the largest). `device` and `label` are words.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from bench.shared.options import Options, command
from bench.shared.record import Library, Record, Row
from bench.shared.words import span, three

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
BLOCK = re.compile(r"(<!-- fill ?([^\n]*)\n(.*?)\n-->\n).*?(<!-- end -->\n)", re.DOTALL)
PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


class Sources(Protocol):
    """Records, or what else has rows, by name."""

    def __contains__(self, name: str, /) -> bool:
        """Return whether there is a source of this name."""

    def __getitem__(self, name: str, /) -> Record:
        """Return a source."""


@command(__doc__)
def main(options: Options) -> None:
    """Fill all pages."""
    for page in PAGES:
        page.write_text(fill_page(page.read_text(encoding="utf-8"), Library()), encoding="utf-8")


def fill_page(text: str, sources: Sources) -> str:
    """Return a page with the text below each template filled in again."""

    def fill_block(found: re.Match[str]) -> str:
        head, defaults, template, end = found.groups()
        name, *fields = (part.strip() for part in defaults.split(";"))
        return f"{head}{fill_text(template, sources, name, fields)}\n{end}"

    return BLOCK.sub(fill_block, text)


def fill_text(text: str, sources: Sources, name: str = "", fields: Sequence[str] = ()) -> str:
    """Return a text with its placeholders filled; name and fields are the defaults of a block."""

    def figure_of(found: re.Match[str]) -> str:
        terms = [_Term(part, sources, name, fields) for part in found[1].split(" / ")]
        if len(terms) == 1:
            return terms[0].word or terms[0].written(terms[0].figures)
        ratio = terms[0].mean() / terms[1].mean()
        return terms[0].written([ratio])

    return PLACEHOLDER.sub(figure_of, text)


class _Term:
    """One side of a placeholder: the figures of some rows, and how they are written."""

    def __init__(self, text: str, sources: Sources, name: str, defaults: Sequence[str]) -> None:
        head, *fields = (part.strip() for part in text.split(";"))
        words = head.split()
        source = sources[words.pop(0) if words[0] in sources else name]
        self.text, self.format = text, words[1] if len(words) > 1 else "2"
        *reduced, self.column = words[0].split(":")
        self.rows: Sequence[Row] = source.rows
        self.word = str(getattr(source, self.column)) if self.column in ("device", "label") else ""
        for field, value in dict(each.split("=", 1) for each in (*defaults, *fields)).items():
            self.rows = _chosen(self.rows, field, value)
        if not self.rows and not self.word and reduced != ["count"]:
            raise KeyError(f"no row is of {{{text}}}")
        self.figures: list[float] = []
        if not self.word:
            self.figures = REDUCED[reduced[0]](self) if reduced else self.values()

    def values(self) -> list[float]:
        """Return the figures of the rows that have one."""
        return [float(row[self.column]) for row in self.rows if row.get(self.column) is not None]

    def swings(self) -> list[float]:
        """Return the largest figure over the least, for each distribution, type and size."""
        groups: dict[Any, list[float]] = {}
        for row in self.rows:
            key = row.get("distribution"), row.get("dtype"), row.get("n")
            groups.setdefault(key, []).append(float(row[self.column]))
        return [max(some) / min(some) for some in groups.values()]

    def mean(self) -> float:
        """Return the mean of the figures."""
        return sum(self.figures) / len(self.figures)

    def written(self, figures: Sequence[float]) -> str:
        """Return figures in the term's format; of several the least and the largest."""
        if self.format == "2":
            return span(figures)
        write = three if self.format == "3" else lambda figure: format(figure, self.format)
        ends = dict.fromkeys([write(min(figures)), write(max(figures))])
        return " to ".join(ends)


REDUCED: dict[str, Callable[[_Term], list[float]]] = {
    "max": lambda term: [max(term.values())],
    "min": lambda term: [min(term.values())],
    "mean": lambda term: [sum(term.values()) / len(term.values())],
    "count": lambda term: [len(term.values())],
    "swing": _Term.swings,
}


def _chosen(rows: Sequence[Row], name: str, value: str) -> list[Row]:
    """Return the rows whose field has a value."""
    if value == "most":
        most = max((row[name] for row in rows if name in row), default=None)
        return [row for row in rows if row.get(name) == most]
    wanted = value.removeprefix("!")
    base, _, power = wanted.partition("^")
    wanted = str(int(base) ** int(power)) if base.isdecimal() and power.isdecimal() else wanted
    return [row for row in rows if (str(row.get(name)) == wanted) != value.startswith("!")]


if __name__ == "__main__":
    main()
