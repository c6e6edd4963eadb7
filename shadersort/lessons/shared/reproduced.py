"""The papers' tables beside the same, measured again: rows of the records of `bench.reproduce`.

A cell of a paper may have two rows: `variant` is "as printed" for the method to the letter of its
paper, and "improved" for ours. Rows without a variant are improved.
"""

from typing import Any

from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.tables import Table, short

IMPROVED, PRINTED, TODAY = "improved", "as printed", "today"

FAULTS = ("AnswerRefuted", "DidNotConverge")
"""Faults of methods as printed, as remarks on a measurement name them."""

Times = list[tuple[int, float, float]]


def variant_of(row: Row) -> str:
    """Return which version of a method ran for a row."""
    return row.get("variant") or IMPROVED


def label_of(row: Row) -> str:
    """Return the name of what ran, as its trace told it, or by method and variant."""
    return row.get("label") or f"{row['of']['method']}, {variant_of(row)}"


def lines(reproduced: Record, table: str, *, variant: str = IMPROVED, **of: Any) -> list[Row]:
    """Return the measured rows of a table: those of one variant, with all these values."""
    return [
        row
        for row in reproduced.where(table=table)
        if of.items() <= row["of"].items() and row["measured"] and variant_of(row) == variant
    ]


def then_and_now(
    reproduced: Record, table: str, method: str, *, variant: str = IMPROVED, **of: Any
) -> Times:
    """Return (keys, ms in the paper, ms measured here) of a method in one table of a paper."""
    found = lines(reproduced, table, variant=variant, method=method, **of)
    return [(row["n"], row["paper"], row["measured"]) for row in found]


def table_again(reproduced: Record, table: str, caption: str, **of: Any) -> Table:
    """Return every cell of a table that has a row: the paper's ms → those measured here.

    Columns are numbers of keys, and rows are methods; a method that was measured as printed has a
    row for it, too. Rows of today's default have no figure of a paper. An asterisk marks times of
    answers that were wrong, or of no answer.
    """
    rows = [row for row in reproduced.where(table=table) if of.items() <= row["of"].items()]
    sizes = sorted({row["of"]["n"] for row in rows})
    ways: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        ways.setdefault((row["of"]["method"], variant_of(row)), []).append(row)
    found = []
    for some in ways.values():
        told = {row["of"]["n"]: _told(row) for row in some}
        found.append((label_of(some[0]), *(told.get(n, "") for n in sizes)))
    marked = any(_mark(row) for row in rows)
    note = " (*: some of the answers are wrong)" if marked else ""
    head = ("method", *map(count, sizes))
    return Table(head, tuple(found), f"{caption} → {reproduced.label}, ms{note}")


def _told(row: Row) -> str:
    """Return the paper's figure, if it has one, and the measured one."""
    now = "–" if row["measured"] is None else short(row["measured"]) + _mark(row)
    if row["n"] != row["of"]["n"]:
        now += f" with {count(row['n'])}"
    return now if row["paper"] is None else f"{short(row['paper'])} → {now}"


def _mark(row: Row) -> str:
    """Return an asterisk if a remark on a measurement names a fault of the method."""
    return "*" * any(fault in (row.get("why") or "") for fault in FAULTS)


def count(n: int) -> str:
    """Return a number of keys."""
    if n & (n - 1):
        return f"{n / 1e6:g} million"
    return "2" + str(n.bit_length() - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
