"""The pictures of lesson 9: streams, blocks under a window, and guarantees as bands."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.quantiles.entries import rank_error
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.lessons.sliding.blocks import whole_blocks
from shadersort.palette import BLACK, BROWN, FAINT, GREEN, GREY, PALE_GREEN, PINK, TEAL, VIOLET
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.streams.sliding.arasu_manku_quantiles import QuantileLevels
from shadersort.streams.sliding.sliding_frequencies import SlidingFrequencies
from shadersort.streams.sliding.sliding_quantiles import SlidingQuantiles

PLAN = QuantileLevels(Fraction(1, 8), 256, 1, 4)
"""Levels small enough to be drawn: the last 256 values, blocks of 4 to 128, ε = 1/8."""


def show_medians(stream: Keys, window: int, every: int = 200) -> Figure:
    """Draw a stream as dots, with the median of all values so far, and of the last values."""
    figure, (ax,) = subplots(height=3.0)
    seen = np.arange(20, len(stream), 20)
    ax.plot(seen, stream[seen], ".", color=GREY, markersize=1.5, alpha=0.5, zorder=1)
    ends = np.arange(every, len(stream) + 1, every)
    of_all = [np.median(stream[:end]) for end in ends]
    of_last = [np.median(stream[max(0, end - window) : end]) for end in ends]
    ax.plot(ends, of_all, color=BROWN, label="median of all values so far")
    ax.plot(ends, of_last, color=VIOLET, label=f"median of the last {window:,}")
    ax.set(xlabel="values seen", ylabel="milliseconds", ylim=(0, 120))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    legend_below(figure, 2, ax)
    return figure


def _draw_box(
    ax: Axes, height: int, left: int, width: int, colour: str, edgecolor: str = "white"
) -> None:
    """Draw a block, or a value, of the stream."""
    style: Any = {"height": 0.8, "align": "edge", "color": colour, "edgecolor": edgecolor}
    ax.barh(height, width, left=left, **style)


def _draw_uncovered(ax: Axes, bottom: int, height: float, first: int, covered: int) -> None:
    """Hatch the values that no block covers."""
    style: Any = {"color": "none", "edgecolor": BLACK, "hatch": "////", "linewidth": 0}
    ax.barh(bottom, covered - first, left=first, height=height, align="edge", **style)


def show_blocks(position: int, n: int, size: int, values: int) -> Figure:
    """Draw the blocks inside the last n values of a stream, with uncovered and waiting values."""
    figure, (ax,) = subplots(height=1.9)
    inside = whole_blocks(position, n, size)
    full, first = position // size, position - n
    for block in range(values // size):
        colour = GREEN if block in inside else FAINT if block < full else "none"
        _draw_box(ax, 0, block * size, size, colour, edgecolor="white" if block < full else FAINT)
    for place in range(full * size, position):
        _draw_box(ax, 0, place, 1, PALE_GREEN)
    covered = inside[0] * size
    _draw_uncovered(ax, 0, 0.8, first, covered)
    ax.plot([first, first, position, position], [0.95, 1.1, 1.1, 0.95], color=BLACK)
    ax.text(position - n / 2, 1.18, f"the last {n} values", ha="center", fontsize=10)
    ax.set(xlim=(-0.5, values + 0.5), ylim=(-0.1, 1.6), yticks=[], xlabel="place in the stream")
    counts = f"uncovered: {covered - first}, waiting: {position - full * size}"
    ax.set_title(f"whole blocks: {len(inside)}; values {counts}")
    ax.spines["left"].set_visible(False)
    return figure


def show_errors(
    x: Any, errors: Mapping[str, Any], allowed: float, unit: str, **axes: Any
) -> Figure:
    """Draw errors of answers, a row of dots for each name, inside the allowed band."""
    figure, (ax,) = subplots(height=2.8)
    ax.axhspan(-allowed, allowed, color=PALE_GREEN, alpha=0.6, linewidth=0)
    ax.axhline(0, color=BLACK, linewidth=0.8)
    place: Any = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    style: Any = {"ha": "right", "va": "bottom", "fontsize": 9, **place}
    ax.annotate(f"allowed: ± {allowed:g} {unit}", (0.99, allowed), (0, 3), **style)
    looks, size = zip((GREEN, VIOLET, PINK), "ov^", strict=True), 2 if len(errors) == 1 else 4
    for (name, each), (colour, marker) in zip(errors.items(), looks, strict=False):
        ax.plot(x, each, marker, color=colour, markersize=size, label=name)
    highest = 1.25 * max(allowed, *(np.abs(each).max() for each in errors.values()))
    ax.set(**{"ylabel": f"off, {unit}", "ylim": (-highest, highest), **axes})
    if len(errors) > 1:
        legend_below(figure, 3, ax)
    return figure


def show_any_length(stream: Keys, window: int, epsilon: float) -> Figure:
    """Draw the errors of the quartiles of the last n values, for many n, inside the band."""
    sliding = SlidingQuantiles(epsilon, window).update(stream)
    lengths = np.unique(np.geomspace(2000, window, 60).astype(int)).tolist()

    def error(q: float, n: int) -> float:
        return float(100 / n * rank_error(stream[-n:], q, sliding.last(n).quantile(q)))

    quartiles = (0.25, 0.5, 0.75)
    errors = {f"the {q:g}-quantile": [error(q, n) for n in lengths] for q in quartiles}
    title = f"ε = {epsilon:g}: {len(sliding):,} entries held, of the last {window:,} values"
    of: Any = {"xscale": "log", "xlabel": "n: how many of the last values", "ylim": (-13, 13)}
    return show_errors(lengths, errors, 100 * epsilon, "% of n", title=title, **of)


def show_levels(n: int, position: int = 716) -> Figure:
    """Draw the blocks that `PLAN` holds, level over level, and those that cover the last n."""
    figure, (ax,) = subplots(height=2.9)
    first, full, count = position - n, position - position % PLAN.size(0), PLAN.count
    covered, used = first, set()
    if n > PLAN.recent + position - full:
        size = PLAN.size(PLAN.level_for(n))
        covered = -(-first // size) * size
        used = set(PLAN.cover(covered, full, PLAN.level_for(n)))
    for level in range(count):
        bounds, size = PLAN.stages[level].bounds(position), PLAN.size(level)
        for number in range(bounds[-1], bounds[0]):
            _draw_box(ax, level, number * size, size, GREEN if (level, number) in used else FAINT)
    newest = max(full, first) if used else first
    _draw_box(ax, -1, newest, position - newest, GREEN)
    _draw_uncovered(ax, -1, count + 1.0, first, covered)
    ax.plot([first, first], [-1.1, count], color=BLACK, linewidth=1.2)
    names = ["as they are", *(f"blocks of {PLAN.size(at)}" for at in range(count))]
    ax.set_yticks(np.arange(-1, count) + 0.4, names)
    ax.set(xlim=(position - PLAN.window - 30, position + 4), ylim=(-1.2, count + 0.1))
    ago = np.array([256, 192, 128, 64, 0])
    ax.set_xticks(position - ago, [str(each) for each in ago])
    off = f"uncovered: {covered - first}, where {int(n * PLAN.epsilon)} may be"
    ax.set(xlabel="values ago", title=f"the last {n}: blocks: {len(used)}; {off}")
    ax.tick_params(left=False)
    ax.spines["left"].set_visible(False)
    return figure


def show_memory(epsilon: float) -> Figure:
    """Draw the largest number of entries, over the length of the window."""
    figure, (ax,) = subplots(height=2.9)
    windows = np.geomspace(1000, 10**8, 31).astype(int).tolist()

    def held(window: int, shortest: int) -> int:
        plan = QuantileLevels.chosen(epsilon, window, shortest)
        return plan.recent + plan.batch + plan.entries

    ax.plot(windows, windows, "--", color=GREY, label="all values")
    any_length, one = [held(each, 1) for each in windows], [held(each, each) for each in windows]
    ax.plot(windows, any_length, color=VIOLET, label="for any n up to the window")
    ax.plot(windows, one, color=BROWN, label="for this one length")
    ax.set(xscale="log", yscale="log", xlabel="values in the window", ylabel="entries, at most")
    ax.set_title(f"ε = {epsilon:g}")
    ax.legend(loc="upper left", frameon=False)
    return figure


def show_counts(
    visits: Keys, items: Sequence[int], window: int, epsilon: float, support: float
) -> Figure:
    """Draw the frequencies of items in the last values: truth, estimates and allowed errors."""
    figure, (ax,) = subplots(height=3.1)
    sliding = SlidingFrequencies(epsilon, window, shortest=window)
    every = window // 10
    ends, estimates, truth = np.arange(every, len(visits) + 1, every), [], []
    for end in ends.tolist():
        sliding.update(visits[end - every : end])
        last = visits[max(0, end - window) : end]
        estimates.append([sliding.estimate(item) for item in items])
        truth.append([np.count_nonzero(last == item) for item in items])
    share = 100 / np.minimum(ends, window)
    for i, (item, colour) in enumerate(zip(items, (VIOLET, TEAL, BROWN), strict=False)):
        right = np.array(truth)[:, i] * share
        low = np.maximum(right - 100 * epsilon, 0)
        ax.fill_between(ends, low, right, color=colour, alpha=0.2, linewidth=0)
        ax.plot(ends, right, color=colour, label=f"page {item}")
        ax.plot(ends, np.array(estimates)[:, i] * share, "o", color=colour, markersize=3)
    ax.axhline(100 * support, color=BLACK, linestyle="--", linewidth=1)
    ax.set(xlabel="visits seen", ylabel=f"% of the last {window:,}", ylim=(0, 50))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.legend(loc="upper right", ncols=3, frameon=False)
    return figure
