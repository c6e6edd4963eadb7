"""A picture of what a kernel wrote, beside what is expected."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises.outcomes import Case
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
