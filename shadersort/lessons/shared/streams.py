"""Recorded times of streams, by what sorted: NumPy on a host, and ways to sort on its GPU."""

from collections.abc import Mapping
from typing import Any

from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.series import AS_PRINTED, PAPERS, by_sorter
from shadersort.lessons.shared.style import look
from shadersort.lessons.shared.tables import Table, short
from shadersort.pictures.matplotlib_types import Axes

Series = Mapping[str, list[Row]]
"""The rows of each sorter, by its label without the device."""

NUMPY, CUDA = "NumPy", "CUDA"


def host_of(gpu: Record, cpu: Record) -> Record:
    """Return the record with NumPy's times: the GPU's if its host was measured, else the other."""
    return gpu if gpu.where(sorter="numpy") else cpu


def series(gpu: Record, cpu: Record, **of: Any) -> Series:
    """Return what was measured of a workload, by sorter: NumPy first, then what a GPU did.

    Summaries that do what the paper prints are left out.

    Examples
    --------
    >>> from shadersort.lessons import record
    >>> gpu, cpu = record("streams-figures-nvidia-h200"), record("streams-figures-numpy")
    >>> [each.split(",")[0] for each in series(gpu, cpu, method="QuantileSummary")][::2]
    ['NumPy', 'CUDA']
    """
    found: dict[str, list[Row]] = {}
    for each in dict.fromkeys((host_of(gpu, cpu), gpu)):
        for label, rows in by_sorter(each.where(**of), each):
            if not label.startswith(AS_PRINTED):
                found[label.replace(f", {each.device}", "")] = rows
    return dict(sorted(found.items(), key=lambda item: not item[0].startswith(NUMPY)))


def machines(gpu: Record, cpu: Record) -> str:
    """Return what the series were measured on, for the title of a plot."""
    host = host_of(gpu, cpu)
    if host is gpu:
        return f"{gpu.device} and {gpu.cpu}, recorded {gpu.date}"
    return f"{gpu.label}; NumPy on {host.cpu}, recorded {host.date}"


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


def named(found: Series, start: str) -> str | None:
    """Return the label of a series that begins so, or None."""
    return next((label for label in found if label.startswith(start)), None)


def times_as_long(found: Series, one: str, other: str) -> list[float]:
    """Return the seconds of one series over those of another, for each ε that both have."""
    base = {row["epsilon"]: seconds(row) for row in found[other]}
    return sorted(
        seconds(row) / base[row["epsilon"]] for row in found[one] if row["epsilon"] in base
    )


def of_drawing(found: Series) -> str:
    """Return what is said of drawing as in 2005, beside NumPy."""
    drawn, host = named(found, PAPERS), named(found, NUMPY)
    if drawn is None or host is None:
        return "it was not measured here"
    return f"it takes {span(times_as_long(found, drawn, host))} times as long as NumPy"


def of_cuda(found: Series) -> str:
    """Return how many times as fast as NumPy CUDA is."""
    cuda, host = named(found, CUDA), named(found, NUMPY)
    assert cuda is not None
    assert host is not None
    return span(times_as_long(found, host, cuda))


def span(values: list[float]) -> str:
    """Return the least and the largest value, or one if they look alike.

    Examples
    --------
    >>> span([3, 12, 5]), span([2.04, 2.01])
    ('3.0 to 12', '2.0')
    """
    return " to ".join(dict.fromkeys((short(min(values)), short(max(values)))))
