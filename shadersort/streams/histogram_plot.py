"""A histogram as bars; needs matplotlib: `pip install 'shadersort[plots]'`."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import MissingPackage, NotFinite
from shadersort.keys.types import Keys
from shadersort.palette import BLACK, GREEN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Shares = npt.NDArray[np.float64]

BARS, BOUNDS = GREEN, BLACK


def new_axes() -> Any:
    """Return the axes of a new figure, or raise MissingPackage."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackage(
            f"a plot needs matplotlib: pip install 'shadersort[plots]' ({error})"
        ) from error
    return Figure(figsize=(6.4, 3.6), layout="constrained").add_subplot()


def draw_bars(edges: Keys, shares: Shares, low: Shares, high: Shares, ax: "Axes | None") -> "Axes":
    """Draw bars between edges whose areas are shares, with lines from `low` to `high`."""
    left, widths = _places(edges)
    errors = np.stack([shares - low, high - shares]) / widths
    axes: Axes = new_axes() if ax is None else ax
    looks: dict[str, Any] = {"color": BARS, "edgecolor": "white", "ecolor": BOUNDS}
    axes.bar(left, shares / widths, widths, align="edge", yerr=errors, **looks)
    axes.set_xlabel("value")
    axes.set_ylabel("share for each unit of value")
    return axes


def _places(edges: Keys) -> tuple[Shares, Shares]:
    """Return the left ends and the widths of the bars; a bin of one value is drawn 1 wide."""
    places = edges.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        widths = np.diff(places)
    if not np.isfinite(widths).all():
        raise NotFinite(
            f"the bins reach from {places[0]:g} to {places[-1]:g}, too far to be drawn: "
            "give the edges of the bins, bins=[0, 1, 2] say"
        )
    one_value = widths == 0
    return places[:-1] - one_value / 2, np.where(one_value, 1.0, widths)
