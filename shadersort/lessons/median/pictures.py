"""Lesson 10: an objective, touching lines and iterations, in pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import legend_below, look, subplots
from shadersort.palette import BLACK, GREEN, GREY, LIME, PALE_GREEN, VIOLET, WRONG
from shadersort.pictures.matplotlib_types import Figure

LEFT, RIGHT = VIOLET, LIME
"""The colours of keys on both sides of a pivot."""

DISTANCES = "sum of all distances"


def sums(keys: Keys, places: Any, above: float = 1.0, below: float = 1.0) -> Keys:
    """Return the objective at some places: weighted distances to the keys above and below."""
    gaps = keys[np.newaxis, :] - np.atleast_1d(places)[:, np.newaxis]
    return np.asarray(np.where(gaps > 0, above * gaps, -below * gaps).sum(axis=1))


def _corners(keys: Keys, low: float, high: float) -> Keys:
    """Return the places from low to high where the objective may bend."""
    inside = keys[(low < keys) & (keys < high)]
    return np.unique(np.concatenate([[low], inside, [high]]).astype(float))


def show_pivot(keys: Keys, pivot: float) -> Figure:
    """Draw the objective with one pivot, and below it the distances."""
    figure, (top, bottom) = subplots(2, 1, height=3.9, sharex=True, height_ratios=[3, 2])
    places = _corners(keys, min(keys.min() - 1, pivot), max(keys.max() + 1, pivot))
    (value,) = sums(keys, pivot)
    top.plot(places, sums(keys, places), color=BLACK)
    top.plot([pivot], [value], "o", color=BLACK, markersize=9)
    top.set(ylabel=DISTANCES, ylim=(0, None))
    top.set_title(f"pivot {pivot:g}: the distances add up to {value:g}")
    for row, key in enumerate(np.sort(keys)):
        colour = LEFT if key <= pivot else RIGHT
        bottom.plot([key, pivot], [row, row], color=colour, linewidth=3)
        bottom.plot([key], [row], "o", color=colour, markersize=6)
    for ax in (top, bottom):
        ax.axvline(pivot, color=GREY, linewidth=1, linestyle=":")
    left, right = int(np.sum(keys <= pivot)), int(np.sum(keys > pivot))
    bottom.set_title(f"{left} on its left, {right} on its right")
    bottom.set(xlabel="place on the road", yticks=[], ylabel="keys", ylim=(len(keys), -1))
    return figure


def show_slopes(keys: Keys) -> Figure:
    """Draw the objective with the slopes of its pieces, and below it the slopes as steps."""
    figure, (top, bottom) = subplots(2, 1, height=4.4, sharex=True, height_ratios=[3, 2])
    places = _corners(keys, keys.min() - 2, keys.max() + 2)
    heights = sums(keys, places)
    slopes = np.diff(heights) / np.diff(places)
    for at, slope in enumerate(slopes.tolist()):
        ends, colour = slice(at, at + 2), LEFT if slope < 0 else RIGHT
        top.plot(places[ends], heights[ends], color=colour)
        bottom.plot(places[ends], [slope, slope], color=colour)
        name, side = f"{slope:+g}".replace("-", "−"), np.sign(slope)
        bottom.text(places[ends].mean(), slope + 2.4 * side, name, ha="center", va="center")
    top.plot(keys, sums(keys, keys), "o", color=BLACK, markersize=5)
    bottom.axhline(0, color=GREY, linewidth=1)
    median = float(np.median(keys))
    for ax in (top, bottom):
        ax.axvline(median, color=GREEN, linestyle="--", linewidth=1.2)
    top.set(ylabel=DISTANCES, ylim=(0, None), title="it bends at every key")
    bottom.set(xlabel="pivot", ylabel="slope", ylim=(-len(keys) - 4, len(keys) + 4))
    bottom.set_title("its slope: keys on the left minus keys on the right")
    bottom.text(median, -len(keys) - 3, " the median", color=GREEN)
    return figure


def show_ranks(keys: Keys, k: int) -> Figure:
    """Draw the objective with weights, whose minimum is at the key of rank k."""
    n = len(keys)
    above, below = (k + 0.5) / n, (n - k - 0.5) / n
    figure, (ax,) = subplots(height=2.6)
    places = _corners(keys, keys.min() - 1, keys.max() + 1)
    answer = float(np.sort(keys)[k])
    ax.plot(places, sums(keys, places, above, below), color=BLACK)
    ax.plot(keys, 0 * keys + 2.5, "|", color=BLACK, markersize=9)
    ax.plot([answer], sums(keys, answer, above, below), "o", color=GREEN, markersize=9)
    ax.axvline(answer, color=GREEN, linestyle="--", linewidth=1.2)
    ax.set(xlabel="pivot", ylabel="weighted sum", ylim=(0, float(sums(keys, places).max())))
    ax.set_title(f"weights {below:.2f} and {above:.2f}: the smallest sum is at key {answer:g}")
    return figure


def show_cut(
    keys: Keys, low: float, high: float, pivot: float, *, yours: float | None = None
) -> Figure:
    """Draw one cut in its bracket, as figure 4 of Beliakov 2011: lines touch the objective.

    With `yours`, another pivot is drawn beside the correct one.
    """
    figure, (ax,) = subplots(width=5.4, height=2.9)
    margin = 0.08 * (high - low)
    limits = low - margin, high + margin
    places = _corners(keys, *limits)
    heights = sums(keys, places)
    span = heights.max() - heights.min()
    ax.axvspan(low, high, color=PALE_GREEN, alpha=0.6, linewidth=0)
    ax.plot(places, heights, color=BLACK, linewidth=2.4)
    touching = {**look("cutting-plane"), "marker": None}
    for end, other in ((low, keys <= low), (high, keys < high)):
        slope = 2 * int(other.sum()) - len(keys)
        (at,) = sums(keys, end)
        far = np.array([low, high])
        ax.plot(far, at + slope * (far - end), "--", **touching)
        ax.plot([end], [at], "o", color=BLACK, markersize=6)
    (at_low,) = sums(keys, low)
    met = at_low + (2 * int(np.sum(keys <= low)) - len(keys)) * (pivot - low)
    ax.plot([pivot, pivot], [met, float(sums(keys, pivot)[0])], ":", color=GREEN)
    ax.plot([pivot], [met], **look("cutting-plane"), markersize=7)
    ax.plot([pivot], sums(keys, pivot), "o", color=GREEN, markersize=8, label="expected")
    if yours is not None and limits[0] <= yours <= limits[1]:
        ax.axvline(yours, color=WRONG, linewidth=2.5, label="yours")
        legend_below(figure, 2, ax)
    shown = keys[(limits[0] <= keys) & (keys <= limits[1])]
    floor = min(met, heights.min()) - 0.12 * span
    ax.plot(shown, np.full(len(shown), floor), "|", color=BLACK, markersize=10)
    ax.set(ylabel=DISTANCES, xlim=limits, ylim=(floor - 0.06 * span, None))
    ax.set(xlabel=f"pivot; the lines meet at {pivot:.4g}")
    return figure


def show_outlier(keys: Keys, pivots: Mapping[str, Sequence[float]]) -> Figure:
    """Draw the objective of keys with an outlier, and the pivots of methods.

    It is like figure 5 of Beliakov 2011.
    """
    figure, (ax,) = subplots(height=3.4)
    places = _corners(keys, keys.min(), keys.max())
    ax.plot(places, sums(keys, places), color=BLACK)
    for method, found in pivots.items():
        heights = sums(keys, np.array(found, float))
        style = {**look(method), "linestyle": "", "label": f"{method}: {len(found)} pivots"}
        ax.plot(found, heights, **style, markersize=7)
    ax.set(xlabel="pivot", ylabel=DISTANCES, ylim=(0, None))
    ax.ticklabel_format(style="sci", scilimits=(0, 3), useMathText=True)
    legend_below(figure, 2, ax)
    return figure


def show_iterations(outliers: Sequence[float], counts: Mapping[str, Sequence[int]]) -> Figure:
    """Draw the iterations of methods against the size of one outlier."""
    figure, (ax,) = subplots(height=3.0)
    for method, numbers in counts.items():
        ax.plot(outliers, numbers, **look(method), markersize=5, label=method)
    ax.set(xlabel="size of the outlier", ylabel="iterations", xscale="log", ylim=(0, None))
    ax.legend(frameon=False)
    return figure
