"""Sorters: each gives what the NumPy one gives."""

import numpy as np
import pytest

from shadersort import Device
from shadersort.errors import UnsupportedKeys
from shadersort.streams import HostSorter, NumPySorter, TextureSorter
from tests.helpers import assert_sorted_permutation, awkward_inputs, random_bits


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "uint32"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (5, 7), (9, 64), (2, 257)])
def test_textures_give_what_numpy_gives(
    software: Device, egl: Device, shape: tuple[int, int], dtype: str
) -> None:
    ranks = np.unique(np.array([0, shape[1] // 2, shape[1] - 1]))
    for name, keys in awkward_inputs(shape[0] * shape[1], dtype).items():
        windows = keys.reshape(shape)
        if windows.dtype.kind == "f":
            windows = np.nan_to_num(windows, nan=-0.0, posinf=np.inf, neginf=-np.inf)
        numpy = NumPySorter()
        for device in (software, egl):
            textures = TextureSorter(device=device)
            np.testing.assert_array_equal(textures.sort(windows), np.sort(windows, axis=1))
            np.testing.assert_array_equal(
                textures.samples(windows, ranks), numpy.samples(windows, ranks), name
            )
            found, expected = textures.histograms(windows), numpy.histograms(windows)
            np.testing.assert_array_equal(found.items, expected.items)
            np.testing.assert_array_equal(found.counts, expected.counts)
            np.testing.assert_array_equal(found.ends, expected.ends)


@pytest.mark.parametrize("shape", [(1, 1), (4, 9), (7, 100)])
def test_histograms_are_those_of_unique(shape: tuple[int, int]) -> None:
    windows = np.random.default_rng(1).integers(0, 5, shape)
    found = NumPySorter().histograms(windows)
    begin = 0
    for window, end in zip(windows, found.ends.tolist(), strict=True):
        items, counts = np.unique(window, return_counts=True)
        np.testing.assert_array_equal(found.items[begin:end], items)
        np.testing.assert_array_equal(found.counts[begin:end], counts)
        begin = end
    assert begin == len(found.items) == len(found.counts)


def test_halves_that_are_many_are_sorted_right() -> None:
    keys = np.random.default_rng(5).integers(0, 0x7C00, 1 << 22, np.uint16)
    ordered = NumPySorter().sort(keys.view(np.float16).reshape(1, -1))
    np.testing.assert_array_equal(ordered[0].view(np.uint16), np.sort(keys))


@pytest.mark.parametrize("threads", [None, 1, 2, 3, 16])
@pytest.mark.parametrize("shape", [(1, 1 << 20), (7, 1 << 17), (1000, 999)])
def test_threads_sort_alike(shape: tuple[int, int], threads: int | None) -> None:
    windows = np.random.default_rng(5).random(shape, np.float32)
    kept = windows.copy()
    ordered = NumPySorter(threads=threads).sort(windows)
    np.testing.assert_array_equal(ordered, np.sort(windows, axis=1))
    np.testing.assert_array_equal(windows, kept)


@pytest.mark.parametrize("dtype", ["float16", "int16", "uint16", "int8", "uint8", "uint64"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 100), (4, 1 << 17)])
def test_narrow_keys_are_sorted_right(shape: tuple[int, int], dtype: str) -> None:
    windows = random_bits(5, shape, dtype)
    if windows.dtype.kind == "f":
        windows[np.isnan(windows)] = -np.inf
        windows[0, ::3] = np.float16(-0.0)
    ordered = NumPySorter().sort(windows)
    for row, window in zip(ordered, windows, strict=True):
        assert_sorted_permutation(row, window)


def test_a_sorter_says_how_it_sorts() -> None:
    with pytest.raises(NotImplementedError, match="HostSorter"):
        HostSorter().sort(np.zeros((1, 1)))
    with pytest.raises(UnsupportedKeys):
        TextureSorter(device="software").sort(np.zeros((1, 2)))
