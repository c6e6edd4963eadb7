"""randomizedSelect as Alabi et al. 2012 describe it (section 5.2), after Monroe et al. 2011.

The keys are assigned to three bins, whose ends are two keys of a random sample. The middle bin has
the k-th key with the probability p_k = 0.9. If it does, the bin is copied and sorted.

Readings (docs/errata.md): the sample has 1,024 keys; the middle bin includes its ends; if the key
is in another bin, a new sample is drawn from all keys.
"""

import numpy as np

from shadersort.errors import BadOption
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.methods.randomized import bracket
from shadersort.selection.printed.finite_keys import sorted_key
from shadersort.selection.selection import Selection

P_K = 0.9  # the probability that the middle bin has the answer by default; Monroe et al. took 0.8
SAMPLES = 1 << 10  # keys in a sample
DRAWS = 100  # after this many samples the method gives up: all miss with the probability 0.1^100


def randomized_select(selection: Selection, *, seed: int = 0, p_k: float = P_K) -> Key:
    """Draw samples until the middle bin has the answer, and sort that bin.

    `seed` is the seed of the first sample; each further sample adds one. `p_k` is the probability
    that the middle bin has the answer.
    """
    if not 0 < p_k < 1:
        raise BadOption(f"the probability p_k is between 0 and 1, not {p_k}")
    keys, k = selection.keys, selection.k
    for draw in range(DRAWS):
        sample = sort_keys(keys.sample(SAMPLES, seed + draw))
        selection.record("sample")
        lower, upper = bracket(SAMPLES, (k + 0.5) / keys.size, p_k)
        low = sample[lower - 1] if lower else None  # None at an end of the sample
        high = sample[upper] if upper < SAMPLES else None
        ends = [each for each in (low, high) if each is not None]
        at = keys.counts_at(np.array(ends, keys.dtype))
        below = int(at[0, 0]) if low is not None else 0
        inside = (int(at[:, -1].sum()) if high is not None else keys.size) - below
        if below <= k < below + inside:
            selection.record("bracket", low=low, high=high, candidates=inside)
            middle = keys.between(low, high, closed=True, count=inside)
            selection.record("compact")
            return sorted_key(selection, middle, k - below)
        selection.record("miss", low=low, high=high, candidates=keys.size)
    raise selection.did_not_converge(f"{DRAWS} middle bins did not have the key")


METHOD = Method("randomized", randomized_select, needs=("sample", "between", "sort"))
