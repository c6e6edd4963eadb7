"""Checks of options that many summaries have: what sorts, which type."""

from typing import Any

import numpy as np

from shadersort.errors import BadOption, SummariesDiffer
from shadersort.streams.sorters.numpy_sorter import NumPySorter
from shadersort.streams.sorters.protocol import Sorter


def checked_sorter(sorter: Sorter | None) -> Sorter:
    """Return a sorter, by default one of NumPy, or raise BadOption."""
    if sorter is not None and not hasattr(sorter, "accepted"):
        raise BadOption(f"a sorter is NumPySorter(), TextureSorter() or such, not {sorter!r}")
    return NumPySorter() if sorter is None else sorter


def check_one_type(one: np.dtype[Any] | None, other: np.dtype[Any] | None) -> None:
    """Raise SummariesDiffer if the values of two summaries have different types."""
    if one and other and one != other:
        raise SummariesDiffer(
            f"one summary is of {one}, the other of {other}: summaries merge if their values have "
            "one type"
        )
