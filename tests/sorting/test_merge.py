from concurrent.futures import Executor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.keys.types import Keys
from shadersort.sorting import merge as module
from shadersort.sorting.merge import merge, merge_by_threads, merge_in_parts


class Counted:
    """A key that counts how often it is compared."""

    comparisons = 0

    def __init__(self, value: int) -> None:
        self.value = value

    def __lt__(self, other: "Counted") -> bool:
        Counted.comparisons += 1
        return self.value < other.value


@given(st.lists(st.integers(0, 50), min_size=1, max_size=64))
def test_merges_four_runs_and_leaves_them_alone(values: list[int]) -> None:
    runs = np.sort(np.array([values, values[::-1], [7] * len(values), values]), axis=1)
    before = runs.copy()
    np.testing.assert_array_equal(merge(runs), np.sort(runs, axis=None))
    np.testing.assert_array_equal(runs, before)


def test_comparisons_are_linear() -> None:
    """NumPy compares two objects by up to two calls: two a merge, two merges, one for the runs."""
    for length in (256, 1024, 4096):
        values = np.random.default_rng(length).permutation(4 * length).reshape(4, length)
        runs = np.array([[Counted(v) for v in np.sort(row).tolist()] for row in values])
        Counted.comparisons = 0
        merged = merge(runs)
        assert [key.value for key in merged] == list(range(4 * length))
        assert Counted.comparisons < 5 * 4 * length


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


def test_threads_merge_strided_lists_if_there_is_enough_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The result is that of one thread, for as many as there are keys for."""
    parts: list[int] = []

    def watched(runs: list[Keys], pool: Executor, number: int) -> Keys:
        parts.append(number)
        return merge_in_parts(runs, pool, number)

    monkeypatch.setattr(module, "merge_in_parts", watched)
    monkeypatch.setattr(module, "KEYS_OF_A_THREAD", 100)
    for n, threads, expected in ((40, 9, []), (400, 1, []), (200, 9, [2]), (4000, 3, [3])):
        for keys in (np.random.default_rng(n).random(n, np.float32), np.full(n, np.inf)):
            runs = list(np.sort(keys.reshape(-1, 4), axis=0).T)
            parts.clear()
            np.testing.assert_array_equal(merge_by_threads(runs, threads), np.sort(keys))
            assert parts == expected
