from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadersort.sorting.merge import KEYS_OF_A_THREAD, merge, merge_by_threads, merge_in_parts


@given(st.lists(st.integers(0, 50), min_size=1, max_size=64))
def test_merges_four_runs_and_leaves_them_alone(values: list[int]) -> None:
    runs = np.sort(np.array([values, values[::-1], [7] * len(values), values]), axis=1)
    before = runs.copy()
    np.testing.assert_array_equal(merge(runs), np.sort(runs, axis=None))
    np.testing.assert_array_equal(runs, before)


@given(
    st.lists(st.lists(st.integers(0, 9)), min_size=1, max_size=6),
    st.integers(1, 9),
    st.sampled_from(["i2", "i4", "u4"]),
)
def test_merges_in_parts(runs: list[list[int]], parts: int, dtype: str) -> None:
    ordered = [np.sort(np.array(run, dtype)) for run in runs]
    with ThreadPoolExecutor(2) as pool:
        merged = merge_in_parts(ordered, pool, parts)
    assert merged.dtype == dtype
    np.testing.assert_array_equal(merged, np.sort(np.concatenate(ordered)))


def test_threads_merge_strided_lists() -> None:
    for n in (40, 400, 3 * KEYS_OF_A_THREAD):
        keys = np.random.default_rng(n).random(4 * n, np.float32)
        runs = list(np.sort(keys.reshape(-1, 4), axis=0).T)
        np.testing.assert_array_equal(merge_by_threads(runs, 3), np.sort(keys))
