"""Lesson 11: three kinds of bins, in pictures."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.buckets.bins import bucket_numbers, round_of
from shadersort.lessons.buckets.staging import Staged, throw
from shadersort.lessons.shared.pictures import Frames
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.palette import BLACK, BROWN, FAINT, GREEN, GREY, PALE_GREEN, VIOLET
from shadersort.pictures.matplotlib_types import Figure

OTHERS = FAINT
"""The colour of bins and keys that are dropped."""


def show_bits(codes_of: Callable[[Keys], Keys]) -> Figure:
    """Draw the bits of floats, read as integers, and codes of floats, against the floats.

    The axis of the floats is logarithmic on both sides of zero.
    """
    figure, axes = subplots(1, 2, height=3.0, sharey=True)
    positive = 10.0 ** np.linspace(-36, 36, 400)
    names = ("the bits, as they are", "what we want")
    for ax, function, title in zip(axes, (None, codes_of), names, strict=True):
        for keys, colour in ((-positive[::-1], BROWN), (positive, VIOLET)):
            floats = keys.astype(np.float32)
            values = floats.view(np.uint32) if function is None else function(floats)
            ax.plot(floats, values / 2**32, color=colour, linewidth=2.5)
        ax.set_xscale("symlog", linthresh=1e-36)
        ax.set(xlabel="float32 key", title=title, ylim=(0, 1), yticks=[0, 0.5, 1])
        ax.set_xticks([-1e30, -1, 0, 1, 1e30])
        ax.set_xticklabels(["−10³⁰", "−1", "0", "1", "10³⁰"])
        ax.minorticks_off()
        ax.set_yticklabels(["0", "2³¹", "2³²"])
        ax.axvline(0, color=GREY, linewidth=1)
    axes[0].set_ylabel("read as a whole number")
    axes[0].text(-1, 0.9, "negative", color=BROWN, ha="center")
    axes[0].text(1, 0.4, "positive", color=VIOLET, ha="center")
    return figure


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


def show_rounds(keys: Keys, k: int, count: int, rounds: int) -> Frames:
    """Return the first rounds as frames: the keys in each bucket, and the running sum."""
    states = [(keys, k)]
    for _ in range(rounds):
        states.append(round_of(*states[-1], count))

    def draw(at: int) -> Figure:
        some, rank = states[at]
        figure, axes = subplots(1, 2, height=2.8)
        edges = np.linspace(float(some.min()), float(some.max()), count + 1)
        counts = np.bincount(bucket_numbers(some, count), minlength=count)
        ends = np.cumsum(counts)
        chosen = int(np.searchsorted(ends, rank, side="right"))
        colours = [GREEN if each == chosen else OTHERS for each in range(count)]
        style: Any = {"align": "edge", "color": colours, "edgecolor": "white"}
        for ax, heights in zip(axes, (counts, ends), strict=True):
            ax.bar(edges[:-1], heights, np.diff(edges), **style)
            ax.set(xlabel="key", xlim=(edges[0], edges[-1]))
            ax.locator_params(axis="x", nbins=5)
        axes[1].axhline(rank, color=BLACK, linestyle="--", linewidth=1.2)
        left = len(states[at + 1][0])
        axes[0].set_title(f"round {at + 1}: {len(some):,} keys, {left:,} are left")
        axes[0].set(ylabel="keys in the bucket")
        axes[1].set(ylabel="keys up to its end", title=f"added up; dashed: rank {rank:,}")
        return figure

    told = "keys counted in equal buckets; the bucket with the rank is divided again"
    return Frames(rounds, draw, told, seconds=2)


def show_digits(keys: Keys, k: int, digits: int) -> Frames:
    """Return a search of integers digit by digit, one digit a frame.

    At the left are the numbers; those that share the known digits of the answer are candidates. At
    the right are the counts of their next digit.
    """
    answer = int(np.sort(keys)[k])

    def draw(at: int) -> Figure:
        figure, (column, bars) = subplots(1, 2, height=3.4, width_ratios=[1, 2])
        unit = 10 ** (digits - at)
        alive = keys // unit == answer // unit
        digit = keys * 10 // unit % 10
        wanted = answer * 10 // unit % 10
        for row, key in enumerate(keys.tolist()):
            for place, letter in enumerate(str(key).zfill(digits)):
                style: Any = {"color": BLACK if alive[row] else OTHERS}
                if alive[row] and place < at:
                    style = {"color": GREEN, "fontweight": "bold"}
                if alive[row] and place == at:
                    style = {"color": VIOLET, "fontweight": "bold"}
                column.text(place, row, letter, ha="center", va="center", fontsize=11, **style)
        column.set(xlim=(-3, digits + 2), ylim=(len(keys) - 0.5, -0.7))
        column.set_axis_off()
        several = "s" if alive.sum() > 1 else ""
        column.set_title(f"{int(alive.sum())} candidate{several}")
        counts = np.bincount(digit[alive], minlength=10)
        colours = [GREEN if each == wanted else OTHERS for each in range(10)]
        bars.bar(range(10), counts, color=colours)
        rank = k - int(np.sum(keys // unit < answer // unit))
        ends = np.cumsum(counts)
        for each in np.flatnonzero(counts).tolist():
            bars.text(each, counts[each] + 0.1, str(ends[each]), ha="center")
        bars.text(9.4, len(keys) / 2, "over each bar: candidates up to it", ha="right", va="top")
        bars.set(xlabel=f"digit {at + 1}", ylabel="candidates with it", xticks=range(10))
        bars.set(ylim=(0, len(keys) / 2), yticks=range(0, len(keys) // 2 + 1, 2))
        bars.set_title(f"rank {rank} among them, so digit {at + 1} is a {wanted}")
        return figure

    told = "numbers in a column; those that share the digits of the answer so far are candidates"
    return Frames(digits, draw, told, seconds=2.5)


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
