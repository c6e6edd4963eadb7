"""One row on the host: many ranks of sorted keys are only read, and those of others are found."""

from typing import Any

import numpy as np
import pytest

import modern
from modern.rows import one_row

PIECE = 4


@pytest.mark.parametrize("size", [PIECE, PIECE + 1, 2 * PIECE - 1, 2 * PIECE, 2 * PIECE + 1, 11])
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8", "float16"])
def test_one_key_out_of_order_is_seen(
    size: int, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_row, "PIECE", PIECE)
    x = (np.arange(size) // 2 + 1).astype(dtype)
    assert one_row._ascend(x)
    for place in range(1, size):
        wrong = x.copy()
        wrong[place] = 0
        assert not one_row._ascend(wrong)
        ks = np.arange(size)
        np.testing.assert_array_equal(one_row.found(wrong, ks), np.sort(wrong))


def test_sorted_keys_are_not_sorted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*given: Any) -> Any:
        raise AssertionError("the keys are in order")

    x, q = np.sort(np.random.default_rng(1).random(10_000)), np.linspace(0, 1, 101)
    expected = np.quantile(x, q)
    monkeypatch.setattr(one_row, "ranked", refused)
    np.testing.assert_array_equal(modern.quantile(x, q), expected)
    x[-1] = np.nan  # sorted, too, but nothing compares with a NaN
    with pytest.raises(AssertionError, match="in order"):
        modern.nanquantile(x, q)
