"""Curves of plots, made of the rows of records."""

from collections.abc import Callable, Mapping
from statistics import mean
from typing import Any

from bench.report.plot import Curve, Point
from bench.shared.record import Row

__all__ = ["curve", "curves"]


def curve(
    label: str,
    rows: list[Row],
    x: str | Callable[[Row], float],
    y: str | Callable[[Row], float],
    *,
    look: str = "",
    dashed: bool = False,
    of: Callable[[list[float]], float] = mean,
) -> Curve:
    """Make a curve of rows; `of` makes one value of several rows at the same place."""
    places: dict[float, list[float]] = {}
    for row in rows:
        if (value := _asked(row, y)) is not None:
            place = _asked(row, x)
            places.setdefault(place, []).append(value)
    points: list[Point] = [(place, of(values)) for place, values in sorted(places.items())]
    return Curve(label, points, look, dashed)


def _asked(row: Row, what: str | Callable[[Row], float]) -> Any:
    return row[what] if isinstance(what, str) else what(row)


def curves(
    rows: list[Row], by: str, x: str, y: str, looks: Mapping[Any, str] | None = None, **more: Any
) -> list[Curve]:
    """Make a curve for each value of one field, in the order of the rows."""
    found = []
    for value in dict.fromkeys(row[by] for row in rows):
        some = [row for row in rows if row[by] == value]
        look = (looks or {}).get(value, str(value))
        found.append(curve(str(value), some, x, y, look=look, **more))
    return [each for each in found if each.points]
