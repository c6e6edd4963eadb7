"""Lesson 12: bad data, and what is left after each round of a search, in pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.adversary.rounds import drawn_places, pivot_rounds
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.reproduced import IMPROVED, PRINTED
from shadersort.lessons.shared.selecting import reads_of
from shadersort.lessons.shared.style import legend_below, look, subplots
from shadersort.lessons.shared.tables import Table
from shadersort.palette import BLACK, BROWN, FAINT, GREY, TEAL, VIOLET
from shadersort.pictures.matplotlib_types import Figure
from shadersort.selection.primitives.sampling import places


def show_left(left: Mapping[str, Sequence[Sequence[int]]], titles: Sequence[str]) -> Figure:
    """Draw the keys left after each round: one panel a data set, one line a method."""
    figure, axes = subplots(1, len(titles), height=3.2, sharey=True)
    for method, of_data in left.items():
        for ax, counts in zip(axes, of_data, strict=True):
            ax.plot(range(len(counts)), counts, **look(method), markersize=6, label=method)
    longest = max(len(counts) for of_data in left.values() for counts in of_data)
    for ax, title in zip(axes, titles, strict=True):
        ax.set(xlabel="rounds", yscale="log", title=title, xticks=range(longest))
        ax.grid(axis="y", alpha=0.3)
    axes[0].set_ylabel("keys that are left")
    legend_below(figure, 2, axes[0])
    return figure


def show_orders(orders: Mapping[str, Keys]) -> Figure:
    """Draw the keys of some orders by their places, and below the keys left after each round."""
    figure, axes = subplots(2, len(orders), height=4.4, sharex="row", sharey="row")
    for column, (name, keys) in enumerate(orders.items()):
        above, below = axes[column], axes[len(orders) + column]
        above.plot(keys, ".", color=VIOLET, markersize=2.5)
        above.set(title=name, xlabel="place")
        left = pivot_rounds(keys, len(keys) // 2)[1]
        below.plot(range(len(left)), left, "o-", color=BROWN, markersize=2.5, linewidth=1)
        below.set(xlabel="rounds", title=f"rounds: {len(left) - 1}\nkeys read: {sum(left[:-1]):,}")
    axes[0].set_ylabel("key")
    axes[len(orders)].set(ylabel="keys that are left", ylim=(0, None))
    return figure


def show_seeds(keys: Keys, known: int, seeds: range) -> Figure:
    """Draw how many rounds quickselect takes with many seeds, and with the one that is known."""
    most, *found = (
        len(pivot_rounds(keys, len(keys) // 2, drawn_places(seed))[1]) - 1
        for seed in (known, *seeds)
    )
    figure, (ax,) = subplots(height=2.8)
    edges = np.arange(min(found), max(found) + 2) - 0.5
    ax.hist(found, list(edges), color=TEAL, label=f"{len(found)} other seeds")
    ax.axvline(most, color=BROWN, linewidth=3, label=f"seed {known}, which was known")
    ax.set(xscale="log", xlabel="rounds", ylabel="seeds", xlim=(3, 2 * most))
    ax.set_xticks([3, 5, 10, 20, 100, 1000], ["3", "5", "10", "20", "100", "1,000"])
    ax.minorticks_off()
    ax.set_title(f"the median of {len(keys):,} keys that were chosen for seed {known}")
    legend_below(figure, 2, ax)
    return figure


def show_samples(keys: Keys, every: int, seed: int) -> Figure:
    """Draw the first keys in their order, and samples of all: each `every`-th key, and hashed."""
    figure, (first, all_keys) = subplots(1, 2, height=3.6)
    shown = np.arange(4 * every)
    first.plot(shown, keys[shown], "o-", color=GREY, markersize=3, linewidth=0.8)
    first.plot(shown[::every], keys[shown[::every]], "o", color=BROWN, markersize=7)
    first.set(xlabel="place", ylabel="key", title=f"every {every}th key is sampled")
    first.set_xticks(shown[::every].tolist())
    counts, edges = np.histogram(keys, 40)
    all_keys.stairs(counts, edges, fill=True, color=FAINT)
    size = len(keys[::every])
    samples = {
        f"every {every}th": (keys[::every], BROWN, -0.05),
        "hashed": (keys[places(len(keys), size, seed)], TEAL, -0.15),
    }
    for name, (sample, colour, height) in samples.items():
        style: Any = {"color": colour, "markersize": 8, "alpha": 0.35, "clip_on": False}
        across = all_keys.get_xaxis_transform()
        all_keys.plot(sample, np.full(size, height), "|", transform=across, **style)
        all_keys.axvline(float(np.median(sample)), color=colour, linewidth=2, label=name)
    middle = float(np.median(keys))
    all_keys.axvline(middle, color=BLACK, linestyle="--", linewidth=1.2, label="all keys")
    all_keys.tick_params(axis="x", pad=34, length=0)
    all_keys.set(xlabel="key", ylabel="keys", title="all keys; lines: medians")
    legend_below(figure, 3, all_keys)
    return figure


def show_adversaries(
    modern: Record, distributions: Mapping[str, str], methods: Sequence[str]
) -> Figure:
    """Draw the times of methods in reads of the keys, for data sets that are bad for them.

    `distributions` has the name of each data set in the picture. A full sort is a black line.
    """
    figure, (ax,) = subplots(height=3.4)
    width = 0.8 / len(methods)
    for number, method in enumerate(methods):
        reads = [reads_of(modern, method, each) for each in distributions]
        places = np.arange(len(reads)) + (number - (len(methods) - 1) / 2) * width
        ax.bar(places, reads, width, color=look(method)["color"], label=method)
    for at, each in enumerate(distributions):
        sort = reads_of(modern, "sort", each)
        ax.plot([at - 0.4, at + 0.4], [sort, sort], color=BLACK, linewidth=3)
    ax.plot([], [], color=BLACK, linewidth=3, label="a full sort (cupy.sort)")
    ax.axhline(1, color=BLACK, linestyle=":", linewidth=1.2)
    ax.set(xticks=range(len(distributions)), xticklabels=list(distributions.values()))
    ax.set(ylabel="time, in reads of the keys", ylim=(0, None))
    ax.set_title(f"the median of 2²⁸ float32 keys: {modern.label}")
    legend_below(figure, 4, ax)
    return figure


def show_harm(adversaries: Record, methods: Sequence[str], names: Mapping[str, str]) -> Table:
    """Return the milliseconds of methods as printed and of ours, for each data set in a record."""
    rows = adversaries.where(dtype="float32")
    ms = {(row["label"], row["data"]): row["ms"] for row in rows}
    labels = [f"{method}, {variant}" for method in methods for variant in (PRINTED, IMPROVED)]
    data = [each for each in names if (labels[0], each) in ms]
    lines = tuple((label, *(f"{ms[label, each]:.2f}" for each in data)) for label in labels)
    head = ("", *(names[each].replace("\n", " ") for each in data))
    return Table(head, lines, f"ms for the median of 2²⁷ float32 keys: {adversaries.label}")
