"""Numbers and names as the tables and the prose have them.

Figures have two significant digits in prose, three in the README's tables and four in the report's.
"""

from collections.abc import Iterable, Sequence
from typing import Any


def about(number: float) -> str:
    """Return a number with two significant digits."""
    return f"{float(f'{number:.2g}'):,g}"


def three(number: float) -> str:
    """Return a number with three significant digits, or all digits before the point."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def span(numbers: Iterable[float]) -> str:
    """Return the smallest and the largest of some numbers."""
    some = list(numbers)
    low, high = about(min(some)), about(max(some))
    return low if low == high else f"{low} to {high}"


def named(key: str, value: Any) -> str:
    """Return the name of a column or a row of a table."""
    if key == "n":
        return count_of(value)
    if key in ("ranks", "distinct"):
        return f"{value:,} {key}"
    return f"{value} faster" if key == "faster" else str(value)


def count_of(n: int) -> str:
    """Return a number of keys, as a power of two if it is one."""
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n:,}"


def short(figure: float | None) -> str:
    """Return a figure with four significant digits, or a dash."""
    if figure is None:
        return "–"
    return f"{figure:,.0f}" if abs(figure) >= 1000 else f"{figure:.4g}"


def joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
