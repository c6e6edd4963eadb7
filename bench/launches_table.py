"""The table of where a call spends its time, launch by launch: the record of `bench.launches`."""

from collections.abc import Iterator

from bench.launches import CALL
from bench.shared.record import Record, Row
from bench.shared.words import three
from bench.staged import READ

PAUSES = "pauses"
"""What is left of the time of a call: the host, and launches of other packages."""


def of_launches(record: Record) -> Iterator[str]:
    """Yield a table for each type of keys: a row for a call, in reads of all keys."""
    for dtype in dict.fromkeys(row["dtype"] for row in record.rows):
        rows = record.where(dtype=dtype)
        yield f"| {dtype}, {record.label} | the call | its launches | {PAUSES} |"
        yield "|---|--:|---|--:|"
        for what in dict.fromkeys(row["what"] for row in rows if row["what"] != READ):
            yield _call(what, [row for row in rows if row["what"] == what])
        yield ""


def _call(what: str, rows: list[Row]) -> str:
    """Return the line of a call; launches of one name are added up."""
    (whole,) = (row["reads"] for row in rows if row["launch"] == CALL)
    each: dict[str, list[float]] = {}
    for row in rows:
        if row["launch"] != CALL:
            each.setdefault(row["launch"], []).append(row["reads"])
    spent = {name: (len(reads), sum(reads)) for name, reads in each.items()}
    pauses = whole - sum(reads for _, reads in spent.values())
    said = (
        f"`{name}`{f' {count}×' if count > 1 else ''} {three(reads)}"
        for name, (count, reads) in spent.items()
    )
    return f"| {what} | {three(whole)} R | {', '.join(said)} | {three(pauses)} |"
