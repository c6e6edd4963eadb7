"""Recorded measurements, for machines without the device that they are of.

They are the files of `bench/records/`, packaged as data of shadersort. Whoever plots one writes its
`label` beside the curve: on what it ran, and when.
"""

import json
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from shadersort.errors import UnknownRecord, choices

__all__ = ["Record", "directory", "record"]


@dataclass(frozen=True, eq=False, slots=True)
class Record:
    """One run of a benchmark.

    Attributes
    ----------
    name
        The name of its file, without ".json".
    device
        What it ran on, as the device calls itself.
    date
        The day, as 2026-11-21.
    command
        What was typed to make it.
    rows
        The measurements; their fields bear their units in their names.
    """

    name: str
    device: str
    date: str
    command: str
    rows: tuple[dict[str, Any], ...]

    @property
    def label(self) -> str:
        """Say on what and when it was recorded, to stand in a plot.

        Examples
        --------
        >>> record("ladder-nvidia-h200").label[:21]
        'NVIDIA H200, recorded'
        """
        return f"{self.device.split('/')[0]}, recorded {self.date}"

    def where(self, **of: Any) -> list[dict[str, Any]]:
        """Return the rows that have these values.

        Examples
        --------
        >>> len(record("ladder-nvidia-h200").where(network="pbsn", method="blend"))
        1
        """
        return [row for row in self.rows if of.items() <= row.items()]


def directory() -> Traversable:
    """Return the folder of records: inside an installed package, or that of the source tree."""
    packaged = files("shadersort") / "records"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "bench" / "records"


def record(name: str) -> Record:
    """Read the record of this name.

    Raises
    ------
    UnknownRecord
        There is none; the message names those that there are.

    Examples
    --------
    >>> record("ladder-nvidia-h200").device
    'NVIDIA H200/PCIe/SSE2'
    """
    names = sorted(
        file.name.removesuffix(".json")
        for file in directory().iterdir()
        if file.name.endswith(".json") and not file.name.endswith("-here.json")
    )
    if name not in names:
        raise UnknownRecord(f"no record is called {name!r}: use {choices(names)}")
    content = json.loads((directory() / f"{name}.json").read_text(encoding="utf-8"))
    on = content["device"]
    device = on.get("renderer") or on.get("name") or content["host"]["cpu"]
    day = content["date"][:10]
    return Record(name, device, day, content["command"], tuple(content["rows"]))
