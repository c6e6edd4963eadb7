"""Series of streams: each is named by what sorted, as the sorter itself said when it ran.

Records since then have this label in each row. An older record says which sorter ran, on what: its
method was "auto", and the record tells what that meant on its device.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

Row = dict[str, Any]

PAPERS = "pbsn, blend, float16"
"""How the paper of 2005 sorts, as a label begins that says so."""

AS_PRINTED = "as printed"
"""How the label of a summary begins that does what the paper prints."""


class Recorded(Protocol):
    """A record, of the lessons or of `bench`."""

    @property
    def device(self) -> str:
        """The name of the device."""

    @property
    def described(self) -> Mapping[str, Any]:
        """The device, as the file describes it."""

    @property
    def host(self) -> Mapping[str, Any]:
        """The processor and its cores."""


def label_of(row: Row, record: Recorded) -> str:
    """Return the label of the sorter of a row.

    Raises
    ------
    ValueError
        The row is of a sorter that has always said its label, and has none.

    Examples
    --------
    >>> from shadersort.lessons import record
    >>> figures = record("streams-figures-numpy")
    >>> label_of(figures.rows[0], figures)
    'NumPy, 2 threads, float16'
    """
    return row["label"] if "label" in row else _label_of_old(row, record)


def by_sorter(rows: Iterable[Row], record: Recorded) -> Iterator[tuple[str, list[Row]]]:
    """Yield the label of each sorter of a record, and its rows."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(label_of(row, record), []).append(row)
    yield from found.items()


def _label_of_old(row: Row, record: Recorded) -> str:
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
