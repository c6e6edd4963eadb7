"""Lesson 17: skies, what a camera sees of them, and how a step finds the stars, in pictures."""

from collections.abc import Mapping, Sequence

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.images import without_axes
from shadersort.lessons.shared.style import key_colours, legend_below, subplots
from shadersort.lessons.sparse.camera import Trials
from shadersort.palette import BLACK, GREEN, GREY, TEAL, VIOLET, WRONG
from shadersort.pictures.matplotlib_types import Axes, Figure


def draw_sky(ax: Axes, pixels: Keys, title: str) -> None:
    """Draw pixels from dark blue, for 0, to yellow, for 1; a row of them as a square."""
    side = int(np.sqrt(pixels.size))
    shown = pixels.reshape(side, side)
    ax.imshow(shown, key_colours(), vmin=0, vmax=1, interpolation="nearest")
    ax.set_title(title)
    without_axes(ax)


def show_skies(skies: Mapping[str, Keys]) -> Figure:
    """Draw pictures side by side, each below its name."""
    height = 7.2 / len(skies) + 0.35 * (1 + max(name.count("\n") for name in skies))
    figure, axes = subplots(1, len(skies), height=height)
    for ax, (name, pixels) in zip(axes, skies.items(), strict=True):
        draw_sky(ax, pixels, name)
    return figure


def show_sent_back(sent: Keys, sky: Keys, k: int) -> Figure:
    """Draw what was sent back to each pixel, in stars and elsewhere; k reach the level."""
    figure, (ax,) = subplots(height=3.2)
    level = float(np.partition(np.abs(sent), len(sent) - k)[len(sent) - k])
    places, stars, kept = np.arange(len(sky)), sky != 0, np.abs(sent) >= level
    for name, some, colour, size in (
        ("no star", ~stars & ~kept, GREY, 3),
        ("no star, but kept", ~stars & kept, WRONG, 4),
        ("star", stars, GREEN, 5),
    ):
        ax.plot(places[some], sent[some], "o", color=colour, markersize=size, label=name)
    for each in (-level, level):
        ax.axhline(each, color=BLACK, linestyle="--", linewidth=1.2)
    ax.set(xlabel="pixel", ylabel="sent back to it", xlim=(-10, len(sky) + 10))
    ax.set_title(f"kept: {np.sum(kept & stars)} stars, {np.sum(kept & ~stars)} others")
    legend_below(figure, 3, ax)
    return figure


def show_step(pictures: Sequence[Keys], errors: Sequence[float], at: int) -> Figure:
    """Draw the picture after a step, and how much of the measurements each one leaves."""
    figure, (ax, curve) = subplots(1, 2, height=3.0)
    draw_sky(ax, pictures[at], f"after {at} steps" if at != 1 else "after 1 step")
    curve.plot(range(len(errors)), errors, "o-", color=VIOLET, markersize=3)
    curve.plot(at, errors[at], "o", color=BLACK, markersize=8)
    curve.set(xlabel="steps", ylabel="not explained, %", yscale="log")
    return figure


def show_trials(tried: Trials, enough: int) -> Figure:
    """Draw the share of skies that are recovered over the number of measurements."""
    numbers, recovered = tried
    figure, (ax,) = subplots(height=2.8)
    ax.plot(numbers, 100 * recovered.mean(axis=0), "o-", color=TEAL)
    ax.axvline(enough, color=GREEN, linewidth=2, label=f"enough: {enough}")
    ax.set(xlabel="measurements", ylabel="recovered, % of the skies")
    legend_below(figure, 1, ax)
    return figure
