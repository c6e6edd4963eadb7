"""Small textures as grids of numbers, with the quads of a pass."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadersort.drawing.passes import Pass
from shadersort.drawing.quads import Quads
from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import key_colours, subplots
from shadersort.palette import BLACK, MAX, MIN, WRONG
from shadersort.pictures.matplotlib_types import Axes, Figure

Corner = tuple[float, float]

INSET = 0.07
"""The distance of a quad's outline from the grid lines, in texels."""

QUAD_COLOURS = {None: BLACK, "min": MIN, "max": MAX}


def draw_keys(
    ax: Axes,
    keys: Keys,
    title: str = "",
    *,
    among: Keys | None = None,
    expected: Keys | None = None,
) -> None:
    """Draw the keys of one channel, of shape (height, width), coloured by rank, with row 0 on top.

    Grids with the same `among` have the same colours; None takes the keys of this grid. Texels that
    differ from `expected` are crossed out, and a NaN leaves its place white.
    """
    values = np.unique(keys if among is None else among)
    values = values[~np.isnan(values)]
    ranks = np.searchsorted(values, keys) / max(1, len(values) - 1)
    ranks[np.isnan(keys)] = np.nan
    height, width = keys.shape
    ax.imshow(ranks, key_colours(), vmin=0, vmax=1, extent=(0, width, height, 0))
    ax.set(xticks=range(width + 1), yticks=range(height + 1))
    ax.grid(color="white", linewidth=1.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(title)
    style: Any = {"ha": "center", "va": "center", "fontsize": _type_size(ax, keys)}
    for y, x in np.argwhere(~np.isnan(keys)):
        key = keys[y, x]
        style["color"] = "black" if ranks[y, x] > 0.55 else "white"
        ax.text(x + 0.5, y + 0.5, f"{key:g}", **style)
        if expected is not None and expected[y, x] != key:
            ends: Any = ([x + 0.1, x + 0.9], [y + 0.9, y + 0.1])
            ax.plot(*ends, color=WRONG, linewidth=3)


def _type_size(ax: Axes, keys: Keys, largest: float = 10) -> float:
    """Return the size of the type with which the longest key fits into its texel, in points."""
    figure: Any = ax.figure
    wide = float(72 * figure.get_figwidth() * ax.get_position().width / keys.shape[1])
    longest = max(len(f"{key:g}") for key in keys.flat)
    return min(largest, 0.78 * wide / (0.64 * longest))


def draw_reading(ax: Axes, each: Pass) -> None:
    """Outline the places that the quads of a pass read; letters mark the first quad's corners."""
    for quads in each.quads:
        q = quads.quad
        _outline(ax, each, quads, (q.s0, q.t0), (q.s1, q.t1))


def draw_writing(ax: Axes, each: Pass) -> None:
    """Outline the places where quads are drawn; letters mark the first quad's corners."""
    for quads in each.quads:
        q = quads.quad
        _outline(ax, each, quads, (q.x0, q.y0), (q.x1, q.y1))


def _outline(ax: Axes, each: Pass, quads: Quads, first: Corner, last: Corner) -> None:
    """Outline a rectangle and its repeats, just inside, with a white border."""
    left, right = sorted((first[0], last[0]))
    top, bottom = sorted((first[1], last[1]))
    x = np.array([left, right, right, left, left]) + INSET * np.array([1, -1, -1, 1, 1])
    y = np.array([top, top, bottom, bottom, top]) + INSET * np.array([1, 1, -1, -1, 1])
    inner, outer = quads.inner, quads.outer
    for o, i in np.ndindex(outer.count, inner.count):
        dx, dy = i * inner.dx + o * outer.dx, i * inner.dy + o * outer.dy
        for colour, width in (("white", 5), (QUAD_COLOURS[each.blend], 2.5)):
            style: Any = {"linewidth": width, "solid_joinstyle": "miter"}
            ax.plot(x + dx, y + dy, color=colour, **style)
    _letters(ax, first, last)


def _letters(ax: Axes, first: Corner, last: Corner) -> None:
    """Write A to D at the corners of a quad: A at the first corner, C at the last."""
    (x0, y0), (x1, y1) = first, last
    corners = {"A": (x0, y0), "B": (x1, y0), "C": (x1, y1), "D": (x0, y1)}
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    style: Any = {"fontsize": 9, "fontweight": "bold", "ha": "center", "va": "center"}
    style["bbox"] = {"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": BLACK}
    for letter, (x, y) in corners.items():
        inside = [0.12 * np.sign(m - c) for m, c in zip(middle, (x, y), strict=True)]
        ax.text(x + inside[0], y + inside[1], letter, **style)


def show_rows(
    rows: Mapping[str, Sequence[float] | Keys],
    *,
    expected: Keys | None = None,
    first: int = 0,
    count: int | None = None,
) -> Figure:
    """Draw rows of equally many numbers with their names; places are counted from `first`.

    NaN leaves its place white, as do all rows after `count` ones; what differs from `expected` is
    crossed out.
    """
    grid = np.array(list(rows.values()))
    height, width = grid.shape
    figure, (ax,) = subplots(width=min(7.2, 1.6 + 0.45 * width), height=0.45 * height + 0.5)
    draw_keys(ax, grid[:count], expected=expected, among=grid)
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.set(xticks=np.arange(width) + 0.5, yticks=np.arange(height) + 0.5, aspect="auto")
    ax.set_xticklabels([str(first + place) for place in range(width)])
    ax.set_yticklabels(list(rows))
    ax.grid(visible=False)
    return figure


def show_grids(grids: Mapping[str, Keys], among: Keys | None = None) -> Figure:
    """Draw grids side by side, each below its name; the last one is what is expected.

    The colours are those of `among`; None takes the keys of the first grid and the last. Texels of
    "yours" that differ from what is expected are crossed out.
    """
    first, *_, expected = grids.values()
    among = np.append(first, expected) if among is None else among
    figure, axes = in_a_row(len(grids), first.shape)
    for ax, (name, keys) in zip(axes, grids.items(), strict=True):
        right = expected if name.startswith("yours") else None
        draw_keys(ax, keys, name, among=among, expected=right)
    return figure


def in_a_row(count: int, shape: tuple[int, ...]) -> tuple[Figure, Sequence[Axes]]:
    """Return a figure with `count` grids of a shape (height, width) side by side."""
    each = min(2.4, 7.2 / count)
    height = each * shape[0] / shape[1] + 0.45
    figure, axes = subplots(1, count, width=each * count, height=height)
    return figure, axes
