"""Lesson 12: bad data, and what is left after each round of a search, in pictures."""

from collections.abc import Mapping, Sequence

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.adversary.rounds import pivot_rounds
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.reproduced import IMPROVED, PRINTED
from shadersort.lessons.shared.selecting import reads_of
from shadersort.lessons.shared.style import subplots
from shadersort.lessons.shared.tables import Table
from shadersort.palette import BLACK, BROWN, GREY, VIOLET
from shadersort.pictures.matplotlib_types import Figure


def show_orders(orders: Mapping[str, Keys]) -> Figure:
    """Draw the keys of some orders by their places, with the rounds of a search by pivots."""
    figure, axes = subplots(1, len(orders), height=2.8, sharey=True)
    for ax, (name, keys) in zip(axes, orders.items(), strict=True):
        left = pivot_rounds(keys, len(keys) // 2)[1]
        ax.plot(keys, ".", color=VIOLET, markersize=2.5)
        told = f"{name}\nrounds: {len(left) - 1}\nkeys read: {sum(left[:-1]):,}"
        ax.set(title=told, xlabel="place")
    axes[0].set_ylabel("key")
    return figure


def show_sampled(keys: Keys, every: int) -> Figure:
    """Draw the first keys in their order, and which of them a sample of each `every`-th key has."""
    figure, (ax,) = subplots(height=2.8)
    shown = np.arange(4 * every)
    ax.plot(shown, keys[shown], "o-", color=GREY, markersize=3, linewidth=0.8)
    ax.plot(shown[::every], keys[shown[::every]], "o", color=BROWN, markersize=7)
    ax.axhline(float(np.median(keys)), color=BLACK, linestyle="--", linewidth=1.2)
    ax.set(xlabel="place", ylabel="key", title="dashed: the median of all keys")
    ax.set_xticks(shown[::every].tolist())
    return figure


def show_adversaries(modern: Record, names: Mapping[str, str], methods: Sequence[str]) -> Table:
    """Return the times of methods and of a full sort in reads of the keys, for each data set."""
    lines = tuple(
        (method, *(f"{reads_of(modern, method, each):.1f}" for each in names))
        for method in (*methods, "sort")
    )
    told = f"reads of 2²⁸ float32 keys, for their median: {modern.label}"
    return Table(("", *names.values()), lines, told)


def show_harm(adversaries: Record, methods: Sequence[str], names: Mapping[str, str]) -> Table:
    """Return the milliseconds of methods as printed and of ours, for each data set in a record."""
    rows = adversaries.where(dtype="float32")
    ms = {(row["label"], row["data"]): row["ms"] for row in rows}
    labels = [f"{method}, {variant}" for method in methods for variant in (PRINTED, IMPROVED)]
    data = [each for each in names if (labels[0], each) in ms]
    lines = tuple((label, *(f"{ms[label, each]:.2f}" for each in data)) for label in labels)
    head = ("", *(names[each] for each in data))
    return Table(head, lines, f"ms for the median of 2²⁷ float32 keys: {adversaries.label}")
