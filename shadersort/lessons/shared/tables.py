"""Tables as the output of a cell."""

from dataclasses import dataclass
from html import escape

STYLE = "text-align:right; white-space:nowrap"


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Table:
    """Lines of text in columns, the first of which is aligned to the left.

    Examples
    --------
    >>> Table(("method", "ms"), (("radix", "1.7"), ("bucket", "12")), "times")
    times
    method   ms
    radix   1.7
    bucket   12
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str

    def __repr__(self) -> str:
        every = (self.head, *self.rows)
        first, *others = (max(map(len, column)) for column in zip(*every, strict=True))
        lines = (
            "  ".join(
                (f"{name:{first}}", *(f"{c:>{w}}" for c, w in zip(cells, others, strict=True)))
            )
            for name, *cells in every
        )
        return "\n".join((self.caption, *lines))

    def _repr_html_(self) -> str:
        lines = (_line("th", self.head), *(_line("td", row) for row in self.rows))
        table = f'<table style="{STYLE}">{"".join(lines)}</table>' if self.rows else ""
        return f"<p>{escape(self.caption)}</p>{table}"


def _line(tag: str, cells: tuple[str, ...]) -> str:
    first, *others = (escape(cell) for cell in cells)
    rest = "".join(f"<{tag}>{cell}</{tag}>" for cell in others)
    return f'<tr><{tag} align="left">{first}</{tag}>{rest}</tr>'


def short(value: float) -> str:
    """Return a number with two digits, or with all digits before the point."""
    if value >= 9.95:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 0.995 else f"{value:.2g}"
