"""Lesson 8: lossy counting, in pictures."""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.images import without_axes
from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.lessons.shared.tables import Table
from shadersort.palette import BLACK, BROWN, FAINT, GREEN, GREY, TEAL, VIOLET, WATER
from shadersort.pictures.matplotlib_types import Figure
from shadersort.streams import FrequencySummary, HierarchicalHeavyHitters
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.web.pieces.stream import BUCKETS, LETTERS, two_streams, window_states


def show_water(window: int) -> Figure:
    """Draw what `stream_piece(window=window)` shows first: a window of the stream is over.

    Bars of counts stand on plinths of missed counts; bars under water are dropped.
    """
    row = window_states(next(iter(two_streams().values())), BUCKETS[0], LossyCounts)[window - 1]
    counts, missed, true = (np.array(row[name]) for name in ("merged", "missed_now", "true"))
    water: int = row["bound"]
    items, plinth = np.arange(len(LETTERS)), np.where(counts, missed, 0)
    kept = np.where(np.isin(items, row["dropped"]), 0, counts)
    figure, (ax,) = subplots(height=3.3)
    bottom = np.zeros_like(counts)
    for height, colour, label in (
        (plinth, FAINT, "may have been missed"),
        (kept, GREEN, "counted"),
        (counts - kept, GREY, "dropped"),
    ):
        ax.bar(items, height, 0.7, bottom, color=colour, zorder=2, label=label)
        bottom = bottom + height
    ax.hlines(true, items - 0.42, items + 0.42, color=BLACK, zorder=4, label="the truth")
    ax.axhspan(0, water, color=WATER, alpha=0.35, zorder=3, linewidth=0)
    ax.set(ylabel="how often", xlim=(-0.6, len(items) - 0.4), ylim=(0, 1.4 * true.max()))
    ax.set_xticks(items, list(LETTERS))
    ax.set_title(f"window {window} is over: the water stands at {water}")
    ax.legend(loc="upper center", ncols=2, frameon=False)
    return figure


def show_popularity(stream: Keys, support: float) -> Figure:
    """Draw the share of each item of a stream, the most frequent first."""
    figure, (ax,) = subplots(height=2.8)
    shares = np.sort(np.unique(stream, return_counts=True)[1])[::-1] / len(stream)
    often = shares > support
    places = np.arange(1, len(shares) + 1)
    ax.plot(places[often], 100 * shares[often], "o", color=GREEN, label=f"more than {support:.0%}")
    ax.plot(places[~often], 100 * shares[~often], ".", color=GREY, markersize=3, label="less")
    ax.axhline(100 * support, color=BLACK, linewidth=1, label="the support")
    ax.set(xscale="log", yscale="log", xlabel="items, the most frequent first")
    ax.set_ylabel("% of the stream")
    ax.legend(frameon=False)
    return figure


def show_runs(window: Keys) -> Figure:
    """Draw a window as it came and in order, with the lengths of runs of equal items."""
    figure, axes = subplots(2, 1, height=1.7, sharex=True)
    for ax, row, title in zip(axes, (window, np.sort(window)), ("came", "sorted"), strict=True):
        draw_keys(ax, row[np.newaxis], among=window)
        without_axes(ax)
        ax.set_ylabel(title, rotation=0, ha="right", va="center")
    end = 0
    for count in np.unique(window, return_counts=True)[1].tolist():
        axes[1].plot([end + 0.1, end + count - 0.1], [1.1, 1.1], color=BLACK, clip_on=False)
        axes[1].text(end + count / 2, 1.2, f"{count} ×", ha="center", va="top", fontsize=10)
        end += count
    axes[1].set_xlabel(" ")
    return figure


def show_estimates(summary: FrequencySummary, stream: Keys, support: float) -> Figure:
    """Draw the missing count of each item against its true frequency."""
    items, counts = np.unique(stream, return_counts=True)
    missing, n = counts - summary.estimate(items), len(stream)
    reported = np.isin(items, summary.frequent_items(support)["item"])
    figure, (ax,) = subplots(height=3.3)
    ax.axhspan(0, 100 * summary.epsilon, color=GREEN, alpha=0.15, label="0 to ε")
    for chosen, colour, size, label in (
        (~reported, GREY, 3, "not reported"),
        (reported, GREEN, 6, "reported as frequent"),
    ):
        x, y = 100 * counts[chosen] / n, 100 * missing[chosen] / n
        ax.plot(x, y, "o", color=colour, markersize=size, label=label)
    ax.axvline(100 * support, color=BLACK, label="the support")
    below = 100 * (support - summary.epsilon)
    ax.axvline(below, color=BLACK, linestyle=":", label="the support less ε")
    ax.set(xscale="log", xlim=(0.02, 30), xlabel="how often the item really comes, % of the stream")
    ax.set(ylim=(-0.05, 0.85), ylabel="counted too low by, %")
    ax.set_title(f"ε = {summary.epsilon:g}: {len(summary):,} entries, of {len(items):,} items")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


def show_heavy(summary: HierarchicalHeavyHitters, rows: Keys) -> Figure:
    """Draw the frequency of heavy prefixes, with the part that longer ones do not explain."""
    figure, (ax,) = subplots(height=0.9 + 0.36 * len(rows))
    names, places = [summary.spelt(row) for row in rows], np.arange(len(rows))
    share = 100 / summary.n
    ax.barh(places, share * rows["estimate"], color=FAINT, label="all of its items")
    ax.barh(places, share * rows["unexplained"], color=GREEN, label="not explained by longer ones")
    ax.set_yticks(places, names, family="monospace")
    ax.set(xlabel="% of the stream", xlim=(0, 100), ylim=(len(rows) - 0.4, -0.6))
    ax.legend(loc="upper right", frameon=False)
    return figure


RECORDED = record("streams-figures-nvidia-h200")
"""The record of the paper's figures 5 and 6."""

PARTS = {"sort": VIOLET, "merge": BROWN, "compress": TEAL, "rest": FAINT}

SHOWN = (streams.NUMPY, streams.BLENDED)
"""The series of figure 6: NumPy, and the paper's way to sort."""


def figure_5() -> streams.Series:
    """Return the series of the paper's figure 5, for random values, from a record."""
    return streams.series(RECORDED, workload="frequencies", data="uniform")


def table_of_seconds() -> Table:
    """Return the seconds of figure 5 as a table."""
    machines = streams.machines(RECORDED)
    return streams.seconds_table(figure_5(), f"seconds for 100 million values: {machines}")


def show_shares() -> Figure:
    """Draw figure 6 of the paper from records: the shares of the time by operation, for each ε."""
    figure, axes = subplots(1, 2, height=3.0, sharey=True)
    shown = {label: rows for label, rows in figure_5().items() if label.startswith(SHOWN)}
    for ax, (name, rows) in zip(axes, shown.items(), strict=True):
        places, bottom = np.arange(len(rows)), np.zeros(len(rows))
        for part, colour in PARTS.items():
            shares = np.array([100 * row.get(f"{part}_share", 0.0) for row in rows])
            shares = 100 - bottom if part == "rest" else shares
            ax.bar(places, shares, bottom=bottom, color=colour, label=part)
            bottom = bottom + shares
        ax.set_xticks(places, [f"$10^{{{np.log10(row['epsilon']):.0f}}}$" for row in rows])
        ax.set(xlabel="ε", ylim=(0, 100), title=name)
    axes[0].set_ylabel("% of the time")
    legend_below(figure, 4, axes[0])
    return figure
