"""Merging sorted runs on the CPU, in linear time."""

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np

from shadersort.keys.types import Keys
from shadersort.sorting.threads import open_pool

KEYS_OF_A_THREAD = 1 << 16
"""Fewest keys that a thread merges: it takes a millisecond, and to start one a tenth of that."""


def merge(runs: Keys | Sequence[Keys]) -> Keys:
    """Merge sorted runs, the rows of an array or arrays of any lengths, into one sorted array.

    NumPy's stable sort of these keys is timsort, which finds sorted runs and merges them. For r
    runs of n keys together it needs at most n · ⌈log2 r⌉ comparisons, and n to find the runs.
    """
    merged = np.concatenate(list(runs))
    merged.sort(kind="stable")
    return merged


def merge_by_threads(runs: Sequence[Keys], threads: int) -> Keys:
    """Merge sorted runs as `merge` does, in threads if there are enough keys for them."""
    threads = min(threads, sum(map(len, runs)) // KEYS_OF_A_THREAD)
    if threads < 2:
        return merge(runs)
    with open_pool(threads) as pool:
        return merge_in_parts([*map(np.ascontiguousarray, runs)], pool, threads)


def merge_in_parts(runs: Sequence[Keys], pool: Executor, parts: int) -> Keys:
    """Merge sorted runs in some threads of a pool: each merges the keys between two bounds.

    The longest run is cut into equal parts, and its keys there are the bounds.
    """
    longest = max(runs, key=len)
    places = [len(longest) * i // parts for i in range(1, parts)]
    bounds = longest[places] if len(longest) else longest
    inner = [np.searchsorted(run, bounds) for run in runs]
    cuts = [[0, *cut.tolist(), len(run)] for cut, run in zip(inner, runs, strict=True)]
    ends = [sum(column) for column in zip(*cuts, strict=True)]
    merged = np.empty(ends[-1], longest.dtype)

    def merge_part(part: int) -> None:
        into = merged[ends[part] : ends[part + 1]]
        slices = [run[cut[part] : cut[part + 1]] for run, cut in zip(runs, cuts, strict=True)]
        np.concatenate(slices, out=into)
        into.sort(kind="stable")

    list(pool.map(merge_part, range(len(ends) - 1)))
    return merged
