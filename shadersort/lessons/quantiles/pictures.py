"""Lesson 7: the pictures, of windows, bands of bounds, buckets, errors and seconds."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.quantiles.entries import Entries, bounds_of, rank_error
from shadersort.lessons.shared import streams
from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.lessons.shared.tables import Table
from shadersort.palette import BLACK, FAINT, GREEN, GREY, LIME, PINK, VIOLET
from shadersort.pictures.matplotlib_types import Figure
from shadersort.streams import QuantileSummary

SHARES = np.arange(1, 200) / 200
"""The quantiles in the pictures."""


def worst_error(summary: QuantileSummary, values: Keys) -> float:
    """Return the largest error of many quantiles in ranks."""
    return float(np.abs(rank_error(values, SHARES, summary.quantile(SHARES))).max())


def show_stream(stream: Keys) -> Figure:
    """Draw a histogram of response times, with mean, median and 99th percentile."""
    figure, (ax,) = subplots(height=2.6)
    ax.hist(stream, np.geomspace(10, 10_000, 150).tolist(), color=FAINT)
    for name, at, colour, side in (
        ("median ", np.median(stream), VIOLET, "right"),
        (" mean", stream.mean(dtype=np.float64), LIME, "left"),
        (" 99th percentile", np.quantile(stream, 0.99), PINK, "left"),
    ):
        ax.axvline(at, color=colour)
        style: Any = {"ha": side, "va": "top", "transform": ax.get_xaxis_transform()}
        ax.text(at, 1, f"{name}\n {at:.0f} ms ", **style)
    ax.set(xscale="log", xlabel="response time, milliseconds", ylabel="how many requests")
    return figure


def show_kept(values: Keys, kept: Keys) -> Figure:
    """Draw values as they came, and in order; those at the places `kept` of the order are green."""
    figure, axes = subplots(1, 2, height=2.6, sharey=True)
    places, ordered = np.arange(1, len(values) + 1), np.sort(values)
    axes[0].bar(places, values, color=GREY)
    axes[0].set(title="as they came", xlabel="arrival", ylabel="milliseconds")
    bars = axes[1].bar(places, ordered, color=np.where(kept, GREEN, FAINT))
    axes[1].bar_label(bars, np.where(kept, [f"{each:.0f}" for each in ordered], ""), fontsize=9)
    axes[1].set(title=f"in order; {np.count_nonzero(kept)} of them are kept", xlabel="rank")
    for ax in axes:
        ax.set_xticks(places[3::4])
    return figure


def show_band(sets: Sequence[tuple[str, Entries, Keys]]) -> Figure:
    """Draw the bounds of all ranks as a band, for entries and the values of their set."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = subplots(1, len(sets), height=3.2, sharex=True, sharey=True)
    for ax, (title, entries, values) in zip(axes, sets, strict=True):
        ends = values.min() - 0.06 * np.ptp(values), values.max() + 0.06 * np.ptp(values)
        points = np.concatenate([ends[:1], entries.values, ends[1:]])
        low, high = bounds_of(entries, points)
        ax.fill_between(points, low, high, step="post", color=GREEN, alpha=0.3, label="the bounds")
        stairs = np.concatenate([ends[:1], np.sort(values), ends[1:]])
        truth = np.searchsorted(np.sort(values), stairs, side="right")
        ax.step(stairs, truth, where="post", color=BLACK, linewidth=1.2, label="the truth")
        ax.vlines(entries.values, entries.smallest, entries.largest, color=GREEN, linewidth=3)
        ax.plot(entries.values, entries.smallest, "o", color=GREEN, markersize=4, label="entries")
        ax.plot(entries.values, entries.largest, "o", color=GREEN, markersize=4)
        ax.set(title=title, xlabel="x")
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes[0].set_ylabel("how many values are at most x")
    legend_below(figure, 3, axes[-1])
    return figure


def show_entries(sets: Sequence[tuple[str, Any]]) -> Figure:
    """Draw sets of entries side by side, each entry as a bar between its ranks."""
    count = max(len(of[0]) for _, of in sets)
    figure, axes = subplots(1, len(sets), height=0.9 + 0.19 * count, sharex=True)
    for ax, (title, (values, smallest, largest, *_)) in zip(axes, sets, strict=True):
        rows = np.arange(len(values))
        for row, low, high in zip(rows, smallest, largest, strict=True):
            ax.plot([low, high], [row, row], "o-", color=GREEN, markersize=5, linewidth=3)
        ax.set_yticks(rows, [f"{value:g}" for value in values])
        ax.set(title=title, xlabel="rank", ylabel="value", ylim=(count - 0.4, -0.6))
        ax.grid(axis="x", color=FAINT)
    return figure


def show_buckets(windows: int, most: int) -> Figure:
    """Draw the buckets of an exponential histogram after some windows."""
    figure, (ax,) = subplots(height=2.5)
    levels, start = most.bit_length(), 0
    held = [1 << level for level in reversed(range(levels)) if windows >> level & 1]
    for size in held:
        ax.barh(
            size.bit_length() - 1, size, left=start, height=0.75, color=GREEN, edgecolor="white"
        )
        start += size
    ax.set_yticks(range(levels), [f"{1 << level}" for level in range(levels)])
    ax.set(xlim=(0, most), xlabel="windows of the stream, oldest first")
    ax.set(ylim=(-0.6, levels - 0.4), ylabel="windows in a bucket")
    ax.set_title(f"{windows} windows = {' + '.join(map(str, held)) or '0'}")
    figure.set_layout_engine(None)  # one place for all frames, and faster
    figure.subplots_adjust(left=0.09, right=0.98, bottom=0.2, top=0.9)
    return figure


def show_guarantee(summary: QuantileSummary, ordered: Keys) -> Figure:
    """Draw the errors of the quantiles of a summary, in ranks and in values."""
    epsilon, n = summary.epsilon, len(ordered)
    figure, axes = subplots(1, 2, height=3.1)
    axes[0].fill_between([0, 1], -100 * epsilon, 100 * epsilon, color=GREEN, alpha=0.2)
    errors = 100 / n * rank_error(ordered, SHARES, summary.quantile(SHARES))
    axes[0].plot(SHARES, errors, ".", color=GREEN, markersize=4)
    axes[0].set(xlabel="quantile asked for", ylabel="error of the rank, % of N", ylim=(-5.5, 5.5))
    axes[0].set_title(f"ε = {epsilon:g}: {len(summary):,} entries of {n:,}")
    low, high = (
        ordered[np.clip(np.ceil((SHARES + off) * n).astype(int) - 1, 0, n - 1)]
        for off in (-epsilon, epsilon)
    )
    axes[1].fill_between(SHARES, low, high, color=GREEN, alpha=0.2, label="within ±εN ranks")
    axes[1].plot(SHARES, ordered[np.ceil(SHARES * n).astype(int) - 1], color=BLACK, label="true")
    axes[1].plot(SHARES, summary.quantile(SHARES), ".", color=GREEN, markersize=3, label="answered")
    axes[1].set(xlabel="quantile asked for", ylabel="milliseconds", yscale="log", ylim=(15, 9000))
    legend_below(figure, 3, axes[1])
    return figure


RECORDED = record("streams-figures-nvidia-h200")
"""The record of the paper's figure 7."""


def figure_7() -> streams.Series:
    """Return the series of the paper's figure 7, from a record."""
    return streams.series(RECORDED, workload="quantiles", method="QuantileSummary")


def table_of_seconds() -> Table:
    """Return the seconds of figure 7 as a table."""
    return streams.seconds_table(figure_7(), "seconds for 100 million values")
