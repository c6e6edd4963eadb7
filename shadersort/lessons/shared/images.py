"""Large textures as images: keys by rank, without numbers."""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import key_colours
from shadersort.pictures.matplotlib_types import Axes


def draw_ranks(ax: Axes, texels: Keys, among: Keys, title: str) -> None:
    """Draw texels by the ranks of their keys in `among`.

    One channel, of shape (height, width), is drawn from dark to bright; three, of shape
    (height, width, 3), as red, green and blue.
    """
    ranks = np.searchsorted(np.sort(among, axis=None), texels) / max(1, among.size - 1)
    shades = key_colours()
    ax.imshow(np.minimum(ranks, 1), shades, vmin=0, vmax=1, interpolation="nearest")
    ax.set_title(title)
    without_axes(ax)


def without_axes(ax: Axes) -> None:
    """Remove the ticks and the frame of axes."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
