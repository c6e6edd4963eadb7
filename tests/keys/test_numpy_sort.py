"""Keys of 16 bits are never sorted by NumPy's default sort, which is wrong on some CPUs."""

from typing import Any

import numpy as np
import pytest

import modern
import shadersort as ss
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Keys
from shadersort.keys.undrawable import Undrawable
from shadersort.streams import TextureSorter
from tests.helpers import assert_sorted_permutation


@pytest.fixture
def _unsorted_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make NumPy's default sort of float16 leave everything where it was."""
    sort = np.sort

    def wrong(keys: Any, axis: int = -1, kind: Any = None, **options: Any) -> Any:
        keys = np.asarray(keys)
        if keys.dtype == np.float16 and kind is None:
            return keys.copy()
        return sort(keys, axis=axis, kind=kind, **options)

    monkeypatch.setattr(np, "sort", wrong)


def hostile(n: int) -> Keys:
    """Negative duplicates with smaller keys among them; some are denormal."""
    keys = np.full(n, -1, np.float16)
    keys[n // 3 :: 7], keys[5::11], keys[6::13] = -2, -6e-8, -6e-7
    keys[7::17] = -0.0
    return keys


@pytest.mark.usefixtures("_unsorted_halves")
def test_no_half_is_sorted_by_default() -> None:
    keys = hostile(1000)
    expected = keys[np.argsort(keys.astype(np.float32), kind="stable")]
    assert (np.sort(keys) != expected).any()
    assert_sorted_permutation(sort_keys(keys), keys)
    denormals = Undrawable.divide(keys[np.abs(keys) < 6.1e-5]).denormals
    assert_sorted_permutation(denormals, keys[(np.abs(keys) < 6.1e-5) & (keys != 0)])
    for method in ("blend", "fragment"):
        assert_sorted_permutation(ss.sort(keys, device="software", method=method), keys)
    for share in (0.5, 1.0):
        found = ss.external_sort(keys, device="software", share=share)
        assert_sorted_permutation(found, keys)
    assert_sorted_permutation(modern.sort(keys), keys)
    np.testing.assert_array_equal(modern.multiselect(keys, np.arange(1000)), expected)
    for method in modern.METHODS:
        if method != "quasi-newton":  # it may give up on such keys, and says so
            assert modern.select(keys, 333, method=method) == expected[333], method


@pytest.mark.usefixtures("_unsorted_halves")
def test_summaries_do_not_sort_halves_by_default() -> None:
    keys = hostile(5000)
    expected = sort_keys(keys)
    for sorter in (None, TextureSorter(device="software")):
        summary = ss.QuantileSummary(0.01, sorter=sorter)
        summary.update(keys)
        for q in (0.0, 0.2, 0.5, 1.0):
            found = expected.searchsorted(summary.quantile(q), side="right")
            assert found >= q * 5000 - 50
        items = ss.FrequencySummary(0.01, sorter=sorter)
        items.update(keys)
        assert items.estimate(np.float16(-1)) >= np.count_nonzero(keys == -1) - 50
