"""The names of series of streams: what sorted, as the sorter itself said when it ran.

Records since then have it in each row. An older record says which sorter ran, on what: its method
was "auto", and the record tells what that meant on its device.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bench.shared.record import Record, Row

PAPERS = "pbsn, blend, float16"
"""How the paper sorts, as a label begins that says so."""


def label_of(row: Row, record: Record) -> str:
    """Return the label of the sorter of a row."""
    return row["label"] if "label" in row else _label_of_old(row, record)


def by_sorter(rows: list[Row], record: Record) -> Iterator[tuple[str, list[Row]]]:
    """Yield the label of each sorter of a record, and its rows."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(label_of(row, record), []).append(row)
    yield from found.items()


def _label_of_old(row: Row, record: Record) -> str:
    """Return the label of a row without one."""
    sorter, dtype = row["sorter"], row["dtype"]
    if sorter in ("numpy", "numpy-1"):
        threads = 1 if sorter == "numpy-1" else record.host["cores"]
        return f"NumPy, {threads} thread{'s' if threads > 1 else ''}, {dtype}"
    if sorter == "textures":
        return f"pbsn, {_fastest(record.described)}, {dtype}, {record.device}"
    if sorter == "cuda":
        return f"CUDA, {dtype}, {record.device}"
    raise ValueError(f"a row of the sorter {sorter!r} has no label")


def _fastest(described: Mapping[str, Any]) -> str:
    """Return the method that "auto" was on a device that a record describes."""
    drawing = described.get("textures", described)
    major, minor = drawing["opengl"].split()[0].split(".")[:2]
    return "compute" if drawing["hardware"] and (int(major), int(minor)) >= (4, 3) else "fused"
