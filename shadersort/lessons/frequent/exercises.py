"""Lesson 8, frequent items and heavy hitters: the exercises."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises import (
    Case,
    Exercise,
    PythonRunner,
    WrongKind,
    parts_of,
)
from shadersort.lessons.frequent.mistakes import HISTOGRAM, ITEMS, TAKE_WINDOW, table_of
from shadersort.lessons.frequent.pictures import untimed
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.palette import FAINT, GREEN, WATER
from shadersort.pictures.matplotlib_types import Figure
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.sorters.numpy_sorter import item_counts

Held = Mapping[int, tuple[int, int]]

FORBIDDEN = (
    *("unique", "unique_all", "unique_counts", "unique_values", "unique_inverse"),
    *("Counter", "groupby", "set", "item_counts", "histogram_of"),
)
"""Names that find the different items of a window by themselves: the lesson asks to sort it."""


def _windows(rng: np.random.Generator) -> Iterator[Case]:
    """Yield windows with one item, with equal and with different items, also at the ends."""
    yield (np.array([3, 1, 3]),)
    yield (np.array([5]),)
    yield (np.array([2, 2, 2, 2]),)
    yield (np.array([0, 7, 0, 7, 7]),)
    yield (np.array([4, 3, 2, 1]),)
    yield (rng.integers(-5, 5, 40),)


def _items_and_counts(found: Any) -> Keys:
    asked = "two arrays, the items and their counts"
    items, counts = (np.asarray(each) for each in parts_of(found, asked, 2))
    if items.shape != counts.shape:
        raise WrongKind(f"return {asked}: yours are {items.size} items, but {counts.size} counts")
    return np.stack([items, counts])


histogram = Exercise(
    name="histogram",
    specification=lambda window: np.stack(np.unique(window, return_counts=True)),
    cases=_windows,
    hints=(
        "After np.sort, equal items stand side by side. A new item begins at place 0, and wherever "
        "an item differs from the one before it.",
        "ordered[1:] != ordered[:-1] compares every item after the first with the one before it. "
        "np.append(True, …) adds the first.",
        "begins = np.flatnonzero(…) are the places where items begin, and ordered[begins] the "
        "items. A run ends where the next begins: np.diff(begins, append=len(window)).",
    ),
    runner=PythonRunner(_items_and_counts, forbidden=FORBIDDEN),
    mistakes=HISTOGRAM,
)


def _lossy(held: Held, window: Keys, over: int) -> Keys:
    """Return the counters after one more window, by the summaries of the package."""
    numbers = [[item, *held[item]] for item in sorted(held)]
    items, counts, missed = np.array(numbers, np.int64).reshape(-1, 3).T
    before = LossyCounts(len(window), over, items, counts, missed)
    after = before.with_window(*item_counts(window), 1, untimed)
    return table_of(
        dict(zip(after.items.tolist(), zip(after.counts, after.missed, strict=True), strict=True))
    )


def _some_windows(rng: np.random.Generator) -> Iterator[Case]:
    """Yield counters after some windows, with the next window and the number of windows."""
    yield {}, np.array([4, 4, 1, 4]), 0
    yield {4: (3, 0)}, np.array([2, 2, 2, 4]), 1
    yield {4: (4, 0), 2: (3, 1)}, np.array([1, 5, 7, 1]), 2
    stream = np.minimum(rng.zipf(1.5, 60) - 1, ITEMS - 1)
    held: dict[int, tuple[int, int]] = {}
    for over, window in enumerate(stream.reshape(-1, 6)):
        yield held, window, over
        counts, missed = _lossy(held, window, over).tolist()
        pairs = enumerate(zip(counts, missed, strict=True))
        held = {item: pair for item, pair in pairs if pair[0]}


def _beside(case: Case, yours: Any, expected: Any) -> Figure:
    """Draw both as bars, with the water after the window."""
    figure, axes = subplots(1, 2, height=2.8, sharey=True)
    for ax, (counts, missed), title in zip(
        axes, (yours, expected), ("yours", "expected"), strict=True
    ):
        ax.bar(range(ITEMS), missed, color=FAINT, label="may have been missed")
        ax.bar(range(ITEMS), counts, bottom=missed, color=GREEN, label="counted")
        ax.axhspan(0, case[2] + 1, color=WATER, alpha=0.35, linewidth=0, zorder=3)
        ax.set(title=title, xlabel="item", xticks=range(ITEMS))
    axes[0].set_ylabel("how often")
    axes[0].set_ylim(0, 1.1 * max(yours.sum(axis=0).max(), expected.sum(axis=0).max(), case[2] + 1))
    legend_below(figure, 2, axes[1])
    return figure


take_window = Exercise(
    name="take_window",
    specification=_lossy,
    cases=_some_windows,
    hints=(
        "Three steps: add the window's counts to those held; give an item that was not held a "
        "plinth; drop the items under water.",
        "for item, count in zip(*histogram_of(window)): find the item in a copy of `held`. If it "
        "is missing, its count is 0, and it may have been missed `over` times: "
        "held.get(item, (0, over)).",
        "After this window, over + 1 windows are over. Keep the items whose count + missed is "
        "larger than that.",
    ),
    runner=PythonRunner(table_of),
    draw=_beside,
    mistakes=TAKE_WINDOW,
)


def histogram_of(window: Keys) -> tuple[list[int], list[int]]:
    """Return the different items of a window in order, with their counts.

    Examples
    --------
    >>> histogram_of(np.array([3, 1, 3]))
    ([1, 3], [1, 2])
    """
    items, counts = item_counts(window)
    return items.tolist(), counts.tolist()


EXERCISES = (histogram, take_window)
