"""Lesson 13: ranks, buckets and densities, in pictures."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.palette import BLACK, BROWN, FAINT, GREEN, GREY, TEAL, VIOLET
from shadersort.pictures.matplotlib_types import Figure

QUIET = FAINT

LOOKS_OF_SETS = {"uniform": "o", "uniform-random": "s", "normal-random": "^", "sectioned": "v"}


def show_ranks(keys: Keys, ks: Keys) -> Figure:
    """Draw keys in memory order, and in sorted order with some ranks marked."""
    figure, axes = subplots(1, 2, height=2.9, sharey=True)
    places = np.arange(keys.size)
    ordered = np.sort(keys)
    axes[0].plot(places, keys, ".", color=GREY, markersize=3)
    axes[0].set(title="as they come", xlabel="place in memory", ylabel="key")
    axes[1].plot(places, ordered, color=GREY)
    axes[1].plot(ks, ordered[ks], "o", color=GREEN, markersize=6)
    axes[1].set(title=f"in order, and {ks.size} of them", xlabel="rank")
    return figure


def show_buckets(keys: Keys, edges: Keys, ks: Keys) -> Figure:
    """Draw a histogram, its running count, and the buckets of some ranks."""
    counts, _ = np.histogram(keys, edges)
    ends = np.cumsum(counts)
    active = np.searchsorted(ends, ks, side="right")
    figure, axes = subplots(2, 1, height=4.8, sharex=True)
    colours = [GREEN if bucket in active else QUIET for bucket in range(counts.size)]
    middles, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges)
    axes[0].bar(middles, counts, width=0.96 * widths, color=colours)
    axes[0].plot(keys, np.full(keys.size, -0.8), "|", color="black", markersize=7)
    for middle, count in zip(middles, counts, strict=True):
        axes[0].annotate(str(count), (middle, count), ha="center", va="bottom", fontsize=9)
    axes[0].set(title="how many keys each bucket has (a stroke is a key)", ylabel="keys")
    axes[0].set_ylim(-1.6, counts.max() + 2)
    axes[1].bar(middles, counts, bottom=ends - counts, width=0.96 * widths, color=colours)
    for k, bucket in zip(ks, active, strict=True):
        axes[1].plot([edges[0], middles[bucket]], [k, k], color=BLACK, linewidth=1.2)
        axes[1].plot(middles[bucket], k, "o", color=BLACK, markersize=5)
        axes[1].annotate(f" rank {k}", (edges[0], k), va="bottom", color=BLACK, fontsize=9)
    axes[1].set(title="the same bars, each on top of those before it", ylabel="rank", xlabel="key")
    return figure


def pivots_of(sample: Keys, intervals: int) -> Keys:
    """Return the keys that divide a sample into intervals with equal counts, and its ends."""
    return np.quantile(sample, np.linspace(0, 1, intervals + 1), method="nearest")


def edges_of(pivots: Keys, buckets: int) -> Keys:
    """Cut each interval into the same number of equal buckets; return their edges."""
    each = buckets // (pivots.size - 1)
    parts = [np.linspace(*ends, each, endpoint=False) for ends in pairwise(pivots)]
    return np.append(np.concatenate(parts), pivots[-1])


def show_intervals(keys: Keys, sample: Keys, intervals: int, buckets: int, ks: Keys) -> Figure:
    """Draw the density estimated by a sample, and the keys copied with its buckets."""
    pivots = pivots_of(sample, intervals)
    pivots[[0, -1]] = keys.min(), keys.max()
    edges = edges_of(pivots, buckets)
    counts = np.histogram(keys, edges)[0]
    active = np.unique(np.searchsorted(np.cumsum(counts), ks, side="right"))
    figure, axes = subplots(1, 2, height=2.9)
    axes[0].hist(keys, 100, density=True, color=QUIET, label="all keys")
    axes[0].stairs(
        densities(pivots), pivots, color=VIOLET, linewidth=1.6, label="the sample's guess"
    )
    axes[0].set(xlabel="key", ylabel="density", yscale="log", ylim=(1e-5, 1), title=" ")
    axes[1].plot(counts + 0.5, ".", color=GREY, markersize=3, label="all buckets")
    axes[1].plot(active, counts[active] + 0.5, ".", color=GREEN, markersize=6, label="active")
    axes[1].axhline(keys.size / buckets, color=BLACK, linewidth=1.2, label="the mean")
    axes[1].set(xlabel="bucket", ylabel="keys in it", yscale="log", ylim=(0.4, keys.size))
    axes[1].set_title(f"{counts[active].sum() / keys.size:.1%} of the keys are copied")
    legend_below(figure, 5, *axes)
    plural = "intervals" if intervals > 1 else "interval"
    axes[0].set_title(f"{intervals} {plural}, {buckets // intervals} buckets in each")
    return figure


def show_copied(copied: Mapping[str, Mapping[int, float]], buckets: int) -> Figure:
    """Draw the share of copied keys over the number of ranks, for sets of ranks."""
    figure, (ax,) = subplots(height=3.2)
    colours = dict(zip(copied, (TEAL, VIOLET, BROWN, GREY), strict=False))
    for name, shares in copied.items():
        counts, values = list(shares), [100 * share for share in shares.values()]
        ax.plot(counts, values, marker=LOOKS_OF_SETS[name], color=colours[name], label=name)
    counts = [1, buckets]
    ax.plot(counts, [100 / buckets, 100], ":", color="black", label="ranks / buckets")
    ax.set(xlabel="ranks", ylabel="keys copied, % of all", xscale="log", yscale="log")
    ax.set(xlim=(0.9, 2 * max(max(shares) for shares in copied.values())), ylim=(5e-3, 150))
    legend_below(figure, 5, ax)
    return figure


def show_distribution(keys: Keys, deciles: Keys, percentiles: Keys) -> Figure:
    """Draw density and distribution by order statistics, over histograms of all keys."""
    figure, axes = subplots(1, 2, height=3.4)
    limits = float(keys.min()), float(keys.max())
    shape: Any = {"bins": 100, "range": limits, "density": True, "color": QUIET}
    axes[0].hist(keys, **shape, label="histogram")
    axes[1].hist(keys, **shape, cumulative=True, label="histogram, added up")
    for some, colour, style in ((deciles, TEAL, "--"), (percentiles, VIOLET, "-")):
        options: Any = {"color": colour, "linestyle": style, "linewidth": 1.3}
        options["label"] = f"{some.size} numbers"
        firsts, shares = _without_ties(some)
        heights = np.diff(shares) / np.diff(firsts)
        middles = (firsts[1:] + firsts[:-1]) / 2
        axes[0].plot(middles, heights, **options)
        axes[1].plot(some, np.linspace(0, 1, some.size), **options)
    axes[0].set(title="density", xlabel="reading", ylabel="share for a unit", yscale="log")
    axes[1].set(title="distribution", xlabel="reading", ylabel="share at or below")
    legend_below(figure, 3, axes[0])
    return figure


def _without_ties(some: Keys) -> tuple[Keys, Keys]:
    """Return the different order statistics, each with the mean of its shares."""
    shares = np.linspace(0, 1, some.size)
    different, which, counts = np.unique(some, return_inverse=True, return_counts=True)
    return different.astype(float), np.bincount(which, shares) / counts


def densities(order_statistics: Keys) -> Keys:
    """Return the density in each gap between evenly spaced order statistics."""
    return np.diff(np.linspace(0, 1, order_statistics.size)) / np.diff(order_statistics)
