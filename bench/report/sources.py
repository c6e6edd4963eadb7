"""The records that the report is made of, and what a plot or a table takes from them."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from bench.report.plot import Curve, Point

__all__ = ["RECORDS", "Source", "curve", "curves", "source", "sources"]

RECORDS = Path(__file__).parents[1] / "records"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """A record: on what and when it was made, and its rows."""

    label: str
    rows: tuple[Row, ...]

    def where(self, **of: Any) -> list[Row]:
        """Return the rows that are of all this."""
        return [row for row in self.rows if of.items() <= row.items()]


def source(*names: str, folder: Path = RECORDS) -> Source:
    """Read the first of some records that there is."""
    path = next(path for name in names if (path := folder / f"{name}.json").exists())
    record = json.loads(path.read_text(encoding="utf-8"))
    device = record["device"].get("renderer", "").split("/")[0].split(" (")[0]
    on = device or f"NumPy on {record['host']['cpu']}, {record['host']['cores']} cores"
    return Source(f"{on}, {record['date'][:10]}", tuple(record["rows"]))


def sources(*names: str, folder: Path = RECORDS) -> list[Source]:
    """Read every one of some records that there is."""
    return [source(name, folder=folder) for name in names if (folder / f"{name}.json").exists()]


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
    """Make a curve of rows; of several at the same place it shows their mean, or what `of` says."""
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
    """Make a curve for each value of one field, in the order in which they come."""
    found = []
    for value in dict.fromkeys(row[by] for row in rows):
        some = [row for row in rows if row[by] == value]
        look = (looks or {}).get(value, str(value))
        found.append(curve(str(value), some, x, y, look=look, **more))
    return [each for each in found if each.points]
