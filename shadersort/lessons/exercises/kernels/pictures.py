"""Pictures of what a kernel wrote, beside what is expected."""

from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.exercises.runner import Case
from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.style import subplots
from shadersort.pictures.matplotlib_types import Figure

MOST = 16
"""Places of a result that are drawn."""


def show_results(case: Case, yours: Any, expected: Any) -> Figure:
    """Draw two results with wrong places crossed out; of long rows the first wrong part."""
    mine, right = np.atleast_2d(yours), np.atleast_2d(expected)
    wrong = np.flatnonzero((mine != right).any(axis=0))
    first = int(wrong[0]) - MOST // 4 if len(wrong) else 0
    first = max(0, min(first, right.shape[1] - MOST))
    mine, right = mine[:, first : first + MOST], right[:, first : first + MOST]
    rows, places = right.shape
    size = {"width": max(2.5, 0.45 * places), "height": 1.3 + 0.8 * rows}
    figure, axes = subplots(2, 1, **size)
    both = np.append(mine, right)
    draw_keys(axes[0], mine, "yours", among=both, expected=right)
    draw_keys(axes[1], right, "expected", among=both)
    for ax in axes:
        ax.set(xticks=np.arange(places) + 0.5, yticks=[], aspect="auto")
        ax.set_xticklabels([str(first + place) for place in range(places)])
        ax.grid(visible=False)
    axes[1].set_xlabel("place")
    return figure


def sums_of(keys: Keys) -> list[Keys]:
    """Return the numbers that still count in a block's sum, at first and after each step."""
    states = [np.array(keys)]
    while len(states[-1]) > 1:
        half = len(states[-1]) // 2
        states.append(states[-1][:half] + states[-1][half:])
    return states


def show_sums(keys: Keys) -> Figure:
    """Draw a sum in steps that halve, one row for each step; the keys are a power of two."""
    states = sums_of(keys)
    figure, axes = subplots(len(states), 1, width=5.4, height=0.62 * len(states) + 0.4, sharex=True)
    every = np.concatenate(states)
    for ax, state in zip(axes, states, strict=True):
        draw_keys(ax, state[np.newaxis], among=every)
        ax.grid(visible=False)
        step = len(state)
        ax.set(xlim=(0, len(keys)), yticks=[0.5], aspect="auto")
        ax.set_yticklabels(["at first" if step == len(keys) else f"step {step}"])
        ax.set_xticks(np.arange(len(keys)) + 0.5, [str(place) for place in range(len(keys))])
    axes[-1].set_xlabel("thread")
    return figure
