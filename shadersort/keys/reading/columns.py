"""Choosing a column by its name or by its number."""

from collections.abc import Sequence

from shadersort.errors import UnknownColumn


def place_of(
    names: Sequence[str], name: str, column: str | int | None, *, kind: str = "column"
) -> int:
    """Return the place of a column among some names, from 0.

    Parameters
    ----------
    names
        The names of all columns.
    name
        What the file is called in messages.
    column
        A name, or a number from 1. None stands for the only column.
    kind
        What a column is called in messages.

    Raises
    ------
    UnknownColumn
        There is no such column, or there are several and none was chosen.

    Examples
    --------
    >>> place_of(["host", "ms"], "a.csv", "ms"), place_of(["host", "ms"], "a.csv", 1)
    (1, 0)
    """
    shown = ", ".join(names)
    if column is None:
        if len(names) > 1:
            raise UnknownColumn(
                f"{name} has {len(names)} {kind}s ({shown}): choose one, with column="
            )
        return 0
    if isinstance(column, int) and 1 <= column <= len(names):
        return column - 1
    if str(column) in names:
        return names.index(str(column))
    raise UnknownColumn(f"{name} has no {kind} {column!r}; it has: {shown}")
