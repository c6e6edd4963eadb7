"""sort&choose (Alabi et al. 2012, Alg. 1): sort the vector, return vec[n − k]."""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.selection.method import Method
from shadersort.selection.selection import Selection


def sort_choose(selection: Selection) -> Keys:
    """Sort all keys, and take those of all ranks; nothing is learnt of their counts."""
    answers = np.asarray(selection.keys.sort().take(selection.ranks))
    selection.record("sort")
    return answers


METHOD = Method("sort-choose", many=sort_choose, needs=("sort",))
