"""The words and numbers of the papers' tables, as they are printed."""

from typing import Any

__all__ = ["count_of", "named", "short"]


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
    """Return a figure with four digits, or a dash."""
    if figure is None:
        return "–"
    return f"{figure:,.0f}" if abs(figure) >= 1000 else f"{figure:.4g}"
