"""Lesson 15: sectors, banks, lanes and latency, in pictures, and costs in a table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import COSTS
from shadersort.lessons.exercises.kernels.dialect import lines_of
from shadersort.lessons.exercises.kernels.simulator import LANES, SECTOR, simulate
from shadersort.lessons.kernel_costs.roofline import Roofline
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.lessons.shared.tables import Table
from shadersort.palette import BLACK, FAINT, GREEN, GREY, PALE_GREEN, SERIES
from shadersort.pictures.matplotlib_types import Figure

PATTERNS = {
    "neighbours": np.arange(LANES),
    "one further on": np.arange(LANES) + 1,
    "every second": 2 * np.arange(LANES),
    "every eighth": 8 * np.arange(LANES),
}
"""Places of an array that the lanes of a warp read together."""


def show_sectors() -> Figure:
    """Draw the sectors that a warp moves for each of some patterns, and the places it reads."""
    figure, (ax,) = subplots(height=2.2)
    for row, places in enumerate(PATTERNS.values()):
        starts = np.unique(places // SECTOR) * SECTOR
        moved: Any = [(start + 0.4, SECTOR - 0.8) for start in starts]
        ax.broken_barh(moved, (row - 0.35, 0.7), color=PALE_GREEN, label="moved" * (row == 0))
        read: Any = [(place, 1) for place in places]
        ax.broken_barh(read, (row - 0.35, 0.7), color=GREEN, label="read" * (row == 0))
    ax.set(xlim=(0, 8 * LANES), xticks=range(0, 8 * LANES + 1, 32), xlabel="place in the array")
    ax.set_yticks(range(len(PATTERNS)), labels=list(PATTERNS))
    ax.invert_yaxis()
    legend_below(figure, 2, ax)
    return figure


def table_of_costs(text: str, exercise: Exercise) -> Table:
    """Return what each line of a kernel costs in the largest case of an exercise."""
    runner: Any = exercise.runner
    launch = runner.launch(*exercise.all_cases()[-1])
    run = simulate(text, runner.setting, launch, orders=1)
    counted = [run.cost(name) for name in COSTS]
    lines = [
        (
            code.replace(" ", "\u00a0"),
            *(f"{found[line]:,}" if found[line] else "" for found in counted),
        )
        for line, code in enumerate(lines_of(text).splitlines(), start=1)
    ]
    total = ("all lines", *(f"{found.total():,}" for found in counted))
    told = f"{launch.keys.size:,} keys, {launch.blocks} blocks of {runner.setting.threads} threads"
    return Table(("", *COSTS), (*lines, total), told)


def show_banks(banks: int, widths: Sequence[int]) -> Figure:
    """Draw tiles with some lengths of rows; numbers and colours are banks."""
    figure, axes = subplots(1, len(widths), height=2.9)
    for ax, width in zip(axes, widths, strict=True):
        numbers = np.arange(banks * width).reshape(banks, width) % banks
        ways = np.bincount(numbers[:, 0]).max()
        draw_keys(ax, numbers, f"rows of {width}: turns for a column: {ways}")
    return figure


def show_lanes(threads: int = 2 * LANES) -> Figure:
    """Draw which threads add in each step of a tree: far apart on the left, neighbours right."""
    figure, axes = subplots(1, 2, height=2.5, sharey=True)
    steps = [1 << power for power in range(threads.bit_length() - 1)]
    thread = np.arange(threads)
    ways: dict[str, list[Any]] = {
        "(thread + 1) % (2 * step) == 0": [(thread + 1) % (2 * step) == 0 for step in steps],
        "thread < THREADS / (2 * step)": [thread < threads // (2 * step) for step in steps],
    }
    for ax, (title, works) in zip(axes, ways.items(), strict=True):
        for row, adds in enumerate(works):
            idle = np.repeat(adds.reshape(-1, LANES).any(axis=1), LANES) & ~adds
            which: Any
            for which, colour, label in (
                (adds, GREEN, "adds"),
                (idle, FAINT, "idle, in a warp that works"),
            ):
                bars: Any = [(each, 1) for each in np.flatnonzero(which)]
                ax.broken_barh(bars, (row - 0.35, 0.7), color=colour, label=label)
        ax.axvline(LANES, color=BLACK, linewidth=0.8)
        ax.set(xlim=(0, threads), xticks=range(0, threads + 1, 16), xlabel="thread")
        ax.set_yticks(range(len(steps)), labels=[f"step {step}" for step in steps])
        ax.set_title(title, family="monospace", fontsize=9)
    axes[0].invert_yaxis()
    legend_below(figure, 2, axes[0])
    return figure


def show_in_flight(latency: float, bandwidth: float, most: int) -> Figure:
    """Draw how much of a bandwidth, in bytes a second, up to `most` warps use, by Little's law."""
    figure, (ax,) = subplots(width=5.4, height=2.8)
    warps = np.arange(most + 1)
    for loads, colour in zip((1, 2, 4), SERIES, strict=False):
        share = np.minimum(1, warps * LANES * 4 * loads / latency / bandwidth)
        label = f"{loads} load{'s' * (loads > 1)} of each lane in flight"
        ax.plot(warps, 100 * share, color=colour, label=label)
    ax.set(xlabel="warps on a multiprocessor", ylabel="% of the bandwidth", ylim=(0, 105))
    ax.set_xlim(0, most)
    legend_below(figure, 2, ax)
    return figure


def show_roofline(roof: Roofline) -> Figure:
    """Draw the limits of a machine, and polynomials of several degrees below them."""
    figure, (ax,) = subplots(width=6, height=3.4)
    x, y = np.array(roof.points).T
    line = np.geomspace(x[0] / 2, max(2 * x[-1], 4 * roof.ridge), 200)
    ax.plot(
        line, np.minimum(roof.arithmetic, roof.bandwidth * line) / 1e9, color=BLACK, label="limits"
    )
    ax.plot(x, y / 1e9, "o", color=SERIES[0], label="polynomials")
    ax.axvline(roof.ridge, color=GREY, linewidth=1, linestyle=":", label="ridge")
    ax.set(xlabel="operations for each byte", ylabel="10⁹ operations a second", title=roof.device)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.xaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_major_formatter("{x:g}")
    legend_below(figure, 3, ax)
    return figure
