"""Pictures of distributions: a band of bounds, or bars; `pip install 'shadersort[plots]'`."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import MissingPackage, NotFinite
from shadersort.keys.types import Keys
from shadersort.palette import BLACK, GREEN, PALE_GREEN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Shares = npt.NDArray[np.float64]


def _axes(ax: "Axes | None") -> "Axes":
    """Return axes, by default of a new figure, or raise MissingPackage."""
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        advice = "a plot needs matplotlib: pip install 'shadersort[plots]'"
        raise MissingPackage(f"{advice} ({error})") from error
    return Figure(figsize=(6.4, 3.6), layout="constrained").add_subplot()


def draw_band(values: Keys, low: Shares, high: Shares, ax: "Axes | None") -> "Axes":
    """Draw bounds of shares, each from its value to the next, and a line halfway between them."""
    finite = np.isfinite(values)
    if not finite.any():
        raise NotFinite("all values are infinite, so there is nothing to draw")
    places, low, high = values[finite].astype(np.float64), low[finite], high[finite]
    axes = _axes(ax)
    axes.fill_between(places, low, high, step="post", color=PALE_GREEN, label="must hold it")
    axes.step(places, (low + high) / 2, where="post", color=GREEN, label="estimate")
    axes.set(xlabel="value", ylabel="share of values up to here")
    axes.legend(loc="best", frameon=False)  # the curve fills one of the two corners that it passes
    return axes


def draw_bars(edges: Keys, shares: Shares, low: Shares, high: Shares, ax: "Axes | None") -> "Axes":
    """Draw bars between edges whose areas are shares; a bin of one value is 1 wide."""
    places = edges.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        widths = np.diff(places)
    if not np.isfinite(widths).all():
        far = f"the bins reach from {places[0]:g} to {places[-1]:g}, too far to be drawn"
        raise NotFinite(f"{far}: give the edges of the bins, bins=[0, 1, 2] say")
    left, widths = places[:-1] - (widths == 0) / 2, np.where(widths == 0, 1.0, widths)
    axes = _axes(ax)
    errors = np.stack([shares - low, high - shares]) / widths
    looks: Any = {"color": GREEN, "edgecolor": "white", "ecolor": BLACK, "align": "edge"}
    axes.bar(left, shares / widths, widths, yerr=errors, **looks)
    axes.set(xlabel="value", ylabel="share for each unit of value")
    return axes
