"""Sorters: each gives what the NumPy one gives."""

from importlib.metadata import EntryPoint
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort import Device
from shadersort.errors import BadOption, UnsupportedKeys
from shadersort.streams import NumPySorter, Sorter, TextureSorter
from shadersort.streams.sorters import named
from shadersort.streams.sorters.named import GROUP, make_sorter, sorter_names
from shadersort.streams.sorters.numpy_sorter import WORTH_A_LOOK
from shadersort.streams.sorters.sorter import window_cuts
from tests.helpers import assert_sorted_permutation, awkward_inputs, random_bits


def test_textures_give_what_numpy_gives(software: Device, egl: Device) -> None:
    for dtype in ("float16", "float32", "int32", "uint32"):
        for shape in ((1, 1), (3, 2), (5, 7), (9, 64), (2, 257)):
            ranks = np.unique(np.array([0, shape[1] // 2, shape[1] - 1]))
            for name, keys in awkward_inputs(shape[0] * shape[1], dtype).items():
                windows = keys.reshape(shape)
                if windows.dtype.kind == "f":
                    windows = np.nan_to_num(windows, nan=-0.0, posinf=np.inf, neginf=-np.inf)
                numpy = NumPySorter()
                for device in (software, egl):
                    textures = TextureSorter(device=device)
                    np.testing.assert_array_equal(textures.sort(windows), np.sort(windows, axis=1))
                    samples: Any = textures.gk_summaries(windows, ranks)
                    sampled: Any = numpy.gk_summaries(windows, ranks)
                    np.testing.assert_array_equal(samples.values, sampled.values, name)
                    both = textures.sorted_windows(windows), numpy.sorted_windows(windows)
                    found, expected = (each.item_counts() for each in both)
                    np.testing.assert_array_equal(found.items, expected.items)
                    np.testing.assert_array_equal(found.counts, expected.counts)
                    np.testing.assert_array_equal(found.ends, expected.ends)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int64", "uint8"])
def test_parts_that_rise_or_fall_are_put_in_order(dtype: str) -> None:
    """Also those that do so only at first, and those with NaNs."""
    n = WORTH_A_LOOK
    rising = np.sort(np.random.default_rng(6).integers(0, 256, n + 1)).astype(dtype)
    bent = np.concatenate([rising[:-1], rising[:1]])
    for keys in (rising, rising[:-2], bent, np.ones(n, dtype)):
        for way in (keys, keys[::-1], np.repeat(keys, 2)[::2]):
            (found, nans) = next(NumPySorter(threads=1).sort_parts(way, [(0, len(way))]))
            assert (found.values().tolist(), nans) == (np.sort(way, kind="stable").tolist(), 0)
    if dtype.startswith("float"):
        with_nans = np.insert(rising, [0, 5, n], np.nan)
        (found, nans) = next(NumPySorter(threads=1).sort_parts(with_nans, [(0, n + 4)]))
        assert (found.values().tolist(), nans) == (rising.tolist(), 3)


def test_histograms_are_those_of_unique() -> None:
    for shape in ((1, 1), (4, 9), (7, 100)):
        windows = np.random.default_rng(1).integers(0, 5, shape)
        found = NumPySorter().sorted_windows(windows).item_counts()
        begin = 0
        for window, end in zip(windows, found.ends.tolist(), strict=True):
            items, counts = np.unique(window, return_counts=True)
            np.testing.assert_array_equal(found.items[begin:end], items)
            np.testing.assert_array_equal(found.counts[begin:end], counts)
            begin = end
        assert begin == len(found.items) == len(found.counts)


def test_threads_sort_alike() -> None:
    for threads in (None, 1, 2, 3, 16):
        for shape in ((1, 1 << 20), (7, 1 << 17), (1000, 999)):
            windows = np.random.default_rng(5).random(shape, np.float32)
            kept = windows.copy()
            ordered = NumPySorter(threads=threads).sort(windows)
            np.testing.assert_array_equal(ordered, np.sort(windows, axis=1))
            np.testing.assert_array_equal(windows, kept)


def test_narrow_keys_are_sorted_right() -> None:
    for dtype in ("float16", "int16", "uint16", "int8", "uint8", "uint64"):
        for shape in ((1, 1), (3, 100), (4, 1 << 17)):
            windows = random_bits(5, shape, dtype)
            if windows.dtype.kind == "f":
                windows[np.isnan(windows)] = -np.inf
                windows[0, ::3] = np.float16(-0.0)
            ordered = NumPySorter().sort(windows)
            for row, window in zip(ordered, windows, strict=True):
                assert_sorted_permutation(row, window)


@given(
    st.integers(0, 3000),
    st.integers(0, 99),
    st.integers(1, 100),
    st.integers(1, 1000),
    st.none() | st.integers(1, 1000),
)
def test_cuts_are_of_whole_windows(
    count: int, first: int, window: int, most: int, least: int | None
) -> None:
    first %= window
    found = list(window_cuts(count, first, window, most, least))
    ends = [0, *(stop for _, stop in found)]
    assert [start for start, _ in found] == ends[:-1]
    assert ends[-1] == count
    assert all(start < stop for start, stop in found)
    assert all(stop % window == first % window for stop in ends[1:-1] if stop != first)
    sizes = [stop - start for start, stop in found[bool(first) :]]
    large = max(1, most // window) * window
    if least is not None:
        assert all(here <= 2 * before + window for before, here in pairwise(sizes))
        small = max(1, min(least, most) // window) * window
        assert not sizes or sizes[0] < small + window
        assert not sizes or sizes[-1] < small + window
    assert all(size < large + window and size <= large + most // 4 for size in sizes)
    if least is None:
        assert all(size == large for size in sizes[:-2])
        assert all(size % window == 0 for size in sizes[:-1])


def test_a_sorter_says_how_it_sorts() -> None:
    with pytest.raises(NotImplementedError, match="Sorter"):
        Sorter().sort(np.zeros((1, 1)))
    with pytest.raises(UnsupportedKeys):
        TextureSorter(device="software").sort(np.zeros((1, 2), np.longdouble))


def offered(monkeypatch: pytest.MonkeyPatch, *entries: EntryPoint) -> None:
    """Let installed packages offer these sorters and no others."""
    monkeypatch.setattr(named, "entry_points", lambda group: entries if group == GROUP else ())


def test_sorters_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = EntryPoint("mine", "shadersort.streams.sorters.sorter:Sorter", GROUP)
    offered(monkeypatch, mine, EntryPoint("numpy", "no.such:module", GROUP))
    assert sorter_names() == ["numpy", "textures", "by-size", "mine"]
    assert [make_sorter(name).name for name in sorter_names()] == [
        *("numpy", "textures", "by size", "host"),
    ]
    with pytest.raises(BadOption, match=r"no sorter is 'theirs': use 'numpy', .* or 'mine'"):
        make_sorter("theirs")
