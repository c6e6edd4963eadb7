"""How summaries and histograms look in a notebook."""

from collections.abc import Iterable
from html import escape


def html_table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """Return a table of names and values below a title, as HTML.

    Examples
    --------
    >>> html_table("a < b", [("n", 1000)])
    '<b>a &lt; b</b><table><tr><th>n</th><td>1,000</td></tr></table>'
    """
    cells = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(in_words(value))}</td></tr>"
        for name, value in rows
    )
    return f"<b>{escape(title)}</b><table>{cells}</table>"


def in_words(value: object) -> str:
    """Return a value as a reader likes it: 12,345 and 0.3333.

    Examples
    --------
    >>> in_words(12345), in_words(1 / 3), in_words("all")
    ('12,345', '0.3333', 'all')
    """
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
