"""How values look: one line for `repr`, and a table in a notebook."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

Row = Sequence[object]  # a name and values; without a name, the headings of columns

MOST_ROWS = 12  # most parts of a value, steps or passes say, that a table shows


class Shown:
    """Base of values with a line of `repr`, `<Name: what it is>`, and a table for notebooks."""

    __slots__ = ()

    @abstractmethod
    def _told(self) -> str:
        """Return what the value is, in one line."""

    @abstractmethod
    def _rows(self) -> Iterable[Row]:
        """Return the rows of its table."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._told()}>"

    def _repr_html_(self) -> str:
        """Return a table, for a notebook."""
        return html_table(repr(self)[1:-1], self._rows())


def html_table(title: str, rows: Iterable[Row]) -> str:
    """Return a table of names and values below a title, as HTML."""
    lines = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return f"<b>{escape(title)}</b><table>{lines}</table>"


def _cells(row: Row) -> str:
    """Return the cells of a row; without a name, all others are headings."""
    name, *values = row
    tag = "td" if name else "th"
    return _cell("th" if name else "td", name) + "".join(_cell(tag, value) for value in values)


def _cell(tag: str, value: object) -> str:
    return f"<{tag}>{escape(in_words(value))}</{tag}>"


def in_words(value: object) -> str:
    """Return a value as a reader likes it: 12,345 or 0.3333 or yes."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def first_rows(rows: Sequence[Row], what: str) -> list[Row]:
    """Return rows, or the first `MOST_ROWS` of them and how many more there are."""
    more = len(rows) - MOST_ROWS
    return [*rows] if more <= 1 else [*rows[:MOST_ROWS], ("…", f"{more:,} more {what}")]
