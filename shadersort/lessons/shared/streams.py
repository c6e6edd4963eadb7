"""Recorded times of streams, by what sorted: NumPy on a host, and ways to sort on its GPU.

Each row of a summary has the label that its sorter gave when it ran. Pictures and texts have their
names from these labels.
"""

from collections.abc import Mapping
from typing import Any

from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.tables import Table, short

Series = Mapping[str, list[Row]]
"""The rows of each way to sort, by its label without the device."""

NUMPY, CUDA = "NumPy", "CUDA"
BLENDED = "pbsn, blend, float16"
"""How the paper of 2005 sorts."""


def series(recorded: Record, **of: Any) -> Series:
    """Return the summaries of a workload by what sorted, in the order of the record.

    If two sorters have one label, the same ran, and the first counts: a sorter that chooses by the
    size of a window may always have chosen NumPy.
    """
    found: dict[str, list[Row]] = {}
    sorters: dict[str, str] = {}
    for row in recorded.where(**of):
        if "label" in row:  # peers have none
            label = row["label"].replace(f", {recorded.device}", "")
            if sorters.setdefault(label, row["sorter"]) == row["sorter"]:
                found.setdefault(label, []).append(row)
    return found


def machines(recorded: Record) -> str:
    """Return what the series were measured on, for the title of a plot."""
    return f"{recorded.device} and {recorded.cpu}, recorded {recorded.date}"


def seconds(row: Row) -> float:
    """Return the seconds of 100 million values, at the speed of a stream of any length."""
    return float(100 / row["mvalues_per_s"])


def seconds_table(found: Series, caption: str) -> Table:
    """Return the seconds of each sorter for each ε.

    An asterisk marks a window whose values are kept without a summary.
    """
    errors = sorted({row["epsilon"] for rows in found.values() for row in rows}, reverse=True)
    lines = []
    for label, rows in found.items():
        took = {row["epsilon"]: short(seconds(row)) + "*" * is_whole(row) for row in rows}
        lines.append((label, *(took.get(epsilon, "") for epsilon in errors)))
    marked = any(is_whole(row) for rows in found.values() for row in rows)
    note = "; *: values kept without a summary" if marked else ""
    return Table(("", *(f"ε = {each:g}" for each in errors)), tuple(lines), caption + note)


def is_whole(row: Row) -> bool:
    """Return whether the values of a window were kept, because that takes less memory."""
    return row.get("sort_share") is None


def one(found: Series, start: str) -> list[Row]:
    """Return the rows of the only sorter alone whose label begins so."""
    (label,) = (each for each in found if each.startswith(start) and ", and " not in each)
    return found[label]


def times_as_long(one: list[Row], other: list[Row]) -> list[float]:
    """Return the seconds of one series over those of another, for each ε."""
    base = {row["epsilon"]: seconds(row) for row in other}
    return [seconds(row) / base[row["epsilon"]] for row in one]


def span(values: list[float]) -> str:
    """Return the least and the largest value, or one if they look alike."""
    return " to ".join(dict.fromkeys((short(min(values)), short(max(values)))))
