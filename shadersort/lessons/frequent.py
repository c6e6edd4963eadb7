"""Lesson 8, frequent items and heavy hitters: counts under rising water, and the exercises."""

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.records import record
from shadersort.lessons.style import subplots
from shadersort.palette import BLACK, BLUE, CIVIDIS, GREEN, GREY, ORANGE, SKY, VERMILION
from shadersort.streams import FrequencySummary, HierarchicalHeavyHitters
from shadersort.streams.counts import counted, looked_up
from shadersort.streams.lossy import LossyCounts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "EXERCISES",
    "Moment",
    "histogram",
    "histogram_of",
    "moments",
    "show_estimates",
    "show_figures",
    "show_heavy",
    "show_popularity",
    "show_runs",
    "show_water",
    "take_window",
]

Keys = npt.NDArray[Any]
Held = Mapping[int, tuple[int, int]]

FAINT = "#d9d9d9"
ITEMS = 12
"""Items in small examples: 0, 1, … below this."""


class Moment(NamedTuple):
    """What is held at one moment of lossy counting.

    Attributes
    ----------
    title
        What has just happened.
    counts, missed
        Of each item 0, 1, 2, …: how often it was counted, 0 if it is not held; how often it may
        have come before.
    water
        So many windows are over.
    true
        How often each item has really come.
    """

    title: str
    counts: Keys
    missed: Keys
    water: int
    true: Keys


def moments(stream: Keys, size: int) -> list[Moment]:
    """Count a stream of small numbers in windows of so many; two moments for each window.

    Examples
    --------
    >>> [(moment.title, moment.counts.tolist()) for moment in moments(np.array([0, 0, 1, 0]), 4)]
    [('window 1 comes', [3, 1]), ('window 1 is over', [3, 1])]
    """
    items = np.arange(stream.max() + 1)
    held, found = LossyCounts.empty(size, stream.dtype), []
    for number, window in enumerate(stream.reshape(-1, size), start=1):
        seen, counts = counted(window)
        before, missed = held.of(items)
        now = before + looked_up(items, seen, counts)
        true = np.bincount(stream[: number * size], minlength=len(items))
        found.append(Moment(f"window {number} comes", now, missed, number - 1, true))
        found.append(Moment(f"window {number} is over", now, missed, number, true))
        held = held.with_window(seen, counts, 1, _untimed)
    return found


def _untimed(operation: str) -> nullcontext[None]:
    return nullcontext()


def show_water(moment: Moment, height: int) -> "Figure":
    """Draw a moment: an item's bar stands on what it may have missed; what is under water goes."""
    figure, (ax,) = subplots(height=3.3)
    items, top = np.arange(len(moment.counts)), moment.counts + moment.missed
    held = moment.counts > 0
    drowned = held & (top <= moment.water)
    style: Any = {"width": 0.7, "zorder": 2}
    plinth = np.where(held, moment.missed, 0)
    ax.bar(items, plinth, color=FAINT, **style, label="may have been missed")
    bars = np.where(held, moment.counts, 0)
    kept = np.where(drowned, 0, bars)
    ax.bar(items, kept, bottom=plinth, color=BLUE, **style, label="counted")
    ax.bar(items, bars - kept, bottom=plinth, color=VERMILION, **style, label="let go")
    ax.hlines(moment.true, items - 0.42, items + 0.42, color=BLACK, zorder=4, label="the truth")
    ax.axhspan(0, moment.water, color=SKY, alpha=0.35, zorder=3, linewidth=0)
    ax.axhline(moment.water, color=SKY, zorder=3)
    ax.set(xlabel="item", ylabel="how often", ylim=(0, height), xlim=(-0.6, len(items) - 0.4))
    ax.set_xticks(items)
    ax.set_title(f"{moment.title}: the water stands at {moment.water}")
    ax.legend(loc="upper center", ncols=2, frameon=False)
    return figure


def show_popularity(stream: Keys, support: float) -> "Figure":
    """Draw which share of a stream each item has, the most frequent first."""
    figure, (ax,) = subplots(height=2.8)
    shares = np.sort(np.unique(stream, return_counts=True)[1])[::-1] / len(stream)
    often = shares > support
    places = np.arange(1, len(shares) + 1)
    ax.plot(places[often], 100 * shares[often], "o", color=BLUE, label=f"more than {support:.0%}")
    ax.plot(places[~often], 100 * shares[~often], ".", color=GREY, markersize=3, label="less")
    ax.axhline(100 * support, color=VERMILION, linewidth=1, label="the support")
    ax.set(xscale="log", yscale="log", xlabel="items, the most frequent first")
    ax.set_ylabel("% of the stream")
    ax.legend(frameon=False)
    return figure


def show_runs(window: Keys) -> "Figure":
    """Draw a window as it came and in order, and the lengths of the runs of equal items."""
    from matplotlib.colors import LinearSegmentedColormap

    figure, axes = subplots(2, 1, height=1.7, sharex=True)
    shades = LinearSegmentedColormap.from_list("keys", CIVIDIS)
    for ax, row, title in zip(axes, (window, np.sort(window)), ("came", "sorted"), strict=True):
        ax.imshow(row[None], shades, vmin=0, vmax=window.max(), aspect="auto")
        for at, item in enumerate(row):
            colour = "black" if item > 0.55 * window.max() else "white"
            ax.text(at, 0, str(item), ha="center", va="center", color=colour, fontsize=10)
        ax.set(xticks=[], yticks=[])
        ax.set_ylabel(title, rotation=0, ha="right", va="center")
        for side in ax.spines.values():
            side.set_visible(False)
    begins = np.flatnonzero(np.append(True, np.diff(np.sort(window)) > 0))
    for begin, count in zip(begins, np.diff(begins, append=len(window)), strict=True):
        middle = begin + (count - 1) / 2
        axes[1].plot([begin - 0.4, begin + count - 0.6], [0.62, 0.62], color=BLACK, clip_on=False)
        axes[1].text(middle, 0.75, f"{count} ×", ha="center", va="top", fontsize=10)
        if begin:
            axes[1].axvline(begin - 0.5, color="white", linewidth=3)
    axes[1].set_xlabel(" ")
    return figure


def show_estimates(summary: FrequencySummary, stream: Keys, support: float) -> "Figure":
    """Draw by how much each item was counted too low, against how often it really comes."""
    items, counts = np.unique(stream, return_counts=True)
    missing, n = counts - summary.estimate(items), len(stream)
    told = np.isin(items, summary.frequent_items(support)["item"])
    figure, (ax,) = subplots(height=3.3)
    ax.axhspan(0, 100 * summary.epsilon, color=BLUE, alpha=0.15, label="0 to ε")
    for chosen, colour, size, label in (
        (~told, GREY, 3, "not reported"),
        (told, BLUE, 6, "reported as frequent"),
    ):
        x, y = 100 * counts[chosen] / n, 100 * missing[chosen] / n
        ax.plot(x, y, "o", color=colour, markersize=size, label=label)
    ax.axvline(100 * support, color=VERMILION, label="the support")
    ax.axvline(
        100 * (support - summary.epsilon),
        color=VERMILION,
        linestyle=":",
        label="the support less ε",
    )
    ax.set(xscale="log", xlim=(0.02, 30), ylim=(-0.05, 0.85))
    ax.set(
        xlabel="how often the item really comes, % of the stream", ylabel="counted too low by, %"
    )
    ax.set_title(f"ε = {summary.epsilon:g}: {len(summary):,} entries, of {len(items):,} items")
    ax.legend(loc="upper right", frameon=False)
    return figure


def show_heavy(summary: HierarchicalHeavyHitters, rows: Keys) -> "Figure":
    """Draw the heavy prefixes: how often each comes, and how much of it is its own."""
    figure, (ax,) = subplots(height=0.9 + 0.36 * len(rows))
    names, places = [summary.spelt(row) for row in rows], np.arange(len(rows))
    share = 100 / summary.n
    ax.barh(places, share * rows["estimate"], color=FAINT, label="all of its items")
    ax.barh(places, share * rows["unexplained"], color=BLUE, label="not explained by longer ones")
    ax.set_yticks(places, names, family="monospace")
    ax.set(xlabel="% of the stream", xlim=(0, 100), ylim=(len(rows) - 0.4, -0.6))
    ax.legend(loc="upper right", frameon=False)
    return figure


def show_figures() -> "Figure":
    """Draw figures 5 and 6 of the paper again: seconds, and where they go, against ε."""
    figure, axes = subplots(1, 2, height=3.2)
    made = record("streams-frequencies-numpy")
    for data, colour, marker in (("uniform", BLUE, "o"), ("zipf 1.2", ORANGE, "s")):
        rows = made.where(workload="frequencies", data=data)
        seconds = [row["keys"] / row["mvalues_per_s"] / 1e6 for row in rows]
        epsilons = [row["epsilon"] for row in rows]
        axes[0].plot(epsilons, seconds, color=colour, marker=marker, label=data)
    axes[0].set(xscale="log", xlabel="ε", ylabel="seconds for 100 million values", ylim=(0, None))
    axes[0].invert_xaxis()
    axes[0].legend(frameon=False)
    rows = made.where(workload="frequencies", data="uniform")
    places, bottom = np.arange(len(rows)), np.zeros(len(rows))
    for part, colour in (("sort", BLUE), ("merge", ORANGE), ("compress", GREEN), ("rest", FAINT)):
        shares = np.array([100 * row.get(f"{part}_share", 0.0) for row in rows])
        shares = 100 - bottom if part == "rest" else shares
        axes[1].bar(places, shares, bottom=bottom, color=colour, label=part)
        bottom = bottom + shares
    axes[1].set_xticks(places, [f"$10^{{{np.log10(row['epsilon']):.0f}}}$" for row in rows])
    axes[1].set(xlabel="ε", ylabel="% of the time, uniform", ylim=(0, 100))
    axes[1].legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, fontsize=8)
    figure.suptitle(made.label, fontsize=10)
    return figure


def _windows(rng: np.random.Generator) -> Iterator[Case]:
    """Windows with one item, with equal and with different ones, at either end too."""
    yield (np.array([3, 1, 3]),)
    yield (np.array([5]),)
    yield (np.array([2, 2, 2, 2]),)
    yield (np.array([0, 7, 0, 7, 7]),)
    yield (np.array([4, 3, 2, 1]),)
    yield (rng.integers(-5, 5, 40),)


def _items_and_counts(answer: Answer, window: Keys) -> Keys:
    items, counts = (np.asarray(each) for each in answered(answer(window)))
    if items.shape != counts.shape:
        raise ValueError(f"{items.size} items, but {counts.size} counts")
    return np.stack([items, counts])


histogram = Exercise(
    name="histogram",
    specification=lambda window: np.stack(np.unique(window, return_counts=True)),
    cases=_windows,
    hints=(
        "After np.sort, equal items stand side by side. A new item begins at place 0, and wherever "
        "an item differs from the one before it.",
        "ordered[1:] != ordered[:-1] compares every item but the first with the one before it. "
        "np.append(True, …) adds the first.",
        "begins = np.flatnonzero(…) are the places where items begin, and ordered[begins] the "
        "items. A run ends where the next begins: np.diff(begins, append=len(window)).",
    ),
    outcome=_items_and_counts,
)


def _lossy(held: Held, window: Keys, over: int) -> Keys:
    """Return what is held after one more window, by the counts of the summaries."""
    numbers = [[item, *held[item]] for item in sorted(held)]
    items, counts, missed = np.array(numbers, np.int64).reshape(-1, 3).T
    before = LossyCounts(len(window), over, items, counts, missed)
    after = before.with_window(*counted(window), 1, _untimed)
    return _table(
        dict(zip(after.items.tolist(), zip(after.counts, after.missed, strict=True), strict=True))
    )


def _table(held: Any) -> Keys:
    """Return counts, and how often each may have been missed, of each item in turn."""
    if not isinstance(held, dict):
        raise ValueError("return a dictionary: {item: (count, missed)}")
    table = np.zeros((2, ITEMS), np.int64)
    for item, pair in held.items():
        table[:, item] = pair
    return table


def _some_windows(rng: np.random.Generator) -> Iterator[Case]:
    """Yield what is held after so many windows of a stream, each with the next window."""
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


def _taken(answer: Answer, held: Held, window: Keys, over: int) -> Keys:
    return _table(answered(answer(held, window, over)))


def _beside(case: Case, yours: Any, expected: Any) -> "Figure":
    """Draw both as bars; the water is that of after the window."""
    figure, axes = subplots(1, 2, height=2.6, sharey=True)
    for ax, (counts, missed), title in zip(
        axes, (yours, expected), ("yours", "expected"), strict=True
    ):
        ax.bar(range(ITEMS), missed, color=FAINT, label="may have been missed")
        ax.bar(range(ITEMS), counts, bottom=missed, color=BLUE, label="counted")
        ax.axhspan(0, case[2] + 1, color=SKY, alpha=0.35, linewidth=0, zorder=3)
        ax.set(title=title, xlabel="item", xticks=range(ITEMS))
    axes[0].set_ylabel("how often")
    axes[0].set_ylim(0, 1.5 * max(yours.sum(axis=0).max(), expected.sum(axis=0).max(), case[2] + 1))
    axes[1].legend(loc="upper right", frameon=False)
    return figure


take_window = Exercise(
    name="take_window",
    specification=_lossy,
    cases=_some_windows,
    hints=(
        "Three things in turn: add the window's counts to those held; give an item that was not "
        "held a plinth; let go what is under water.",
        "for item, count in zip(*histogram_of(window)): look it up in a copy of `held`. If it is "
        "not there, it has been counted 0 times, and may have been missed `over` times: "
        "held.get(item, (0, over)).",
        "After this window, over + 1 windows are over. Keep the items whose count + missed is "
        "larger than that.",
    ),
    outcome=_taken,
    draw=_beside,
)


def histogram_of(window: Keys) -> tuple[list[int], list[int]]:
    """Return the different items of a window in order, and how often each comes.

    Examples
    --------
    >>> histogram_of(np.array([3, 1, 3]))
    ([1, 3], [1, 2])
    """
    items, counts = counted(window)
    return items.tolist(), counts.tolist()


EXERCISES = (histogram, take_window)
