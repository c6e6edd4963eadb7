"""Lesson 12: the time of a hundred order statistics, in the paper, recorded, and here."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.reproduced import lines
from shadersort.lessons.shared.style import look, subplots
from shadersort.lessons.shared.timing import best_seconds
from shadersort.pictures.matplotlib_types import Axes, Figure

Milliseconds = dict[tuple[str, int], float]

WAYS = {"sort-choose": "sort-choose", "bucket-multi": "bucket"}
"""The paper's names of the two ways, with the names of the methods here."""

LABELS = {"sort-choose": "sort, then choose", "bucket-multi": "bucketMultiSelect"}


def show_times(recorded: Record, live: Mapping[str, Mapping[int, float]]) -> Figure:
    """Draw times over the number of ranks: the paper's, recorded ones, and live ones."""
    paper, now = recorded_times(recorded)
    drawn = [("Tesla K40, 2015, from the paper", paper), (recorded.label, now)]
    if live:
        here = {(name, count): ms for name, some in live.items() for count, ms in some.items()}
        drawn.append(("the GPU here, now", here))
    figure, axes = subplots(1, len(drawn), height=3.1, sharey=True)
    for ax, (title, found) in zip(axes, drawn, strict=True):
        _draw_times(ax, found)
        ax.set(title=title, xlabel="ranks", xscale="log", yscale="log")
    axes[0].set_ylabel("time, ms")
    axes[0].legend(fontsize=8, loc="center right")
    return figure


def recorded_times(recorded: Record) -> tuple[Milliseconds, Milliseconds]:
    """Return the milliseconds of each method and number of ranks: the paper's, and recorded."""
    of: Row = {"dtype": "float32", "distribution": "uniform", "n": 1 << 28}
    rows = lines(recorded, "blanchard-2015-5", **of)
    keyed = [
        ((row["of"]["method"], row["of"]["ranks"]), row) for row in rows if "method" in row["of"]
    ]
    return {key: row["paper"] for key, row in keyed}, {key: row["measured"] for key, row in keyed}


def _draw_times(ax: Axes, found: Mapping[tuple[str, int], float]) -> None:
    for name, label in LABELS.items():
        points = sorted((count, ms) for (method, count), ms in found.items() if method == name)
        ax.plot(*zip(*points, strict=True), **look(WAYS[name]), label=label)


def times(
    xp: Any,
    wait: Callable[[], Any],
    multiselect: Callable[..., Any],
    n: int,
    counts: Sequence[int],
    turns: int = 5,
) -> dict[str, dict[int, float]]:
    """Time both ways on n uniform float32 keys, and return the milliseconds of each.

    `xp` is NumPy or CuPy, `wait` waits until the device is done, `multiselect` is
    `modern.multiselect`, and `counts` are numbers of evenly spaced ranks.
    """
    keys = xp.asarray(np.random.default_rng(0).random(n, dtype=np.float32))

    def milliseconds(count: int, method: str) -> float:
        ks = np.linspace(0, n - 1, count).astype(np.int64)
        select = partial(multiselect, keys, ks, method=method)
        return 1e3 * best_seconds(select, turns=turns, wait=wait)

    return {
        name: {count: milliseconds(count, method) for count in counts}
        for name, method in WAYS.items()
    }
