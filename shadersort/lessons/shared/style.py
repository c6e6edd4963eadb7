"""The style of all lessons: axes, and a colour and a marker for each method."""

from typing import TYPE_CHECKING, Any

from shadersort.palette import BLACK, CIVIDIS, GREEN, LOOKS, WRONG
from shadersort.pictures.matplotlib_types import Axes, Figure, check_matplotlib

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap

WIDTH = 7.2
"""The width of a notebook's column in inches."""

STYLE: Any = {
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
}


def subplots(
    rows: int = 1, columns: int = 1, *, width: float = WIDTH, height: float = 3.0, **options: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure in the style of the lessons, and its axes, row by row.

    Width and height of the figure are in inches; the type is meant for a width of `WIDTH`. Options
    are those of `Figure.subplots`.
    """
    check_matplotlib()
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes: Any = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, list(axes.flat)


def legend_below(figure: Figure, columns: int, *axes: Axes) -> None:
    """Name what is drawn in some axes, below all axes: there a legend covers no data.

    What has the same name in several axes is named once.
    """
    named: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    place: Any = {"loc": "outside lower center", "ncols": columns, "frameon": False, "fontsize": 9}
    figure.legend(list(named.values()), list(named), **place)


def show_beside(case: Any, yours: Any, expected: Any, **labels: Any) -> Figure:
    """Draw the numbers of an answer beside what is expected; labels are those of the axes."""
    figure, (ax,) = subplots(width=5.4, height=2.6)
    ax.axhline(0, color=BLACK, linewidth=0.8)
    ax.plot(expected, "o-", color=GREEN, markersize=4, linewidth=1, label="expected")
    ax.plot(yours, "x--", color=WRONG, markersize=5, linewidth=1, label="yours")
    ax.set(**labels)
    ax.locator_params(axis="x", integer=True)
    legend_below(figure, 2, ax)
    return figure


def key_colours() -> "LinearSegmentedColormap":
    """Return the colours of keys, from the smallest to the largest."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("keys", CIVIDIS)


def look(name: str) -> dict[str, Any]:
    """Return the colour and marker of a network or a method: the same in every plot."""
    colour, marker = LOOKS[name]
    return {"color": colour, "marker": marker}
