"""The picture of `docs/scale.md`: bytes that travel by keys, and seconds by workers.

The file says in its description what it was drawn from: another version of matplotlib may write
other bytes.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.report.svg import STYLE
from bench.scale_model import Cluster, Problem, rounds
from bench.scale_points import KEYS, Point, moved_by_a_sort, power, sent_and_received
from bench.shared import pictures
from shadersort.palette import BLACK, GREY, SERIES

WORKERS = (4, 100, 10_000)
"""The curves of bytes."""

ALONG_KEYS = tuple(int(10**exponent) for exponent in np.linspace(5, 15, 41).tolist())
ALONG_WORKERS = tuple(int(10**exponent) for exponent in np.linspace(0.61, 4, 18).tolist())


def described(found: Sequence[Point]) -> str:
    """Return what the picture is drawn from, in words."""
    lines = [
        f"{problem.keys} keys, {problem.workers} workers: "
        f"{sent_and_received(list(rounds(problem))):.6g} bytes, {Cluster().seconds(problem):.6g} s"
        for problem in (Problem(keys, workers) for keys in KEYS for workers in WORKERS)
    ]
    lines += [
        f"{point.problem.keys} keys, {point.problem.workers} parts: {point.bytes:.0f} bytes counted"
        for point in found
    ]
    return "\n".join(lines)


def drawn(found: Sequence[Point]) -> Figure:
    """Draw both panels, one below the other, so that a narrow screen shows them large enough."""
    figure = Figure(figsize=(5.2, 9.2), layout="constrained")
    travelling, lasting = figure.subplots(2, 1)
    _bytes(travelling, found)
    _seconds(lasting)
    for ax, columns in ((travelling, 2), (lasting, 3)):
        ax.set_xscale("log")
        ax.set_yscale("log")
        under = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13)}  # over no curve
        ax.legend(frameon=False, fontsize=9, ncols=columns, **under)
    return figure


def _bytes(ax: Axes, found: Sequence[Point]) -> None:
    for workers, colour in zip(WORKERS, SERIES, strict=False):
        problems = [Problem(keys, workers) for keys in ALONG_KEYS]
        moved = [sent_and_received(list(rounds(each))) for each in problems]
        ax.plot(ALONG_KEYS, moved, color=colour, label=f"selection, {workers:,} workers")
    sorts = [moved_by_a_sort(Problem(keys, WORKERS[1])) for keys in ALONG_KEYS]
    ax.plot(ALONG_KEYS, sorts, color=GREY, linestyle="--", label="a sort: almost all keys")
    counted = [point for point in found if point.problem.workers in WORKERS]
    ax.plot(
        [point.problem.keys for point in counted],
        [point.bytes for point in counted],
        color=BLACK,
        marker="o",
        linestyle="",
        label="counted",
    )
    ax.set_xlabel("keys")
    ax.set_ylabel("bytes that travel")


def _seconds(ax: Axes) -> None:
    cluster = Cluster()
    for keys, colour in zip(KEYS, SERIES, strict=False):
        problems = [Problem(keys, workers) for workers in ALONG_WORKERS]
        seconds = [cluster.seconds(each) for each in problems]
        once = [cluster.read_once(each) for each in problems]
        ax.plot(ALONG_WORKERS, seconds, color=colour, label=f"{power(keys)} keys")
        ax.plot(ALONG_WORKERS, once, color=colour, linestyle=":", label="reading them once")
    ax.set_xlabel("workers")
    ax.set_ylabel("seconds, by the model")


def svg(found: Sequence[Point]) -> str:
    """Return the picture as a file."""
    return pictures.svg(lambda: drawn(found), STYLE, "Selection at scale", described(found))
