"""Strips: a texture drawn with matplotlib as five panels side by side.

The first panel shows the quads, as in figure 2 of the paper (there in grey and orange); the other
four show the channels. Keys are coloured by rank, so the colours do not depend on the distribution.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.program import Program
from shadersort.errors import BadOption
from shadersort.keys.types import Mask
from shadersort.palette import MAX, MIN
from shadersort.pictures.matplotlib_types import Axes, Figure, check_matplotlib
from shadersort.pictures.recorded_sort import RecordedSort, Roles
from shadersort.web.roles import ROLE_COLOURS, Role

ROLE_NAMES = {
    Role.MIN: "keeps the minimum",
    Role.MAX: "keeps the maximum",
    Role.COPIED: "copied",
    Role.UNTOUCHED: "not drawn",
}
PALETTE = "cividis"
PANELS = ("quads", "red", "green", "blue", "alpha")
MOST_OUTLINED = 64
"""The largest width of a texture with outlined quads; the first panel shows them always."""
MOST_WRITTEN = 4
"""The largest width of a texture with keys written into its texels."""

Colours = npt.NDArray[np.float64]


def relative_ranks(values: Texels, texels: Texels) -> npt.NDArray[np.float64]:
    """Return the rank of each key among the different keys `values`, from 0 to 1.

    Examples
    --------
    >>> relative_ranks(np.array([2, 3, 7]), np.array([7, 2, 3]))
    array([1. , 0. , 0.5])
    """
    return np.searchsorted(values, texels) / max(1, len(values) - 1)


def edges(mask: Mask, inset: float = 0.0) -> npt.NDArray[np.float64]:
    """Return the edges around the texels of a mask, an array of segments of shape (count, 2, 2).

    A segment is two corners (x, y); texel (x, y) is centred there. Edges lie `inset` inside.

    Examples
    --------
    >>> edges(np.array([[True, True]])).shape  # two above, two below, one at each end
    (6, 2, 2)
    """
    upright = [_edges_at(mask, side, inset) for side in (-1, 1)]
    level = [_edges_at(mask.T, side, inset)[..., ::-1] for side in (-1, 1)]
    return np.concatenate(upright + level)


def _edges_at(mask: Mask, side: int, inset: float) -> npt.NDArray[np.float64]:
    """Return the vertical edges at the left (-1) or right (1) of the texels of a mask."""
    padded = np.pad(mask, 1)
    y, x = np.nonzero(mask & ~np.roll(padded, -side, axis=1)[1:-1, 1:-1])
    ends = [y + end * np.where(padded[y + 1 + end, x + 1], 0.5, 0.5 - inset) for end in (-1, 1)]
    at = x + side * (0.5 - inset)
    return np.stack([np.stack([at, end], axis=-1) for end in ends], axis=1)


def panel_pitch(width: int) -> int:
    """Return the distance from one panel to the next, in texels."""
    return width + max(1, width // 6)


def strip_aspect(program: Program) -> float:
    """Return the height of a strip over its width."""
    panels = panel_pitch(program.width) * (len(PANELS) - 1) + program.width
    return program.height / panels


class Strip:
    """One row of panels in a plot: the quads of a pass, and the four channels of a texture."""

    def __init__(self, ax: Axes, sort: RecordedSort) -> None:
        from matplotlib.collections import LineCollection

        self.ax, self.values = ax, np.unique(sort.input)
        self.shape = sort.input.shape[:2]
        width = self.shape[1]
        self.pitch = panel_pitch(width)
        self.outlined = width <= MOST_OUTLINED
        self.image = ax.imshow(self._blank(), interpolation="nearest")
        self.lines: list[LineCollection] = []
        for colour, thickness in (("white", 2.6), (MIN, 1.3), (MAX, 1.3)):
            lines = LineCollection([], colors=colour, linewidths=thickness, capstyle="projecting")
            ax.add_collection(lines)
            self.lines.append(lines)
        ax.set_axis_off()
        for panel, name in enumerate(PANELS):
            self._label(panel * self.pitch + (width - 1) / 2, name)

    def show(self, roles: Roles, texels: Texels, title: str) -> None:
        """Show the quads of a pass beside the channels of a texture."""
        from matplotlib import colormaps
        from matplotlib.colors import to_rgba

        picture = self._blank()
        colours = np.array([to_rgba(ROLE_COLOURS[role]) for role in Role])
        picture[self._columns(0)] = colours[roles.role]
        shades = colormaps[PALETTE](relative_ranks(self.values, texels))
        for channel in range(CHANNELS):
            picture[self._columns(1 + channel)] = shades[:, :, channel]
        self.image.set_data(picture)
        self.ax.set_title(title, fontsize=10)
        if self.outlined:
            self._outline(roles)

    def write_keys(self, texels: Texels) -> None:
        """Write each key of a small texture into its texel."""
        ranks = relative_ranks(self.values, texels)
        for (y, x, channel), key in np.ndenumerate(texels):
            self.ax.text(
                x + (1 + channel) * self.pitch,
                y,
                f"{key:.2g}",
                ha="center",
                va="center",
                fontsize=7,
                color="black" if ranks[y, x, channel] > 0.55 else "white",
            )

    def _label(self, x: float, name: str) -> None:
        """Write the name of a panel below its middle."""
        style: Any = {"textcoords": "offset points", "ha": "center", "va": "top", "fontsize": 8}
        self.ax.annotate(name, (x, self.shape[0] - 0.5), (0, -3), **style)

    def _blank(self) -> Colours:
        height, width = self.shape
        return np.zeros((height, self.pitch * (len(PANELS) - 1) + width, 4))

    def _columns(self, panel: int) -> tuple[slice, slice]:
        """Return the rows and columns of a panel in the picture."""
        left = panel * self.pitch
        return slice(None), slice(left, left + self.shape[1])

    def _outline(self, roles: Roles) -> None:
        """Outline the quads of minima and maxima in every channel, with a white border."""
        outlines = []
        for role in (Role.MIN, Role.MAX):
            one = edges(roles.role == role, inset=0.08)
            shifts = [np.array([panel * self.pitch, 0]) for panel in range(1, len(PANELS))]
            outlines.append(np.concatenate([one + shift for shift in shifts]))
        for lines, segments in zip(self.lines, (np.concatenate(outlines), *outlines), strict=True):
            lines.set_segments(list(segments))


def strips(
    sort: RecordedSort, count: int, columns: int, width: float
) -> tuple[Figure, list[Strip]]:
    """Return a figure with `count` strips, `width` inches wide each, and a legend below."""
    check_matplotlib()
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    if not count:
        raise BadOption(f"no pass to draw: {sort!r}")
    rows = -(-count // columns)
    high = width * strip_aspect(sort.program) + 0.6
    layout = ConstrainedLayoutEngine(w_pad=0.12)
    figure = Figure(figsize=(width * columns, high * rows + 0.9), layout=layout)
    axes: Any = figure.subplots(rows, columns, squeeze=False)
    for ax in axes.flat[count:]:
        ax.set_axis_off()
    _add_legend(figure)
    return figure, [Strip(ax, sort) for ax in axes.flat[:count]]


def _add_legend(figure: Figure) -> None:
    """Add a legend of the colours below a figure."""
    from matplotlib import colormaps
    from matplotlib.patches import Patch

    smallest, largest = colormaps[PALETTE]([0.0, 1.0])
    meanings: list[tuple[Any, str]] = [
        (ROLE_COLOURS[role], ROLE_NAMES[role]) for role in ROLE_NAMES
    ]
    meanings += [(smallest, "smallest key"), (largest, "largest key, by rank")]
    patches = [Patch(facecolor=colour, label=name) for colour, name in meanings]
    place: Any = {"loc": "outside lower center", "ncols": len(patches)}
    figure.legend(handles=patches, frameon=False, fontsize=9, **place)
