"""The names of series of streams: what sorted, as the sorter itself said when it ran.

Records since then have it in each row. An older record says which sorter ran, on what: its method
was "auto", and the record tells what that meant on its device.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from bench.report.plot import Line
from bench.shared.record import Record, Row

PAPERS = "pbsn, blend, float16"
"""How the paper sorts, as a label begins that says so."""


AS_PRINTED = "as printed, "
"""How a label begins of a summary that does what the paper prints."""

LOOKS = {
    "NumPy": "np.sort",
    "pbsn, blend": "blend",
    "pbsn, compute": "compute",
    "pbsn, fused": "fused",
    "bitonic, compute": "bitonic",
    "bitonic, fragment": "fragment",
    "CUDA": "cupy.sort",
}
"""Colours and markers of sorters, by how their labels begin."""

WORDS = {
    "pbsn, blend": "PBSN by blending",
    "pbsn, compute": "PBSN in compute shaders",
    "pbsn, fused": "PBSN in fragment shaders",
    "bitonic, compute": "a bitonic sort in compute shaders",
    "bitonic, fragment": "a bitonic sort in fragment shaders",
    "CUDA": "CUDA",
    "NumPy, 1 thread": "NumPy with one thread",
}
"""Sorters in sentences, by how their labels begin."""

BY_SIZE = ", chosen by size"
"""What the label lacks of a sorter that chose this one by the size of its windows."""

PLACES = (
    "With CUDA the stream is in the memory of the GPU from the start, and counting, merging and "
    "compressing run there, too; with each other sorter the stream is on the host."
)
"""A note on where the streams were."""

CHOSEN = (
    '"Chosen by size": a sorter that measures from which size of windows on drawing is faster, and '
    "sorts smaller windows by NumPy; named is what sorted."
)
"""A note on sorters that choose by the size of windows."""


def label_of(row: Row, record: Record) -> str:
    """Return the label of the sorter of a row."""
    if "label" not in row:
        return _label_of_old(row, record)
    return str(row["label"]) + (BY_SIZE if row["sorter"] == "by-size" else "")


def is_printed(label: str) -> bool:
    """Return whether a summary did what the paper prints."""
    return label.startswith(AS_PRINTED)


def line_of(label: str) -> Line:
    """Return how a curve is drawn: dashed as printed."""
    return "dashed" if is_printed(label) else "solid"


def look_of(label: str) -> str:
    """Return the look of a sorter's curve.

    Examples
    --------
    >>> look_of("as printed, pbsn, blend, float16, NVIDIA H200"), look_of("a new one")
    ('blend', '')
    """
    sorter = label.removeprefix(AS_PRINTED)
    look = next((look for start, look in LOOKS.items() if sorter.startswith(start)), "")
    return f"{look} s" if label.endswith(BY_SIZE) else look


def in_words(label: str) -> str:
    """Return what sorted, as a sentence names it.

    Examples
    --------
    >>> in_words("as printed, pbsn, blend, float16, NVIDIA H200")
    'PBSN by blending as printed'
    >>> in_words("NumPy, 16 threads, float16, chosen by size")
    'NumPy with 16 threads (chosen by size)'
    """
    sorter = label.removeprefix(AS_PRINTED)
    found = next((words for start, words in WORDS.items() if sorter.startswith(start + ",")), "")
    words = found or sorter.split(", float")[0].replace("NumPy, ", "NumPy with ")
    printed = " as printed" if is_printed(label) else ""
    return words + printed + (" (chosen by size)" if label.endswith(BY_SIZE) else "")


def without_device(label: str, record: Record) -> str:
    """Return a label without the device, which the plot's title names."""
    return label.replace(f", {record.device}", "")


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
