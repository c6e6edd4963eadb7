"""The table of what the hardware counts in launches: the record of `bench.counters`."""

from collections.abc import Iterator

import numpy as np

from bench.shared.record import Record, Row

CALLS = ("select n/2", "topk 1,000", "threshold hard n/2", "101 ranks", "1,001 ranks")
"""The calls of the table; it has each kernel once, in the first of them."""

LEAST = 0.1
"""Launches that read and write less than this share of the bytes of all keys are left out."""


def of_counters(record: Record) -> Iterator[str]:
    """Yield a table for each type of keys: a row for a kernel of one of the calls."""
    for dtype in dict.fromkeys(row["dtype"] for row in record.rows):
        yield (
            f"| {dtype}, {record.label} | in | read | written | TB/s | memory | warps "
            "| instructions | shared memory |"
        )
        yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
        rows = [row for what in CALLS for row in record.where(dtype=dtype, what=what)]
        of = {row["launch"]: row for row in reversed(rows) if _moved(row) >= LEAST}
        yield from (
            _line(of[name]) for name in dict.fromkeys(row["launch"] for row in rows) if name in of
        )
        yield ""


def _size(row: Row) -> int:
    """Return the bytes of all keys."""
    return int(row["n"]) * np.dtype(row["dtype"]).itemsize


def _moved(row: Row) -> float:
    """Return how many times all keys' bytes a launch moves."""
    return float((row["bytes_read"] + row["bytes_written"]) / _size(row))


def _line(row: Row) -> str:
    shares = [row["bytes_read"] / _size(row), row["bytes_written"] / _size(row)]
    rate = (row["bytes_read"] + row["bytes_written"]) / row["ns"] / 1e3
    percent = [row[f"{name}_percent"] for name in ("memory", "warps", "issue", "shared")]
    cells = [
        f"`{row['launch']}`",
        row["what"],
        *(f"{share:.2f}" for share in shares),
        f"{rate:.2f}",
    ]
    return f"| {' | '.join((*cells, *(f'{each:.0f}%' for each in percent)))} |"
