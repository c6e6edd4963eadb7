"""Lesson 11: bins and brackets, in pictures."""

from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.buckets.bins import find_bucket
from shadersort.lessons.buckets.staging import Staged, throw
from shadersort.lessons.shared.pictures import Frames
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.palette import BLACK, FAINT, GREEN, PALE_GREEN, VIOLET
from shadersort.pictures.matplotlib_types import Figure

OTHERS = FAINT
"""The colour of bins and keys that are dropped."""


def show_staged(keys: Keys, found: Staged, title: str = "", inside: str = "staged") -> Figure:
    """Draw all keys with the staged ones in dark, the bracket as a band, and the sample below."""
    figure, (keys_ax, sample_ax) = subplots(2, 1, height=4.0, sharex=True, height_ratios=[2, 1])
    width = (found.high - found.low) / 10  # so both ends of the bracket are edges
    ends = (np.array([keys.min(), np.quantile(keys, 0.99)]) - found.low) / width
    edges = found.low + width * np.arange(np.floor(ends[0]), np.ceil(ends[1]) + 1)
    counts, some = (np.histogram(each, edges)[0] for each in (keys, found.staged))
    drawn = np.histogram(found.sample, edges)[0]
    for ax in (keys_ax, sample_ax):
        ax.axvspan(found.low, found.high, color=PALE_GREEN, linewidth=0, label="the bracket")
        ax.axvline(found.answer, color=BLACK, linestyle="--", linewidth=1.2, label="the median")
    keys_ax.stairs(counts, edges, fill=True, color=OTHERS, label="all others")
    keys_ax.stairs(some, edges, fill=True, color=GREEN, label=inside)
    sample_ax.stairs(drawn, edges, color=VIOLET, linewidth=1.2, label="the sample")
    share = len(found.staged) / len(keys)
    usual = f"{len(keys):,} keys; {len(found.staged):,} are staged, {share:.0%}"
    keys_ax.set_title(title or usual)
    keys_ax.set(ylabel="keys", xlim=(edges[0], edges[-1]))
    sample_ax.set_title(f"{len(found.sample):,} of them are the sample")
    sample_ax.set(ylabel="of the sample", xlabel="key")
    legend_below(figure, 5, keys_ax, sample_ax)
    return figure


def show_rounds(
    keys: Keys, k: int, count: int, rounds: int, whole: tuple[float, float] | None = None
) -> Frames:
    """Return the first rounds as frames: the keys in each bucket, and the running sum.

    With `whole`, the first round divides this range, and each other one that of a bucket: digits.
    Without it, each round divides the range from the smallest key to the largest.
    """
    states, ends = [], whole
    for _ in range(rounds):
        edges = np.linspace(*(ends or (float(keys.min()), float(keys.max()))), count + 1)
        number = np.searchsorted(edges[1:-1], keys, side="right")
        counts = np.bincount(number, minlength=count)
        chosen, rank = map(int, find_bucket(counts, k))
        states.append((edges, counts, chosen, k))
        keys, k = keys[number == chosen], rank
        ends = (edges[chosen], edges[chosen + 1]) if whole else None

    def draw(at: int) -> Figure:
        edges, counts, chosen, rank = states[at]
        figure, axes = subplots(1, 2, height=2.8)
        colours = [GREEN if each == chosen else OTHERS for each in range(count)]
        style: Any = {"align": "edge", "color": colours, "edgecolor": "white"}
        for ax, heights in zip(axes, (counts, np.cumsum(counts)), strict=True):
            ax.bar(edges[:-1], heights, np.diff(edges), **style)
            ax.set(xlabel="key", xlim=(edges[0], edges[-1]))
            ax.locator_params(axis="x", nbins=5)
        axes[1].axhline(rank, color=BLACK, linestyle="--", linewidth=1.2)
        told = f"round {at + 1}: {counts.sum():,} keys, {counts[chosen]:,} are left"
        axes[0].set(ylabel="keys in the bucket", title=told)
        axes[1].set(ylabel="keys up to its end", title=f"added up; dashed: rank {rank:,}")
        return figure

    told = "keys counted in equal buckets; the bucket with the rank is divided again"
    return Frames(rounds, draw, told, seconds=2)


def show_throws(keys: Keys, samples: int, probability: float, seeds: range) -> Frames:
    """Return several throws as frames."""

    def draw(at: int) -> Figure:
        found = throw(keys, samples, probability, seeds[at])
        below, share = np.sum(found.sample < found.answer), len(found.staged) / len(keys)
        told = f"a hit: {share:.0%} of the keys inside" if found.hit else "a miss"
        title = f"throw {at + 1}: {below} of {samples} below the median, {told}"
        return show_staged(keys, found, title, "inside")

    return Frames(
        len(seeds),
        draw,
        "samples thrown anew; each brackets the median between two of its keys, and some miss it",
        seconds=1.5,
    )
