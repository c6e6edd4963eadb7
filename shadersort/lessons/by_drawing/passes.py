"""A trace as frames: texture, frame and step of each pass of a real sort."""

from itertools import pairwise
from typing import Any

from shadersort.drawing.passes import FRAME, TEXTURE
from shadersort.drawing.program import Program
from shadersort.keys.types import Keys
from shadersort.lessons.shared.grids import draw_keys, draw_reading, draw_writing, in_a_row
from shadersort.lessons.shared.images import without_axes
from shadersort.lessons.shared.pictures import Frames
from shadersort.palette import BLACK, GREY
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.pictures.recorded_sort import TracedPass
from shadersort.pictures.trace import Trace

PALE = "#e4e4e4"


def passes_of(trace: Trace) -> Frames:
    """Return the passes of a small sort by blending as frames, with the red channel.

    The film has the first twelve passes and the last.
    """
    program = trace.program
    kept = (*range(len(trace))[:12], len(trace) - 1)
    figure, axes = in_a_row(3, (program.height, program.width))
    figure.set_size_inches(6.2, 2.55)
    among = trace.input[..., 0]

    def drawn(index: int) -> Figure:
        for ax in axes:
            for artist in (*ax.images, *ax.lines, *ax.texts, *ax.patches):
                artist.remove()
        each = trace[index]
        reads = 0 if each.command.source == TEXTURE else 1
        texture, frame = _texture_and_frame(each)
        draw_keys(axes[0], texture[..., 0], "the texture", among=among)
        draw_keys(axes[1], frame[..., 0], "the frame", among=among)
        for ax in axes[:2]:
            without_axes(ax)
        draw_reading(axes[reads], each.command)
        draw_writing(axes[1 - reads], each.command)
        _draw_place(axes[2], program, each.steps)
        figure.suptitle(_title(each, len(program.passes)), fontsize=11)
        return figure

    drawn(0).draw_without_rendering()
    figure.set_layout_engine("none")  # the places are those of all frames
    caption = f"a sort of {among.size} keys by drawing, pass by pass"
    return Frames(len(trace), drawn, caption, seconds=1.2, kept=kept)


def _texture_and_frame(each: TracedPass) -> tuple[Keys, Keys]:
    """Return texture and frame after a pass; the source of the pass is unchanged."""
    if each.command.target == FRAME:
        return each.source, each.after
    return each.after, each.source


def _title(each: TracedPass, count: int) -> str:
    """Return a title that says what a pass does."""
    command, number = each.command, f"pass {each.index + 1} of {count}"
    if not command.blend:
        return f"{number}: copy the {command.source} to the {command.target}"
    half = "first" if command.blend == "min" else "second"
    return f"{number}: {command.blend.upper()} over the {half} half of every block"


def _draw_place(ax: Axes, program: Program, steps: range) -> None:
    """Draw the blocks of all steps, one stage a row: finished, current and later steps."""
    x, y, blocks = 0, -1, [step.block for step in program.network.steps]
    for number, (before, block) in enumerate(pairwise((0, *blocks))):
        x, y = (0, y + 1) if block > before else (x + 1, y)  # in a stage, blocks become smaller
        now, done = number in steps, number < steps.start
        colour = BLACK if now else GREY if done else PALE
        left, right, top, bottom = x + 0.05, x + 0.95, y + 0.05, y + 0.95
        square: Any = ([left, right, right, left], [top, top, bottom, bottom])
        ax.fill(*square, color=colour, linewidth=0)
        shade = "white" if now or done else "#555555"
        ax.text(x + 0.5, y + 0.5, f"{block}", ha="center", va="center", color=shade)
    ax.set(xlim=(0, y + 1), ylim=(y + 1, 0), aspect="equal")
    without_axes(ax)
    ax.set_yticks([at + 0.5 for at in range(y + 1)], [f"stage {at + 1}" for at in range(y + 1)])
    ax.tick_params(length=0)
    ax.set_title("the step's blocks")
