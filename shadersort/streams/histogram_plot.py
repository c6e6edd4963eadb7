"""A histogram as bars; needs matplotlib: `pip install 'shadersort[plots]'`."""

from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.errors import MissingPackage, NotFinite

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from shadersort.streams.histogram import Histogram

BARS = "#0072b2"
BOUNDS = "#444444"


def new_axes() -> Any:
    """Return the axes of a new figure, or raise MissingPackage."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackage(
            f"a plot needs matplotlib: pip install 'shadersort[plots]' ({error})"
        ) from error
    return Figure(figsize=(6.4, 3.6)).add_subplot()


def draw_histogram(histogram: "Histogram", ax: "Axes | None") -> "Axes":
    """Draw bars whose areas are the shares of their bins, with the bounds of each."""
    left, widths = _places(histogram)
    per_value = histogram.n * widths
    low, high = (
        np.abs(each - histogram.counts) / per_value for each in (histogram.lower, histogram.upper)
    )
    axes: Axes = new_axes() if ax is None else ax
    axes.bar(
        *(left, histogram.counts / per_value, widths),
        align="edge",
        color=BARS,
        edgecolor="white",
        yerr=np.stack([low, high]),
        ecolor=BOUNDS,
    )
    axes.set_xlabel("value")
    axes.set_ylabel("share for each unit of value")
    axes.set_title(f"{histogram.n:,} values in {len(histogram)} bins")
    return axes


def _places(histogram: "Histogram") -> tuple[Any, Any]:
    """Return the left ends and the widths of the bars; a bin of one value is drawn 1 wide."""
    edges = histogram.edges.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        widths = np.diff(edges)
    if not np.isfinite(widths).all():
        raise NotFinite(
            f"a bin reaches from {edges[0]:g} to {edges[-1]:g}, too far to be drawn: "
            "give the edges of the bins, bins=[0, 1, 2] say"
        )
    one_value = widths == 0
    return edges[:-1] - one_value / 2, np.where(one_value, 1.0, widths)
