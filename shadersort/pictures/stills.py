"""Still and moving pictures of a trace. They need matplotlib: `pip install 'shadersort[plots]'`."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from shadersort.errors import TooManyKeys
from shadersort.keys.outputs import open_replacement
from shadersort.pictures.matplotlib_types import Figure, check_matplotlib
from shadersort.pictures.recorded_sort import RecordedSort, TracedPass
from shadersort.pictures.strips import MOST_WRITTEN, strips

MOST_IN_GRID = 60
"""The most passes in one picture."""


def thinned(count: int, most: int) -> list[int]:
    """Return at most `most` of `count` indices: evenly spread, with the first and the last.

    Examples
    --------
    >>> thinned(10, 4)
    [0, 3, 6, 9]
    """
    if most < 2:
        raise ValueError(f"at least two frames, the first and the last, not {most}")
    spread = np.linspace(0, count - 1, min(count, most))
    return [int(index) for index in np.round(spread)]


def draw_pass(sort: RecordedSort, traced: TracedPass) -> Figure:
    """Draw one pass: its source, its target before it (if it blends), and its target after it."""
    command, roles = traced.command, traced.roles
    stages = [(f"{command.source!r}, and where the quads read it", roles.read(), traced.source)]
    if command.blend and traced.before is not None:
        stages.append((f"{command.target!r} before", roles, traced.before))
    stages.append((f"{command.target!r} after", roles, traced.after))
    figure, drawn = strips(sort, len(stages), columns=1, width=11)
    for strip, (title, shown, texels) in zip(drawn, stages, strict=True):
        strip.show(shown, texels, title)
        if sort.program.width <= MOST_WRITTEN:
            strip.write_keys(texels)
    figure.suptitle(f"{sort.program.network.name}: {traced.caption}")
    return figure


def draw_passes(sort: RecordedSort) -> Figure:
    """Draw the passes of a sort in a grid: the target after each pass."""
    if len(sort.passes) > MOST_IN_GRID:
        pitch = -(-len(sort.passes) // MOST_IN_GRID)
        raise TooManyKeys(
            f"{len(sort.passes):,} passes are too many for one picture of at most {MOST_IN_GRID}: "
            f"take a shorter slice, or one in {pitch} as slice(None, None, {pitch})"
        )
    figure, drawn = strips(sort, len(sort.passes), columns=min(3, len(sort.passes)), width=6.2)
    for strip, traced in zip(drawn, sort.passes, strict=True):
        strip.show(traced.roles, traced.after, traced.caption)
    program = sort.program
    figure.suptitle(f"{program.network.name} by {program.method}: the target after each pass")
    return figure


def write_gif(
    sort: RecordedSort, frames: Sequence[TracedPass], path: Path, fps: float, *, overwrite: bool
) -> Path:
    """Write an animated GIF: the target after each pass. A failure leaves no file."""
    check_matplotlib()
    from matplotlib import rc_context
    from matplotlib.animation import PillowWriter

    if not fps > 0:
        raise ValueError(f"a film has more than no frames a second, not {fps}")
    figure, drawn = strips(sort, min(1, len(frames)), columns=1, width=10)
    writer = PillowWriter(fps=fps)  # type: ignore[arg-type]  # it divides by it
    with open_replacement(path, overwrite=overwrite) as file, rc_context({"savefig.bbox": None}):
        # writer.saving would write the frames also after an error, and fail if there are none
        writer.setup(figure, str(file.name), dpi=80)
        for traced in frames:
            drawn[0].show(traced.roles, traced.after, traced.caption)
            writer.grab_frame()
        writer.finish()
    return path
