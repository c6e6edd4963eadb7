"""A network as wires and comparators; a texture at stages of its sort.

The plots need matplotlib: `pip install 'shadersort[plots]'`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadersort.drawing.devices.base import Device
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.networks import Network, Step
from shadersort.drawing.program import Program
from shadersort.palette import GREY, MAX, MIN
from shadersort.pictures.matplotlib_types import Axes, Figure, check_matplotlib

WIRE = "#b0b0b0"
STEP = "#f0f0f0"
"""The colour behind a step."""


def draw_network(network: Network, ax: Axes | None = None) -> Axes:
    """Draw a network: wires from left to right, and a vertical line for each comparator.

    Keys enter at the left, with wire 0 on top; each comparator leaves the smaller key on the upper
    wire, at its blue end, and the larger on the lower wire, at its orange end. Each step has a grey
    background; overlapping comparators of one step are drawn side by side, but act at once. The
    plot is readable for up to about 32 wires. If `ax` is None, a new figure is made.

    Examples
    --------
    >>> from shadersort.drawing.networks import bitonic
    >>> draw_network(bitonic(8)).figure.savefig("bitonic.png")  # doctest: +SKIP
    """
    columns = [column for step in network.steps for column in columns_of(step, network.n)]
    if ax is None:
        check_matplotlib()
        from matplotlib.figure import Figure

        ax = Figure(figsize=(2 + 0.22 * len(columns), 1 + 0.28 * network.n)).add_subplot()
    x = 0.0
    for step in network.steps:
        step_columns = columns_of(step, network.n)
        ax.axvspan(x + 0.45, x + len(step_columns) + 0.55, color=STEP, linewidth=0, zorder=-1)
        for column in step_columns:
            x += 1
            for low, high in column:
                draw_comparator(ax, x, low, high)
        x += 0.6
    ax.hlines(range(network.n), 0, x + 0.4, color=WIRE, linewidth=1, zorder=0)
    ax.set_ylim(network.n - 0.5, -0.5)
    ax.set_yticks(range(network.n))
    ax.set_ylabel("wire")
    ax.set_xticks([])
    ax.set_title(
        f"{network.name}, n = {network.n}: {network.depth} steps, "
        f"{network.comparator_count} comparators"
    )
    for side in ("top", "right", "bottom", "left"):
        ax.spines[side].set_visible(False)
    return ax


def draw_comparator(ax: Axes, x: float, low: int, high: int, *, waiting: bool = False) -> None:
    """Draw a comparator: a line whose ends have the colours of MIN and MAX, or grey if `waiting`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> draw_comparator(ax, 1, 0, 3)
    >>> len(ax.lines), len(ax.collections)
    (1, 1)
    """
    ax.plot([x, x], [low, high], color=WIRE if waiting else GREY, linewidth=1.5, zorder=3)
    ends = [WIRE, WIRE] if waiting else [MIN, MAX]
    ax.scatter([x, x], [low, high], s=26, c=ends, linewidths=0.6, edgecolors="white", zorder=4)


def columns_of(step: Step, n: int) -> list[list[tuple[int, int]]]:
    """Return the comparators of a step in the fewest columns without overlaps."""
    columns: list[list[tuple[int, int]]] = []
    for low, high in zip(*(wires.tolist() for wires in step.comparators(n)), strict=True):
        for column in columns:
            if column[-1][1] < low:
                column.append((low, high))
                break
        else:
            columns.append([(low, high)])
    return columns


def stages_of(
    device: Device, program: Program, texels: Texels, after: Sequence[int]
) -> list[tuple[str, Texels]]:
    """Run a program; return the targets of the passes in `after`, each with a caption.

    The index -1 stands for the input.
    """
    stages = [("input", texels)] if -1 in after else []

    def observe(index: int, buffers: Mapping[str, Texture]) -> None:
        if index in after:
            caption = f"after pass {index + 1:,} of {len(program.passes):,}"
            stages.append((caption, buffers[program.passes[index].target].read()))

    device.run(program, texels, observe)
    return stages


def draw_stages(stages: Sequence[tuple[str, Texels]], title: str) -> Figure:
    """Draw a texture at several stages, with its first three channels as red, green and blue.

    Colours show ranks: the smallest key is black, the largest is bright. Unsorted channels differ,
    so the texture is colourful; sorted channels are alike, so it turns grey.
    """
    check_matplotlib()
    from matplotlib.figure import Figure

    ordered = np.sort(np.asarray(stages[0][1], dtype=np.float64), axis=None)
    columns = min(3, len(stages))
    rows = -(-len(stages) // columns)
    figure = Figure(figsize=(3.4 * columns, 3.7 * rows + 0.6), layout="constrained")
    axes: Any = figure.subplots(rows, columns, squeeze=False)
    for ax in axes.flat[len(stages) :]:
        ax.set_axis_off()
    for ax, (caption, texels) in zip(axes.flat, stages, strict=False):
        ranks = np.searchsorted(ordered, texels[..., :3].ravel()) / len(ordered)
        ax.imshow(ranks.reshape(*texels.shape[:2], 3), interpolation="nearest")
        ax.set(xticks=[], yticks=[])
        ax.set_title(caption, fontsize=11)
    figure.suptitle(title)
    return figure
