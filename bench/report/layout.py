"""Where the plots of a figure and their legends stand; all sizes are in pixels.

The page's text is as wide as a figure, and its letters as large as the figure's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from matplotlib.textpath import TextPath

from bench.report.plot import Plot

INCH = 96.0
"""Pixels in an inch."""

WIDTH, TEXT = 1040.0, 16.0
"""Width of a figure, and the size of its text."""

ALONE, BESIDE_ANOTHER = 400.0, 320.0
"""Heights of the axes of a plot alone in its row, and of one beside another."""

LABEL, LEFT, RIGHT, TOP, BOTTOM = 28.0, 66.0, 24.0, 40.0, 58.0
"""Room for the label of the y axis, for its numbers, and for what else surrounds the axes."""

LEGEND, HANDLE = 22.0, 56.0
"""Height of a line of a legend; and what each column needs beside its labels."""

Place = tuple[float, float, float]
"""The left end, the top and the width of a legend."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The axes of a plot: where they stand, and whether the y axis has its label there."""

    left: float
    top: float
    width: float
    height: float
    has_label: bool
    right: float = RIGHT


@dataclass(frozen=True, slots=True)
class Page:
    """A figure: its size, the axes of each plot, and legends, each with the number of its plot."""

    width: float
    height: float
    cells: Sequence[Cell]
    legends: Sequence[tuple[int, Place]]

    def share(self, cell: Cell) -> tuple[float, float, float, float]:
        """Return left, bottom, width and height of axes, as shares of the figure."""
        across = cell.left / self.width, cell.width / self.width
        bottom = 1 - (cell.top + cell.height) / self.height
        return across[0], bottom, across[1], cell.height / self.height


def laid_out(plots: Sequence[Plot]) -> Page:
    """Lay out the plots of a figure, two in a row; plots in a row that share it have one y label.

    If all plots have the same curves, one legend stands below them; so it does below a row of such
    plots; plots of a column that have the same curves have one legend below the last of them.

    Examples
    --------
    >>> page = laid_out([Plot(name, "keys", "ms", []) for name in ("a", "b", "c")])
    >>> [cell.has_label for cell in page.cells]
    [True, False, True]
    """
    columns = min(2, len(plots))
    names = [tuple(curve.label for curve in plot.curves) for plot in plots]
    common = len(set(names)) == 1
    cells, legends, top = [], [], 0.0
    for first in range(0, len(plots), columns):
        row = names[first : first + columns]
        found = _row(plots[first : first + columns], columns, top)
        cells += found
        top += TOP + found[0].height + BOTTOM
        if common:
            continue
        places = {first + number: _below(cell, top) for number, cell in enumerate(found)}
        if len(row) == columns and len(set(row)) == 1:
            places = {first: (8.0, top, WIDTH - 16.0)}
        below = {number: names[number + columns :: columns] for number in places}
        last = {at: place for at, place in places.items() if names[at] not in below[at]}
        legends += list(last.items())
        top += max((_height(plots[at], place[2]) for at, place in last.items()), default=0.0)
    if common:
        legends = [(0, (8.0, top, WIDTH - 16.0))]
        top += _height(plots[0], WIDTH - 16.0)
    return Page(WIDTH, top, cells, legends)


def _row(plots: Sequence[Plot], columns: int, top: float) -> list[Cell]:
    labels = [number == 0 or not shared(plots, "y") for number in range(columns)]
    width = (WIDTH - columns * (LEFT + RIGHT) - LABEL * sum(labels)) / columns
    height = ALONE if columns == 1 else BESIDE_ANOTHER
    cells, left = [], 0.0
    for has_label in labels[: len(plots)]:
        left += LEFT + LABEL * has_label
        cells.append(Cell(left, top + TOP, width, height, has_label))
        left += width + RIGHT
    return cells


def shared(plots: Sequence[Plot], axis: str) -> bool:
    """Return whether plots have the same axis: its label, and whether it is logarithmic."""
    return len({(plot.y if axis == "y" else plot.x, axis in plot.log) for plot in plots}) == 1


def _below(cell: Cell, top: float) -> Place:
    left = cell.left - LEFT + 8.0
    return left, top, cell.left + cell.width + RIGHT - left


def _height(plot: Plot, room: float) -> float:
    labels = [curve.label for curve in plot.curves]
    return LEGEND * -(-len(labels) // columns_of_legend(labels, room)) + 12.0


def columns_of_legend(labels: Sequence[str], room: float) -> int:
    """Return the most columns of a legend that fit.

    Examples
    --------
    >>> columns_of_legend(["radix", "bucket", "sort-choose"], 400), columns_of_legend(["a"] * 9, 10)
    (3, 1)
    """
    widths = [pixels(label) for label in labels]
    for columns in range(min(6, len(labels)), 1, -1):
        of = [max(widths[column::columns]) + HANDLE for column in range(columns)]
        if sum(of) <= room:
            return columns
    return 1


@cache
def pixels(text: str) -> float:
    """Return the width of a line of text."""
    return float(TextPath((0, 0), text, size=TEXT).get_extents().width) if text else 0.0
