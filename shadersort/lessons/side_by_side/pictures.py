"""Lesson 14: times and ways to work, in pictures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.records import Row
from shadersort.lessons.shared.style import look, subplots
from shadersort.lessons.side_by_side.steps import BUCKETS
from shadersort.palette import GREY
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.selection.primitives.textures import cost_of

LOOKS = {"GLSL": look("fragment"), "CUDA": look("one-read")}

TITLES = {
    "counts": "counting at a pivot",
    "nearest": "the nearest key above a pivot",
    "extent": "smallest and largest key",
    "histogram": "a histogram of 256 buckets",
}


def show_times(rows: Sequence[Row], label: str, here: Sequence[Row] = ()) -> Figure:
    """Draw the times of every step by GLSL, by CUDA and on the card of 2005, over the keys.

    Live measurements are drawn as stars.
    """
    figure, axes = subplots(2, 2, height=5.4, sharex=True, sharey=True)
    for ax, (step, title) in zip(axes, TITLES.items(), strict=True):
        _draw_2005(ax, step)
        for by, style in LOOKS.items():
            ax.plot(*_times(rows, step, by), **style, markersize=5, label=f"{by}, {label}")
            if here:
                star: Any = {"color": style["color"], "markersize": 13, "label": f"{by}, here"}
                ax.plot(*_times(here, step, by), "*", **star)
        ax.set(xscale="log", yscale="log", title=title)
        ax.set_xscale("log", base=2)
    for ax in axes[2:]:
        ax.set_xlabel("keys")
    for ax in axes[::2]:
        ax.set_ylabel("milliseconds")
    handles, _ = axes[0].get_legend_handles_labels()
    figure.legend(handles=handles, loc="outside lower center", ncols=1, frameon=False)
    return figure


def _times(rows: Sequence[Row], step: str, by: str) -> tuple[list[int], list[float]]:
    """Return numbers of keys, and the milliseconds of a step."""
    found = [row for row in rows if (row["step"], row["by"]) == (step, by)]
    return [row["keys"] for row in found], [row["ms"] for row in found]


OLD_KEYS = tuple(1 << power for power in range(16, 25, 2))
"""Numbers of keys on the card of 2005; more do not fit into a texture."""


def ms_of_2005(step: str, n: int) -> float:
    """Return the milliseconds of a step on the card of 2005, by its data sheet."""
    calls = {"counts": "counts", "nearest": "at_or_above", "extent": "extent"}
    if step == "histogram":
        return 1e3 * (BUCKETS - 1) * cost_of("below", n).seconds
    return 1e3 * cost_of(calls[step], n).seconds


def _draw_2005(ax: Axes, step: str) -> None:
    """Draw the time of a step on the card of 2005."""
    ms = [ms_of_2005(step, each) for each in OLD_KEYS]
    ax.plot(OLD_KEYS, ms, "--", color=GREY, label="the card of 2005, computed from its data sheet")


def show_work(texels: int, threads: int) -> Figure:
    """Draw the worker of each key: runs of a shader at the left, threads at the right."""
    figure, axes = subplots(1, 2, height=2.2)
    places = np.arange(texels).reshape(-1, 8)
    draw_keys(axes[0], places, f"a shader: {texels} texels, {texels} runs")
    draw_keys(axes[1], places % threads, f"CUDA: {texels} keys, {threads} threads")
    for ax, what in zip(axes, ("the number of the run", "the number of the thread"), strict=True):
        ax.set(xticks=[], yticks=[], xlabel=what)
    return figure


def show_pyramid(keys: Keys) -> Figure:
    """Draw a reduction by drawing: each new texel is the least of four, one of each quarter.

    Width and height of the keys are one power of two.
    """
    levels = [keys]
    while len(levels[-1]) > 1:
        half = len(levels[-1]) // 2
        rows = np.minimum(levels[-1][:half], levels[-1][half:])
        levels.append(np.minimum(rows[:, :half], rows[:, half:]))
    ratios = [len(each) + 1.0 for each in levels]
    figure, axes = subplots(1, len(levels), height=3.3, width_ratios=ratios)
    for number, (ax, each) in enumerate(zip(axes, levels, strict=True)):
        draw_keys(ax, each, f"pass {number}" if number else "the keys", among=keys)
        ax.set(xticks=[], yticks=[], anchor="N")
    return figure


def lanes_after(lanes: Keys) -> list[Keys]:
    """Return the values of the lanes of a warp at first, and after each step."""
    states = [np.array(lanes)]
    step = len(lanes) // 2
    while step:
        now = states[-1].copy()
        now[:-step] = np.minimum(now[:-step], states[-1][step:])
        states.append(now)
        step //= 2
    return states


def show_lanes(lanes: Keys) -> Figure:
    """Draw a reduction by shuffles: the values of all lanes, one row for each step."""
    states = lanes_after(lanes)
    figure, (ax,) = subplots(height=0.45 * len(states) + 0.8)
    draw_keys(ax, np.array(states))
    names = ["at first", *(f"+ {len(lanes) >> at}" for at in range(1, len(states)))]
    ax.set_yticks(np.arange(len(states)) + 0.5, names)
    ax.set_xticks(np.arange(len(lanes)) + 0.5, [str(lane) for lane in range(len(lanes))])
    ax.set(xlabel="lane", ylabel="looked how far")
    ax.grid(visible=False)
    ax.set_aspect("auto")
    return figure


def scans_of(keys: Keys) -> list[Keys]:
    """Return keys, and what they are after each step of their prefix sums."""
    states, step = [np.array(keys)], 1
    while step < len(keys):
        now = states[-1].copy()
        now[step:] += states[-1][:-step]
        states.append(now)
        step *= 2
    return states


def show_scan(keys: Keys) -> Figure:
    """Draw prefix sums in steps that double, one row for each step."""
    states = scans_of(keys)
    figure, (ax,) = subplots(width=5.4, height=0.45 * len(states) + 0.8)
    draw_keys(ax, np.array(states))
    names = ["at first", *(f"reads {1 << at} to the left" for at in range(len(states) - 1))]
    ax.set_yticks(np.arange(len(states)) + 0.5, names)
    ax.set_xticks(np.arange(len(keys)) + 0.5, [str(thread) for thread in range(len(keys))])
    ax.set(xlabel="thread")
    ax.grid(visible=False)
    ax.set_aspect("auto")
    return figure
