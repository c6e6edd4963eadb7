"""The pictures of lesson 9: streams, blocks under a window, and guarantees as bands."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import legend_below, subplots
from shadersort.lessons.sliding.blocks import Block, rank_error, whole_blocks
from shadersort.palette import BLACK, BROWN, FAINT, GREEN, GREY, PALE_GREEN, PINK, TEAL, VIOLET
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.streams.sliding.arasu_manku_quantiles import QuantileLevels
from shadersort.streams.sliding.sliding_frequencies import SlidingFrequencies
from shadersort.streams.sliding.sliding_quantiles import SlidingQuantiles

OLD = FAINT
"""The colour of blocks that do not answer."""

SMALL = QuantileLevels(Fraction(1, 8), 256, 1, 4)
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


def show_blocks(position: int, n: int, size: int, values: int) -> Figure:
    """Draw the blocks inside the last n values of a stream, with uncovered and waiting values."""
    figure, (ax,) = subplots(height=1.9)
    inside = whole_blocks(position, n, size)
    full, first = position // size, position - n
    for block in range(values // size):
        colour = GREEN if block in inside else OLD if block < full else "none"
        _draw_box(ax, 0, block * size, size, colour, edgecolor="white" if block < full else OLD)
    for place in range(full * size, position):
        _draw_box(ax, 0, place, 1, PALE_GREEN)
    covered = inside[0] * size if inside else full * size
    _draw_uncovered(ax, 0, 0.8, first, covered)
    ax.plot([first, first, position, position], [0.95, 1.1, 1.1, 0.95], color=BLACK)
    ax.text(position - n / 2, 1.18, f"the last {n} values", ha="center", fontsize=10)
    ax.set(xlim=(-0.5, values + 0.5), ylim=(-0.1, 1.6), yticks=[], xlabel="place in the stream")
    ax.set_title(
        f"whole blocks: {len(inside)}; values uncovered: {covered - first}, "
        f"waiting: {position - full * size}"
    )
    ax.spines["left"].set_visible(False)
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


def show_samples(values: Keys, step: int) -> Figure:
    """Draw the values of a block as they came, and in order with the kept values."""
    figure, axes = subplots(1, 2, height=2.3, sharey=True)
    places = np.arange(len(values))
    axes[0].bar(places, values, color=GREY)
    axes[0].set(title="a block as it came", xlabel="place in the block", ylabel="milliseconds")
    kept = places % step == step // 2
    axes[1].bar(places, np.sort(values), color=[GREEN if each else OLD for each in kept])
    axes[1].set(title=f"in order; of every {step} the middle one", xlabel="rank in the block")
    return figure


def show_band(positions: Keys, errors: Keys, n: int, epsilon: float) -> Figure:
    """Draw the errors of answers in ranks over the stream, inside the allowed band."""
    figure, (ax,) = subplots(height=2.8)
    allowed = epsilon * n
    ax.axhspan(-allowed, allowed, color=PALE_GREEN, alpha=0.6, linewidth=0)
    ax.text(positions[0], 0.98 * allowed, f"allowed: ± {allowed:.0f} ranks", va="top", fontsize=9)
    ax.axhline(0, color=BLACK, linewidth=0.8)
    ax.plot(positions, errors, ".", color=GREEN, markersize=3)
    ax.set(xlabel="values seen", ylabel="ranks off", ylim=(-1.15 * allowed, 1.15 * allowed))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    return figure


def show_lengths(lengths: Keys, shares: Keys, epsilon: float) -> Figure:
    """Draw the errors of answers, as shares of n, over n.

    A row of `shares` has the errors of one length at several moments.
    """
    figure, (ax,) = subplots(height=2.8)
    _draw_allowed(ax, epsilon)
    ax.plot(lengths, 100 * shares, ".", color=GREEN, markersize=3)
    ax.set(xscale="log", xlabel="n: how many of the last values are asked about")
    ax.set_ylabel("off, % of n")
    return figure


def _draw_allowed(ax: Axes, epsilon: float) -> None:
    ax.axhspan(-100 * epsilon, 100 * epsilon, color=PALE_GREEN, alpha=0.6, linewidth=0)
    ax.axhline(0, color=BLACK, linewidth=0.8)
    ax.annotate(
        f"allowed: ± {100 * epsilon:g} %",
        (0.99, 100 * epsilon),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        xytext=(0, 3),
        ha="right",
        va="bottom",
        fontsize=9,
    )


def show_levels(n: int, position: int = 716, plan: QuantileLevels = SMALL) -> Figure:
    """Draw the blocks that a plan holds, level over level, and those that cover the last n."""
    figure, (ax,) = subplots(height=2.9)
    first, count = position - n, plan.count
    covered, used = _cover(plan, n, position)
    for level in range(count):
        _draw_level(ax, plan, level, position, {number for at, number in used if at == level})
    newest = max(position - position % plan.size(0), first) if used else first
    _draw_box(ax, -1, newest, position - newest, GREEN)
    _draw_uncovered(ax, -1, count + 1.0, first, covered)
    ax.plot([first, first], [-1.1, count], color=BLACK, linewidth=1.2)
    names = ["as they are", *(f"blocks of {plan.size(at)}" for at in range(count))]
    ax.set_yticks(np.arange(-1, count) + 0.4, names)
    ax.set(xlim=(position - plan.window - 30, position + 4), ylim=(-1.2, count + 0.1))
    ago = np.array([256, 192, 128, 64, 0])
    ax.set_xticks(position - ago, [str(each) for each in ago])
    ax.set_xlabel("values ago")
    allowed = int(n * plan.epsilon)
    ax.set_title(
        f"the last {n}: blocks: {len(used)}; uncovered: {covered - first}, where {allowed} may be"
    )
    ax.tick_params(left=False)
    ax.spines["left"].set_visible(False)
    return figure


def _cover(plan: QuantileLevels, n: int, position: int) -> tuple[int, list[tuple[int, int]]]:
    """Return the first covered place of the last n values, and level and number of each block."""
    first, full = position - n, position - position % plan.size(0)
    if n <= plan.recent + position - full:
        return first, []
    size = plan.size(plan.level_for(n))
    covered = -(-first // size) * size
    return covered, list(plan.cover(covered, full, plan.level_for(n)))


def _draw_level(ax: Axes, plan: QuantileLevels, level: int, position: int, used: set[int]) -> None:
    """Draw the blocks of a level that are still held."""
    bounds, size = plan.stages[level].bounds(position), plan.size(level)
    for number in range(bounds[-1], bounds[0]):
        _draw_box(ax, level, number * size, size, GREEN if number in used else OLD)


def show_any_length(stream: Keys, window: int, epsilon: float) -> Figure:
    """Draw the errors of the quartiles of the last n values, for many n, inside the band."""
    sliding = SlidingQuantiles(epsilon, window)
    sliding.update(stream)
    lengths = np.unique(np.geomspace(2000, window, 60).astype(int)).tolist()
    figure, (ax,) = subplots(height=3.0)
    _draw_allowed(ax, epsilon)
    for q, colour, marker in ((0.25, TEAL, "v"), (0.5, VIOLET, "o"), (0.75, PINK, "^")):
        answers = [sliding.last(n).quantile(q) for n in lengths]
        errors = [
            100 * rank_error(stream[-n:], q, float(answer)) / n
            for n, answer in zip(lengths, answers, strict=True)
        ]
        name = f"the {q:g}-quantile"
        ax.plot(lengths, errors, marker, color=colour, markersize=4, label=name, alpha=0.8)
    ax.set(xscale="log", ylim=(-13, 13), ylabel="off, % of n")
    ax.set_xlabel("n: how many of the last values are asked about")
    ax.set_title(f"ε = {epsilon:g}: {len(sliding):,} entries held, of the last {window:,} values")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


def show_memory(epsilon: float) -> Figure:
    """Draw the largest number of entries, over the length of the window."""
    figure, (ax,) = subplots(height=2.9)
    windows = np.geomspace(1000, 10**8, 31).astype(int)
    ways = (
        ("all values", [int(each) for each in windows], GREY, "--"),
        ("for any n up to the window", _held(epsilon, windows, any_length=True), VIOLET, "-"),
        ("for this one length", _held(epsilon, windows, any_length=False), BROWN, "-"),
    )
    for name, held, colour, line in ways:
        ax.plot(windows, held, line, color=colour, label=name)
    ax.set(xscale="log", yscale="log", xlabel="values in the window", ylabel="entries, at most")
    ax.set_title(f"ε = {epsilon:g}")
    ax.legend(loc="upper left", frameon=False)
    return figure


def _held(epsilon: float, windows: Keys, *, any_length: bool) -> list[int]:
    plans = [
        QuantileLevels.chosen(epsilon, each, 1 if any_length else each) for each in windows.tolist()
    ]
    return [plan.recent + plan.batch + plan.entries for plan in plans]


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


def show_cover(start: int, stop: int, blocks: Sequence[Block]) -> Figure:
    """Draw the blocks that cover a part of the stream, with their sizes."""
    figure, (ax,) = subplots(height=1.2)
    ax.barh(0, stop - start, left=start, height=0.8, align="edge", color=OLD)
    for begin, size in blocks:
        box: Any = {"height": 0.8, "align": "edge", "edgecolor": "white", "color": GREEN}
        ax.barh(0, size, left=begin, **box)
        ax.text(begin + size / 2, 0.4, str(size), color="white", ha="center", va="center")
    ax.set(xlim=(start - 0.5, stop + 0.5), ylim=(-0.1, 1), yticks=[])
    ax.set(xticks=range(start, stop + 1), xlabel="place in the stream")
    ax.spines["left"].set_visible(False)
    return figure
