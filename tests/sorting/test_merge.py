from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shadersort as ss
from shadersort import Device
from shadersort.keys.codes import from_ordinals
from shadersort.sorting.merge import KEYS_OF_A_THREAD, merge_by_threads, merge_in_parts
from shadersort.sorting.sorted_ordinals import PIECE, complemented, sort_ordinals
from shadersort.sorting.texture_sort import TextureSort
from tests.helpers import TYPES, assert_sorted_permutation, bits, random_bits


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


def test_auto_follows_the_device_and_the_method(
    software: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    for hardware, method in product((True, False), ss.METHODS):
        monkeypatch.setattr(software, "hardware", hardware)
        way = TextureSort.prepared(software, np.dtype(np.float32), "pbsn", method)
        assert way.merge == ("device" if hardware and method != "blend" else "host")


def test_a_trace_names_the_steps(software: Device) -> None:
    keys = random_bits(3, 64, "float32")
    seen = ss.trace(keys, device=software, merge="device")
    assert_sorted_permutation(seen.result, keys)
    assert seen.program.network.lists == 4
    inside = [each for each in seen if each.command.inside]
    assert [each.caption.split(" · ")[1:] for each in inside] == [
        ["step 17 of 29: turn 2", "within each texel"],
        ["steps 22–23 of 29: turn 3", "within each texel"],
        ["steps 28–29 of 29: inside 1", "within each texel"],
    ]


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
