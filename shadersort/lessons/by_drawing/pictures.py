"""Lesson 3: the steps of a network in a texture, in pictures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.drawing.program import Program
from shadersort.lessons.shared.grids import draw_keys, draw_writing, in_a_row
from shadersort.lessons.shared.images import draw_ranks, without_axes
from shadersort.lessons.shared.style import subplots
from shadersort.palette import GREEN, GREY, MAX, MIN
from shadersort.pictures.matplotlib_types import Figure
from shadersort.pictures.trace import Trace


def show_pairs(width: int, height: int, blocks: Sequence[int]) -> Figure:
    """Draw, for each length of a block, what each texel keeps, and its partner."""
    from matplotlib.colors import ListedColormap

    figure, axes = in_a_row(len(blocks), (height, width))
    wires, across, down = (np.arange(each) for each in (width * height, width + 1, height + 1))
    style: Any = {"ha": "center", "va": "center", "color": "white"}
    for ax, block in zip(axes, blocks, strict=True):
        partner = wires ^ (block - 1)
        keeps = (wires > partner).reshape(height, width)
        ax.imshow(keeps, ListedColormap([MIN, MAX]), extent=(0, width, height, 0))
        for wire, other in enumerate(partner):
            y, x = divmod(wire, width)
            ax.text(x + 0.5, y + 0.38, f"{wire}", fontsize=11, **style)
            ax.text(x + 0.5, y + 0.76, f"↔ {other}", fontsize=8, **style)
        ends_of_rows, ends_of_columns = down % max(1, block // width), across % min(block, width)
        ax.hlines(down, 0, width, color="white", linewidths=np.where(ends_of_rows, 1, 4))
        ax.vlines(across, 0, height, color="white", linewidths=np.where(ends_of_columns, 1, 4))
        ax.set_title(f"blocks of {block}")
        without_axes(ax)
    return figure


def show_stage(trace: Trace) -> Figure:
    """Draw the first stage of a sort by blending: the frame after each pass that blends.

    A column has the two passes of a step: minima above, maxima below.
    """
    program = trace.program
    columns = program.network.n.bit_length() - 1
    passes = [each for each in trace if each.command.blend][: 2 * columns]
    side = 7.2 / columns * program.height / program.width
    figure, axes = subplots(2, columns, height=2 * side + 0.8)
    for ax, each in zip(axes, (*passes[::2], *passes[1::2]), strict=True):
        title = f"pass {each.index}: {str(each.command.blend).upper()}"
        if each.command.blend == "min":
            title = f"blocks of {program.network.steps[each.steps.start].block}\n{title}"
        draw_keys(ax, each.after[..., 0], title, among=trace.input[..., 0])
        without_axes(ax)
        draw_writing(ax, each.command)
    return figure


def show_steps(trace: Trace, steps: Sequence[int], rows: int, channels: Any = 0) -> Figure:
    """Draw channels of a trace after some steps, red or several as colours; 0 is the input."""
    columns = len(steps) // rows
    figure, axes = subplots(rows, columns, height=rows * (7.2 / columns + 0.25))
    for ax, step in zip(axes, steps, strict=True):
        texels = trace[3 * step - 1].after if step else trace.input
        title = f"after step {step}" if step else "unsorted"
        draw_ranks(ax, texels[..., channels], trace.input[..., channels], title)
    return figure


def show_quads(program: Program) -> Figure:
    """Draw the number of quads for the minima of a step, beside the number of blocks."""
    figure, (ax,) = subplots(height=3.0)
    steps = program.network.steps[: program.network.n.bit_length() - 1]
    blocks = [step.block for step in steps]
    minima = [each.quad_count for each in program.passes if each.blend == "min"]
    single = [program.width * program.height // block for block in blocks]
    ax.plot(blocks, single, "s", color=GREY, label="one for each block")
    ax.plot(blocks, minima[: len(blocks)], "o", color=GREEN, label="bands of rows, and columns")
    ax.axvline(program.width * 2**0.5, color=GREY, linewidth=1, linestyle="--")
    place: Any = {"transform": ax.get_xaxis_transform(), "va": "top"}
    ax.text(program.width, 1, "columns", ha="right", **place)
    ax.text(program.width * 2, 1, "bands", ha="left", **place)
    ax.set(xlabel="keys in a block", ylabel="quads in a pass")
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=2)
    ax.legend(frameon=False)
    return figure
