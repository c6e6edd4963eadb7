"""Lesson 11: three kinds of bins, in pictures."""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.buckets.bins import Throw, bucket_numbers, round_of, throw
from shadersort.lessons.buckets.staging import Staged
from shadersort.lessons.shared.pictures import Frames
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.palette import BLACK, BROWN, FAINT, GREEN, GREY, PALE_GREEN, VIOLET, WRONG
from shadersort.pictures.matplotlib_types import Axes, Figure

OTHERS = FAINT
"""The colour of bins and keys that are dropped."""


def show_round(number: int, keys: Keys, k: int, buckets: Keys, inside: Keys) -> Figure:
    """Draw one round of buckets: the keys in each bucket, and the running sum.

    `number` counts rounds from 1, `buckets` has the bucket of each key, and `inside` the keys of
    the bucket with rank k.
    """
    figure, (counts_ax, sums_ax) = subplots(1, 2, height=2.8)
    low, high, count = float(keys.min()), float(keys.max()), int(buckets.max()) + 1
    edges = np.linspace(low, high, count + 1)
    counts = np.bincount(buckets, minlength=count)
    ends = np.cumsum(counts)
    chosen = int(np.searchsorted(ends, k, side="right"))
    colours = [GREEN if at == chosen else OTHERS for at in range(count)]
    for ax, heights in ((counts_ax, counts), (sums_ax, ends)):
        ax.bar(edges[:-1], heights, np.diff(edges), align="edge", color=colours, edgecolor="white")
        ax.set(xlabel="key", xlim=(low, high))
        ax.locator_params(axis="x", nbins=5)
    sums_ax.axhline(k, color=BLACK, linestyle="--", linewidth=1.2)
    counts_ax.set(ylabel="keys in the bucket")
    counts_ax.set_title(f"round {number}: {len(keys):,} keys, {len(inside):,} are left")
    sums_ax.set(ylabel="keys up to its end")
    sums_ax.set_title(f"added up; dashed: rank {k:,}")
    return figure


def show_digit(keys: Keys, k: int, digits: int, at: int, answer: int) -> Figure:
    """Draw numbers in a column, and the counts of the digits of the candidates at one place.

    The candidates are the numbers that share the known digits of the answer.
    """
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


def show_order(yours: Keys, expected: Keys) -> Figure:
    """Draw keys in the order of some codes beside the correct order, each by its rank."""
    figure, axes = subplots(1, 2, width=5.4, height=2.8, sharey=True)
    for ax, keys, title in zip(axes, (yours, expected), ("yours", "expected"), strict=True):
        ranks = np.searchsorted(expected, keys)
        for side, colour in ((keys < 0, BROWN), (keys > 0, VIOLET)):
            ax.plot(np.flatnonzero(side), ranks[side], "o", color=colour, markersize=4)
        ax.set(xlabel="place by the codes", title=title)
        ax.locator_params(integer=True)
    axes[0].set_ylabel("rank of the key")
    axes[1].plot([], [], "o", color=BROWN, label="negative")
    axes[1].plot([], [], "o", color=VIOLET, label="positive")
    legend_below(figure, 2, axes[1])
    return figure


def show_throw(keys: Keys, throw: Throw, number: int) -> Figure:
    """Draw one sample: how many of its keys are below the median, and its bracket."""
    figure, (chances_ax, keys_ax) = subplots(1, 2, height=2.9)
    samples = len(throw.sample)
    fell = int(np.sum(throw.sample < throw.median))
    spread = 4 * int(samples**0.5 / 2)
    places = np.arange(samples // 2 - spread, samples // 2 + spread + 1)
    chances, edges = _coin(samples)[places], np.append(places, places[-1] + 1) - 0.5
    inside = (throw.first <= places) & (places <= throw.last)
    chances_ax.stairs(chances, edges, fill=True, color=OTHERS)
    chances_ax.stairs(np.where(inside, chances, 0), edges, fill=True, color=PALE_GREEN)
    verdict = GREEN if throw.hit else WRONG
    chances_ax.axvline(fell, color=verdict, linewidth=2.5)
    chances_ax.set(xlabel="of the sample, below the median", ylabel="probability")
    chances_ax.set_title(f"throw {number}: {fell} of {samples}")
    _draw_keys(keys_ax, keys, throw)
    said = f"a hit: {throw.inside / len(keys):.0%} of the keys inside"
    keys_ax.set_title(said if throw.hit else "a miss", color=verdict)
    return figure


def _draw_keys(ax: Axes, keys: Keys, throw: Throw) -> None:
    ends = np.quantile(keys, [0.0, 0.99])
    counts, edges = np.histogram(keys, 40, (ends[0], ends[1]))
    ax.stairs(counts, edges, fill=True, color=OTHERS)
    ax.axvspan(throw.low, throw.high, color=PALE_GREEN, alpha=0.8, linewidth=0)
    ax.axvline(throw.median, color=BLACK, linestyle="--", linewidth=1.2)
    shown = throw.sample[throw.sample <= ends[1]]
    ax.plot(
        shown,
        np.full(len(shown), -0.03),
        "|",
        color=BLACK,
        markersize=9,
        transform=ax.get_xaxis_transform(),
        clip_on=False,
    )
    ax.set(xlabel="key (the sample is below)", ylabel="keys", xlim=ends)
    ax.tick_params(axis="x", pad=9)


def show_staged(keys: Keys, found: Staged) -> Figure:
    """Draw all keys with the staged ones in dark, the bracket as a band, and the sample below."""
    figure, (keys_ax, sample_ax) = subplots(2, 1, height=4.0, sharex=True, height_ratios=[2, 1])
    width = (found.high - found.low) / 10  # so both ends of the bracket are edges
    ends = (np.array([keys.min(), np.quantile(keys, 0.99)]) - found.low) / width
    edges = found.low + width * np.arange(np.floor(ends[0]), np.ceil(ends[1]) + 1)
    counts, inside = (np.histogram(each, edges)[0] for each in (keys, found.staged))
    drawn = np.histogram(found.sample, edges)[0]
    for ax in (keys_ax, sample_ax):
        ax.axvspan(found.low, found.high, color=PALE_GREEN, linewidth=0, label="the bracket")
        ax.axvline(found.answer, color=BLACK, linestyle="--", linewidth=1.2, label="the median")
    keys_ax.stairs(counts, edges, fill=True, color=OTHERS, label="counted")
    keys_ax.stairs(inside, edges, fill=True, color=GREEN, label="staged")
    sample_ax.stairs(drawn, edges, color=VIOLET, linewidth=1.2, label="the sample")
    share = len(found.staged) / len(keys)
    keys_ax.set_title(f"{len(keys):,} keys; {len(found.staged):,} are staged, {share:.0%}")
    keys_ax.set(ylabel="keys", xlim=(edges[0], edges[-1]))
    sample_ax.set_title(f"{len(found.sample):,} of them are the sample")
    sample_ax.set(ylabel="of the sample", xlabel="key")
    legend_below(figure, 5, keys_ax, sample_ax)
    return figure


def _coin(throws: int) -> Keys:
    """Return the probability of each number of heads."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, throws + 1)))])
    return np.asarray(np.exp(logs[-1] - logs - logs[::-1] - throws * np.log(2)))


def show_rounds(keys: Keys, k: int, count: int, rounds: int) -> Frames:
    """Return the first rounds as frames."""
    states = [(keys, k)]
    for _ in range(rounds):
        states.append(round_of(*states[-1], count))
    return Frames(
        rounds,
        lambda at: show_round(
            at + 1, *states[at], bucket_numbers(states[at][0], count), states[at + 1][0]
        ),
        "keys counted in equal buckets; the bucket with the rank is divided again",
        seconds=2,
    )


def show_digits(keys: Keys, k: int, digits: int) -> Frames:
    """Return a search of integers digit by digit, one digit a frame."""
    answer = int(np.sort(keys)[k])
    return Frames(
        digits,
        lambda at: show_digit(keys, k, digits, at, answer),
        "numbers in a column; those that share the digits of the answer so far are candidates",
        seconds=2.5,
    )


def show_throws(keys: Keys, samples: int, probability: float, seeds: range) -> Frames:
    """Return several throws as frames."""
    return Frames(
        len(seeds),
        lambda at: show_throw(keys, throw(keys, samples, probability, seeds[at]), at + 1),
        "samples thrown anew; each brackets the median between two of its keys, and some miss it",
        seconds=1.5,
    )
