import tempfile
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.keys.codes import from_ordinals
from shadersort.sorting.external.runs import SortedRun, Spool, merged
from shadersort.sorting.sorted_ordinals import PIECE, complemented, sort_ordinals
from tests.helpers import TYPES, bits, random_bits


@pytest.mark.parametrize("dtype", TYPES)
def test_sorting_into_ordinals(dtype: str) -> None:
    """Also where more keys are reversed than a piece has."""
    for n in (0, 1, 2, 1000, 5 * PIECE + 3):
        keys = random_bits(n, n, dtype)
        keys = keys[~np.isnan(keys)] if keys.dtype.kind == "f" else keys
        numbers = sort_ordinals(keys.copy())
        assert numbers.dtype == (keys.dtype if keys.dtype.kind != "f" else f"i{keys.itemsize}"), n
        assert np.all(numbers[:-1] <= numbers[1:]), n
        result = from_ordinals(numbers, keys.dtype)
        assert np.all(result[:-1] <= result[1:]), n
        np.testing.assert_array_equal(
            np.sort(bits(result), kind="stable"), np.sort(bits(keys), kind="stable"), f"{n} keys"
        )
        reverse = complemented(numbers.copy())
        assert np.all(reverse[:-1] <= reverse[1:]), n
        np.testing.assert_array_equal(~reverse[::-1], numbers, f"{n} keys")


@given(st.lists(st.lists(st.integers(-9, 9)), max_size=9), st.integers(1, 20), st.integers(0, 3))
def test_merging(runs: list[list[int]], block: int, ahead: int) -> None:
    with (
        Spool(Path(tempfile.gettempdir()), np.dtype(np.int32)) as spool,
        ThreadPoolExecutor(2) as pool,
    ):
        firsts = [spool.add(np.sort(np.array(run, np.int32))) for run in runs]
        parts = [SortedRun(*each) for each in pairwise([*firsts, spool.size])]
        pieces = list(merged(spool, parts, block, pool, ahead))
    result = [int(key) for piece in pieces for key in piece]
    assert result == sorted(key for run in runs for key in run)
    assert all(len(piece) <= block * len(runs) for piece in pieces)


def test_spools_have_no_name(tmp_path: Path) -> None:
    with Spool(tmp_path, np.dtype(np.int32)) as spool:
        spool.add(np.arange(5, dtype=np.int32))
        assert spool.add(np.arange(5, 9, dtype=np.int32)) == 5
        assert spool.read(3, 7).tolist() == [3, 4, 5, 6]
        assert list(tmp_path.iterdir()) == []
