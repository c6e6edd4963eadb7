"""A picture of what a kernel wrote, beside what is expected."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises.outcomes import Case
from shadersort.lessons.shared.grids import show_rows
from shadersort.pictures.matplotlib_types import Figure

MOST = 16  # places of a result that are drawn


def show_results(case: Case, yours: Any, expected: Any) -> Figure:
    """Draw two results with wrong places crossed out; of long rows the first wrong part."""
    mine, right = np.atleast_2d(yours), np.atleast_2d(expected)
    wrong = np.flatnonzero((mine != right).any(axis=0))
    first = int(wrong[0]) - MOST // 4 if len(wrong) else 0
    first = max(0, min(first, right.shape[1] - MOST))
    mine, right = mine[:, first : first + MOST], right[:, first : first + MOST]
    names = ("yours", "expected")
    rows = {
        f"{name} {number}" if len(right) > 1 else name: row
        for name, found in zip(names, (mine, right), strict=True)
        for number, row in enumerate(found, start=1)
    }
    return show_rows(rows, expected=np.vstack([right, right]), first=first)
