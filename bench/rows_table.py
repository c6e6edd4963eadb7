"""Tables of rows in a page of the docs, from the records of `bench.rows_grid` and `bench.rows`."""

from collections.abc import Iterator
from statistics import median

from bench.rows_grid import OURS, READ
from bench.shared.record import Record, Row
from bench.shared.words import about, count_of, three

ONE_READ = "max"
"""The call of `bench.rows` that is one read."""

WHATS = ("select", "topk")

COUNTS = {"1": 1, "64": 64, "half": None}
"""Places and first keys by the name of a column; None is half of a row."""

Cell = tuple[float, float]
"""Our reads, and how many times as long the best other call takes."""

Asked = tuple[str, int, int, int, str]
"""A type, rows, keys of a row, an axis, and a question."""


def of_shapes(record: Record) -> Iterator[str]:
    """Yield a table for each type and question."""
    cells = cells_of_calls(record)
    call, _, of = READ.partition(" ")
    yield f"R is one read of the keys: `{call}` {of}."
    yield ""
    for dtype in sorted({row["dtype"] for row in record.rows}, reverse=True):
        for what in WHATS:
            yield from _table(record, cells, dtype, what)


def in_words(record: Record) -> str:
    """Return a sentence about all cells of a record of `bench.rows_grid`."""
    times = [times for _, times in cells_of_calls(record).values()]
    faster = sum(each > 1 for each in times)
    return (
        f"{record.device}, {record.date}: of {len(times)} cells {faster} are faster than every "
        f"other call, and the median cell takes {1 / median(times):.2f} of the best one's time."
    )


def _table(record: Record, cells: dict[Asked, Cell], dtype: str, what: str) -> Iterator[str]:
    """Yield the lines of one question: rows of few to many rows, then of columns."""
    head = " | ".join(f"{what} {each}" for each in COUNTS)
    yield f"| {dtype}, {record.device} | along | {head} |"
    yield f"|---|---|{'--:|' * len(COUNTS)}"
    shapes = {(row["rows"], row["length"], row["axis"]) for row in record.where(dtype=dtype)}
    for rows, length, axis in sorted(shapes, key=lambda shape: (-shape[2], shape[0])):
        some = (
            cells.get((dtype, rows, length, axis, f"{what} {count or length // 2}"))
            for count in COUNTS.values()
        )
        shape = f"{count_of(rows)}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{count_of(length)}"
        yield f"| {shape} | {'rows' if axis else 'columns'} | {' | '.join(map(_cell, some))} |"
    yield ""


def cells_of_calls(record: Record) -> dict[Asked, Cell]:
    """Return what each question of a shape takes."""
    calls: dict[Asked, dict[str, tuple[float, float]]] = {}
    for row in record.rows:
        asked = row["dtype"], row["rows"], row["length"], row["axis"], row["what"]
        calls.setdefault(asked, {})[row["call"]] = row["ms"], row["reads"]
    found = {}
    for asked, of in calls.items():
        best = min(ms for call, (ms, _) in of.items() if call not in (OURS, READ))
        ms, reads = of[OURS]
        found[asked] = reads, best / ms
    return found


def of_data(record: Record) -> Iterator[str]:
    """Yield a table for each shape: rows for the data, and a column for each call."""
    shapes = dict.fromkeys((row["rows"], row["length"], row["axis"]) for row in record.rows)
    for rows, length, axis in shapes:
        here = {"rows": rows, "length": length, "axis": axis}
        calls = [
            what
            for what in dict.fromkeys(row["what"] for row in record.where(**here))
            if what != ONE_READ and "," not in what
        ]
        of = f"{count_of(rows)} {'rows' if axis else 'columns'} of {count_of(length)}"
        yield f"| {of}, {record.label} | {' | '.join(calls)} |"
        yield f"|---|{'--:|' * len(calls)}"
        for data in dict.fromkeys(row["data"] for row in record.where(**here)):
            found = {row["what"]: row for row in record.where(data=data, **here)}
            yield f"| {data} | {' | '.join(_cell(_beside_best(found, what)) for what in calls)} |"
        yield ""


def _beside_best(of: dict[str, Row], what: str) -> Cell:
    """Return the reads of a call, and how many times as long the best peer takes."""
    best = min(row["ms"] for name, row in of.items() if name.startswith(f"{what}, "))
    return of[what]["reads"], best / of[what]["ms"]


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    reads, times = cell
    return f"{three(reads)} R, {about(times)}×"
