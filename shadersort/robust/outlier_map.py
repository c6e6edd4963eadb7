"""The outlier map (Rousseeuw and van Zomeren 1990): residuals against distances in X.

Needs matplotlib: `pip install 'shadersort[plots]'`.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.errors import MatplotlibMissing
from shadersort.palette import BLACK, GREEN, GREY
from shadersort.robust.distances import distance_limit, robust_distances
from shadersort.robust.normal import CUTOFF
from shadersort.robust.problem import on_host

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KEPT, LEFT_OUT, LIMITS = GREEN, GREY, BLACK


def draw_outlier_map(x: Any, left: Any, scale: float, ax: "Axes | None") -> "Axes":
    """Draw residuals in units of a scale against robust distances of the rows of x.

    Residuals of an exact fit, of scale 0, are drawn as they are. Raises MatplotlibMissing.
    """
    axes: Axes = _new_axes() if ax is None else ax
    rows = np.asarray(on_host(x), np.float64)
    heights = np.asarray(on_host(left), np.float64) / (scale or 1)
    distances, limit = robust_distances(rows), distance_limit(rows.shape[1])
    outliers = np.abs(heights) > CUTOFF
    for some, colour, mark, label in (
        (~outliers, KEPT, "o", "fitted"),
        (outliers, LEFT_OUT, "X", "outliers"),
    ):
        axes.scatter(distances[some], heights[some], s=18, c=colour, marker=mark, label=label)
    axes.axvline(limit, color=LIMITS, linewidth=0.8, linestyle="--")
    for height in (-CUTOFF, CUTOFF):
        axes.axhline(height, color=LIMITS, linewidth=0.8, linestyle="--")
    axes.set_xlabel("robust distance of the row of X")
    axes.set_ylabel("residual / scale" if scale else "residual")
    axes.legend()
    return axes


def _new_axes() -> Any:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise MatplotlibMissing(
            f"an outlier map needs matplotlib: pip install 'shadersort[plots]' ({error})"
        ) from error
    return Figure(figsize=(6.4, 4.2), layout="constrained").add_subplot()
