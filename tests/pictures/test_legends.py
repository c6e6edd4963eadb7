"""No legend covers data: it stands below the axes, or where nothing is drawn."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from shadersort.lessons import record
from shadersort.lessons.cost import pictures as of_cost
from shadersort.lessons.frequent import pictures as of_counts
from shadersort.lessons.hundred import pictures as of_ranks
from shadersort.lessons.ladder import pictures as of_ladder
from shadersort.lessons.median import cuts
from shadersort.lessons.median import pictures as of_median
from shadersort.lessons.networks import pictures as of_networks
from shadersort.lessons.shared.style import show_beside, subplots
from shadersort.lessons.sliding import pictures as of_windows
from shadersort.lessons.sparse import pictures as of_skies
from shadersort.pictures.matplotlib_types import Figure

SIZES = [1 << power for power in range(1, 25)]
KEYS = np.sort(np.random.default_rng(0).laplace(size=5000))
STREAM = np.random.default_rng(1).gamma(2.0, 15.0, 40_000)
OUTLIERS = [1e1, 1e4, 1e7, 1e10, 1e13, 1e16, 1e19]
ITERATIONS = {
    method: cuts.iterations(np.random.default_rng(2).normal(size=1001), OUTLIERS, method)
    for method in ("golden", "bisection", "cutting-plane")
}

DRAWN: dict[str, Callable[[], Figure]] = {
    "networks": partial(of_networks.show_counts, SIZES),
    "cycles": of_cost.show_cycles,
    "figure 3": of_cost.show_figure_3,
    "figure 4": of_cost.show_figure_4,
    "rates": partial(of_ladder.show_rates, record("ladder-nvidia-h200")),
    "water": partial(of_counts.show_water, 6),
    "shares": of_counts.show_shares,
    "medians": partial(of_windows.show_medians, STREAM, 4000),
    "memory": partial(of_windows.show_memory, 0.01),
    "iterations": partial(of_median.show_iterations, OUTLIERS, ITERATIONS),
    "beside": partial(show_beside, (), KEYS[::100], KEYS[::100], xlabel="place"),
    "intervals": partial(
        of_ranks.show_intervals, KEYS, np.sort(KEYS[::10]), 4, 256, np.arange(0, 5000, 50)
    ),
    "distribution": partial(
        of_ranks.show_distribution, KEYS, KEYS[::499], np.quantile(KEYS, np.linspace(0, 1, 101))
    ),
    "sent back": partial(of_skies.show_sent_back, KEYS[::50][:64], KEYS[:64] > KEYS[50], 9),
}


def covered(figure: Figure) -> list[str]:
    """Return what is drawn below a legend: the names of lines and patches, or of axes."""
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    found = []
    for legend in figure.legends:
        box = legend.get_window_extent(renderer)
        found += ["axes" for ax in figure.axes if box.overlaps(ax.get_window_extent(renderer))]
    for ax in figure.axes:
        if inside := ax.get_legend():
            box = inside.get_window_extent(renderer)
            for line in ax.lines:
                path = line.get_path().interpolated(50).transformed(line.get_transform())
                found += [str(line.get_label())] * bool(box.count_contains(path.vertices))
            for patch in ax.patches:
                found += ["patch"] * bool(box.overlaps(patch.get_window_extent(renderer)))
    return found


@pytest.mark.parametrize("name", DRAWN)
def test_no_legend_covers_data(name: str) -> None:
    assert covered(DRAWN[name]()) == []


def test_a_legend_over_data_is_found() -> None:
    figure, (ax,) = subplots()
    ax.plot([0, 1], [1, 0], label="falls")
    ax.legend(loc="upper left")
    assert covered(figure) == ["falls"]
    ax.legend(loc="upper right")
    assert covered(figure) == []
    figure.legend(loc="center")
    assert covered(figure) == ["axes"]
