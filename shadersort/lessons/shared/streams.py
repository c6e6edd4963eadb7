"""Recorded times of streams, by what sorted: NumPy on a host, and ways to sort on its GPU.

Each row of a summary has the label that its sorter gave when it ran. Pictures and texts have their
names from these labels.
"""

from collections.abc import Mapping
from typing import Any

from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.style import look
from shadersort.lessons.shared.tables import Table, short
from shadersort.pictures.matplotlib_types import Axes

Series = Mapping[str, list[Row]]
"""The rows of each way to sort, by its label without the device."""

NUMPY, CUDA = "NumPy", "CUDA"
BLENDED = "pbsn, blend, float16"
"""How the paper of 2005 sorts."""


def series(recorded: Record, **of: Any) -> Series:
    """Return the summaries of a workload by what sorted, in the order of the record.

    If two sorters have one label, the same ran, and the first counts: a sorter that chooses by the
    size of a window may always have chosen NumPy.

    Examples
    --------
    >>> from shadersort.lessons import record
    >>> found = series(record("streams-figures-nvidia-h200"), method="QuantileSummary")
    >>> list(found)[:2]
    ['NumPy, 16 threads, float16', 'pbsn, blend, float16']
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
    """Return the seconds that a stream took."""
    return float(row["keys"] / row["mvalues_per_s"] / 1e6)


def look_of(label: str) -> dict[str, Any]:
    """Return colour and marker of a sorter: those of its method, or of a network but PBSN."""
    first, second = label.split(", ")[:2]
    peers = {NUMPY: "np.sort", CUDA: "cupy.sort", "pbsn": second}
    return look(peers.get(first, first))


def draw_seconds(ax: Axes, found: Series) -> None:
    """Draw seconds over ε, on logarithmic axes; ε falls to the right.

    A hollow marker is a window whose values are kept without a summary.
    """
    for label, rows in found.items():
        style = look_of(label)
        points = sorted((row["epsilon"], seconds(row)) for row in rows)
        ax.plot(*zip(*points, strict=True), **style, markersize=6, label=label)
        whole = [row for row in rows if row.get("sort_share") is None]
        places = ([row["epsilon"] for row in whole], [seconds(row) for row in whole])
        hollow = {**style, "linestyle": "", "markerfacecolor": "white", "zorder": 3}
        ax.plot(*places, **hollow, markersize=6)
    ax.set(xscale="log", yscale="log", xlabel="ε")
    ax.xaxis.set_inverted(True)


def seconds_table(found: Series, caption: str) -> Table:
    """Return the seconds of each sorter for each ε."""
    errors = sorted({row["epsilon"] for rows in found.values() for row in rows}, reverse=True)
    lines = []
    for label, rows in found.items():
        took = {row["epsilon"]: short(seconds(row)) for row in rows}
        lines.append((label, *(took.get(epsilon, "") for epsilon in errors)))
    return Table(("", *(f"ε = {each:g}" for each in errors)), tuple(lines), caption)


def one(found: Series, start: str) -> list[Row]:
    """Return the rows of the only series whose label begins so."""
    (rows,) = (rows for label, rows in found.items() if label.startswith(start))
    return rows


def times_as_long(one: list[Row], other: list[Row]) -> list[float]:
    """Return the seconds of one series over those of another, for each ε."""
    base = {row["epsilon"]: seconds(row) for row in other}
    return [seconds(row) / base[row["epsilon"]] for row in one]


def span(values: list[float]) -> str:
    """Return the least and the largest value, or one if they look alike.

    Examples
    --------
    >>> span([3, 12, 5]), span([2.04, 2.01])
    ('3.0 to 12', '2.0')
    """
    return " to ".join(dict.fromkeys((short(min(values)), short(max(values)))))
