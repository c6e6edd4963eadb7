"""Pictures of what a kernel wrote, beside what is expected."""

from typing import Any

import numpy as np

from shadersort.lessons.shared.grids import draw_keys
from shadersort.lessons.shared.mistakes import Case
from shadersort.lessons.shared.style import subplots
from shadersort.pictures.matplotlib_types import Figure

MOST = 16
"""Places of a result that are drawn."""


def show_results(case: Case, yours: Any, expected: Any) -> Figure:
    """Draw two results with wrong places crossed out; of long ones the first wrong part."""
    wrong = np.flatnonzero(np.asarray(yours) != expected)
    last = max(0, len(expected) - MOST)
    first = min(last, max(0, int(wrong[0]) - MOST // 4) if len(wrong) else 0)
    part = slice(first, first + MOST)
    mine, right = np.asarray(yours)[part], np.asarray(expected)[part]
    figure, axes = subplots(2, 1, width=max(2.5, 0.45 * len(right)), height=2.1)
    both = np.append(mine, right)
    draw_keys(axes[0], mine[np.newaxis], "yours", among=both, expected=right[np.newaxis])
    draw_keys(axes[1], right[np.newaxis], "expected", among=both)
    for ax in axes:
        ax.set(xticks=np.arange(len(right)) + 0.5, yticks=[], aspect="auto")
        ax.set_xticklabels([str(first + place) for place in range(len(right))])
        ax.grid(visible=False)
    axes[1].set_xlabel("place in `result`")
    return figure
