"""The band that must hold a distribution; needs matplotlib: `pip install 'shadersort[plots]'`."""

from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.errors import NotFinite
from shadersort.keys.types import Keys
from shadersort.palette import GREEN, PALE_GREEN
from shadersort.streams.histogram_plot import Shares, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ESTIMATE, BAND = GREEN, PALE_GREEN


def draw_band(values: Keys, low: Shares, high: Shares, ax: "Axes | None") -> "Axes":
    """Draw bounds of shares, each from its value to the next, and a line halfway between them.

    Infinite values have no place, and are left out; raises NotFinite if all are infinite.
    """
    finite = np.isfinite(values)
    if not finite.any():
        raise NotFinite("all values are infinite, so there is nothing to draw")
    places = values[finite].astype(np.float64)
    low, high = low[finite], high[finite]
    axes: Any = new_axes() if ax is None else ax
    axes.fill_between(places, low, high, step="post", color=BAND, label="must hold it")
    axes.step(places, (low + high) / 2, where="post", color=ESTIMATE, label="estimate")
    axes.set_xlabel("value")
    axes.set_ylabel("share of values up to here")
    axes.legend(loc="best", frameon=False)  # the curve fills one of the two corners that it passes
    found: Axes = axes
    return found
