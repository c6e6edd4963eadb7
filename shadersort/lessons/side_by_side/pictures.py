"""Lesson 14: a reduction in a picture, and times in a table."""

from collections.abc import Sequence

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.records import Row
from shadersort.lessons.shared.reproduced import count
from shadersort.lessons.shared.style import subplots
from shadersort.lessons.shared.tables import Table, short
from shadersort.lessons.side_by_side.steps import BUCKETS
from shadersort.pictures.matplotlib_types import Figure
from shadersort.selection.primitives.textures import cost_of

TITLES = {
    "counts": "counting at a pivot",
    "nearest": "the nearest key above a pivot",
    "extent": "smallest and largest key",
    "histogram": "a histogram of 256 buckets",
}


def table_of_times(rows: Sequence[Row], label: str) -> Table:
    """Return the milliseconds of every step, on the card of 2005, by GLSL and by CUDA."""
    sizes = sorted({row["keys"] for row in rows})
    lines = []
    for step, title in TITLES.items():
        old = [short(ms_of_2005(step, n)) if n <= OLD_KEYS[-1] else "" for n in sizes]
        lines.append((f"{title}: 2005", *old))
        for by in ("GLSL", "CUDA"):
            found = {row["keys"]: row for row in rows if (row["step"], row["by"]) == (step, by)}
            lines.append((f"{title}: {by}", *(short(found[n]["ms"]) for n in sizes)))
    told = f"ms: {label}; 2005: the card of that year, computed from its data sheet"
    return Table(("", *(f"{count(n)} keys" for n in sizes)), tuple(lines), told)


OLD_KEYS = tuple(1 << power for power in range(16, 25, 2))
"""Numbers of keys on the card of 2005; more do not fit into a texture."""


def ms_of_2005(step: str, n: int) -> float:
    """Return the milliseconds of a step on the card of 2005, by its data sheet."""
    calls = {"counts": "counts", "nearest": "at_or_above", "extent": "extent"}
    if step == "histogram":
        return 1e3 * (BUCKETS - 1) * cost_of("below", n).seconds
    return 1e3 * cost_of(calls[step], n).seconds


def show_pyramid(keys: Keys) -> Figure:
    """Draw a reduction by drawing: each new texel is the least of four, one of each quarter.

    Width and height of the keys are one power of two.
    """
    levels = [keys]
    while len(levels[-1]) > 1:
        half = len(levels[-1]) // 2
        rows = np.minimum(levels[-1][:half], levels[-1][half:])
        levels.append(np.minimum(rows[:, :half], rows[:, half:]))
    ratios = [len(each) + 1.0 for each in levels]
    figure, axes = subplots(1, len(levels), height=3.3, width_ratios=ratios)
    for number, (ax, each) in enumerate(zip(axes, levels, strict=True)):
        draw_keys(ax, each, f"pass {number}" if number else "the keys", among=keys)
        ax.set(xticks=[], yticks=[], anchor="N")
    return figure
