"""Recorded measurements, for machines without the device.

They are the files of `bench/records/`, packaged as data of shadersort. A plot of a record shows its
`label`: the device and the date.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from shadersort.errors import UnknownName, choices

Row = dict[str, Any]
"""One measurement."""


@dataclass(frozen=True, eq=False, slots=True)
class Record:
    """One run of a benchmark."""

    name: str  # of its file, without ".json"
    device: str  # by its own name
    date: str  # the day, such as 2026-11-21
    command: str  # that made it
    rows: tuple[Row, ...]  # the measurements; the names of their fields include the units
    host: Mapping[str, Any] = field(default_factory=dict)  # its processor, and its cores

    @property
    def label(self) -> str:
        """The device and the date, for a plot."""
        return f"{self.device.split('/')[0]}, recorded {self.date}"

    @property
    def cpu(self) -> str:
        """The processor of the host and the number of its cores, for a plot."""
        return f"{self.host['cpu']}, {self.host['cores']} cores"

    def where(self, **of: Any) -> list[Row]:
        """Return the rows that have these values."""
        return [row for row in self.rows if of.items() <= row.items()]


def directory() -> Traversable:
    """Return the folder of records, in an installed package or in the source tree."""
    packaged = files("shadersort") / "records"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "bench" / "records"


def record(name: str) -> Record:
    """Read the record of this name; an UnknownName lists all names."""
    names = sorted(
        file.name.removesuffix(".json")
        for file in directory().iterdir()
        if file.name.endswith(".json") and not file.name.endswith("-here.json")
    )
    if name not in names:
        raise UnknownName(f"no record is called {name!r}: use {choices(names)}")
    content = json.loads((directory() / f"{name}.json").read_text(encoding="utf-8"))
    on = content["device"]
    device = on.get("renderer") or on.get("name") or content["host"]["cpu"]
    day = content["date"][:10]
    rows = tuple(content["rows"])
    return Record(name, device, day, content["command"], rows, content["host"])
