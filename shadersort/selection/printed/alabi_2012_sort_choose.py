"""sort&choose (Alabi et al. 2012, Alg. 1): sort the vector, return vec[n − k]."""

import numpy as np

from shadersort.keys.types import Key, Keys
from shadersort.selection.method import Method
from shadersort.selection.printed.finite_keys import sorted_key
from shadersort.selection.selection import Selection


def sort_choose(selection: Selection) -> Key:
    """Sort all keys, and take one."""
    return sorted_key(selection, selection.keys, selection.k)


def sort_choose_many(selection: Selection) -> Keys:
    """Sort all keys, and take those of all ranks."""
    answers = np.asarray(selection.keys.sort().take(selection.ranks))
    selection.record("sort")
    return answers


METHOD = Method(
    "sort-choose",
    sort_choose,
    needs=("sort", "take"),
    many=sort_choose_many,
    needs_many=("sort", "take"),
)
