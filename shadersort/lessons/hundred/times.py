"""Lesson 13: the time of a hundred order statistics, in the paper, recorded, and here."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.reproduced import DASHED, IMPROVED, PRINTED, lines
from shadersort.lessons.shared.style import look, subplots
from shadersort.lessons.shared.timing import best_seconds
from shadersort.pictures.matplotlib_types import Axes, Figure

Milliseconds = dict[tuple[str, int], float]

WAYS = {"sort-choose": "sort-choose", "bucket-multi": "bucket"}
"""The paper's names of the two ways, with the names of the methods here."""

LABELS = {"sort-choose": "sort, then choose", "bucket-multi": "bucketMultiSelect"}


def show_times(recorded: Record, live: Mapping[str, Mapping[int, float]]) -> Figure:
    """Draw times over the number of ranks: the paper's, recorded ones, and live ones.

    What was also recorded as printed has dashed lines.
    """
    figure, axes = subplots(1, 3 if live else 2, height=3.4, sharey=True)
    paper, now = recorded_times(recorded)
    _draw_times(axes[0], "Tesla K40, 2015, from the paper", paper)
    _draw_times(axes[1], recorded.label, now, ", improved")
    _draw_times(axes[1], recorded.label, recorded_times(recorded, PRINTED)[1], ", as printed")
    if live:
        here = {(name, count): ms for name, some in live.items() for count, ms in some.items()}
        _draw_times(axes[2], "the GPU here, now", here, ", improved")
    axes[0].set_ylabel("time, ms")
    return figure


def recorded_times(recorded: Record, variant: str = IMPROVED) -> tuple[Milliseconds, Milliseconds]:
    """Return the milliseconds of each method and number of ranks: the paper's, and recorded."""
    of: Row = {"dtype": "float32", "distribution": "uniform", "n": 1 << 28}
    rows = lines(recorded, "blanchard-2015-5", variant=variant, **of)
    keyed = [
        ((row["of"]["method"], row["of"]["ranks"]), row) for row in rows if "method" in row["of"]
    ]
    return {key: row["paper"] for key, row in keyed}, {key: row["measured"] for key, row in keyed}


def _draw_times(
    ax: Axes, title: str, found: Mapping[tuple[str, int], float], variant: str = ""
) -> None:
    """Draw the times of both ways; those as printed are dashed."""
    style = DASHED if PRINTED in variant else {}
    for name, label in LABELS.items():
        if points := sorted((count, ms) for (method, count), ms in found.items() if method == name):
            named: Any = {**look(WAYS[name]), **style, "label": label + variant}
            ax.plot(*zip(*points, strict=True), **named)
    ax.set(title=title, xlabel="ranks", xscale="log", yscale="log")
    ax.legend(fontsize=8, frameon=False)


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
