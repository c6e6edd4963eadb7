"""Sorters: each gives what the NumPy one gives, and so summaries do."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from shadersort import Device, streams
from shadersort.errors import UnsupportedKeys
from shadersort.keys.types import Keys
from shadersort.streams.sorters import by_size
from shadersort.streams.sorters.numpy_sorter import WORTH_A_LOOK
from tests.helpers import assert_sorted_permutation, awkward_inputs, random_bits
from tests.streams.exact import assert_ranks_within

FLOATS = np.dtype(np.float32)


def test_textures_give_what_numpy_gives(software: Device, egl: Device) -> None:
    for dtype in ("float16", "float32", "int32", "uint32"):
        for shape in ((1, 1), (3, 2), (5, 7), (9, 64), (2, 257)):
            ranks = np.unique(np.array([0, shape[1] // 2, shape[1] - 1]))
            for name, keys in awkward_inputs(shape[0] * shape[1], dtype).items():
                windows = keys.reshape(shape)
                if windows.dtype.kind == "f":
                    windows = np.nan_to_num(windows, nan=-0.0, posinf=np.inf, neginf=-np.inf)
                numpy = streams.NumPySorter()
                for device in (software, egl):
                    textures = streams.TextureSorter(device=device)
                    np.testing.assert_array_equal(textures.sort(windows), np.sort(windows, axis=1))
                    samples: Any = textures.gk_summaries(windows, ranks)
                    sampled: Any = numpy.gk_summaries(windows, ranks)
                    np.testing.assert_array_equal(samples.values, sampled.values, name)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int64", "uint8"])
def test_parts_that_rise_or_fall_are_put_in_order(dtype: str) -> None:
    """Also those that do so only at first, and those with NaNs."""
    n = WORTH_A_LOOK
    rising = np.sort(np.random.default_rng(6).integers(0, 256, n + 1)).astype(dtype)
    bent = np.concatenate([rising[:-1], rising[:1]])
    for keys in (rising, rising[:-2], bent, np.ones(n, dtype)):
        for way in (keys, keys[::-1], np.repeat(keys, 2)[::2]):
            summary = streams.QuantileSummary(0.1, sorter=streams.NumPySorter(threads=1)).update(
                way
            )
            assert_ranks_within(summary, way, 0.1 * way.size)
    if dtype.startswith("float"):
        summary = streams.QuantileSummary(0.1).update(np.insert(rising, [0, 5, n], np.nan))
        assert summary.nans == 3
        assert_ranks_within(summary, rising, 0.1 * rising.size)


@pytest.mark.parametrize("threads", [None, 1, 3, 16])
def test_threads_sort_alike(threads: int | None) -> None:
    for shape in ((1, 1 << 20), (7, 1 << 17), (1000, 999)):
        windows = np.random.default_rng(5).random(shape, np.float32)
        kept = windows.copy()
        ordered = streams.NumPySorter(threads=threads).sort(windows)
        np.testing.assert_array_equal(ordered, np.sort(windows, axis=1))
        np.testing.assert_array_equal(windows, kept)


def test_narrow_keys_are_sorted_right() -> None:
    for dtype in ("float16", "int16", "uint16", "int8", "uint8", "uint64"):
        for shape in ((1, 1), (3, 100), (4, 1 << 17)):
            windows = random_bits(5, shape, dtype)
            if windows.dtype.kind == "f":
                windows[np.isnan(windows)] = -np.inf
                windows[0, ::3] = np.float16(-0.0)
            ordered = streams.NumPySorter().sort(windows)
            for row, window in zip(ordered, windows, strict=True):
                assert_sorted_permutation(row, window)


TYPES = ["float16", "float32", "float64", "int8", "int32", "int64", "uint16", "uint64"]


@pytest.mark.parametrize("dtype", TYPES)
def test_rows_are_ordered_as_by_numpy(dtype: str) -> None:
    random = np.random.default_rng(7)
    rows = [np.tile(np.array([5, 3, 1 << 40, 3, (1 << 40) - 1, 1 << 40]), (2, 1 << 10))]
    for length in (0, 1, 2, 3, 511, 512, 513):
        rows += [random.integers(0, few, (4, length)) for few in (1, 3, 100, 1 << 40)]
    for each in rows:
        typed = (each if np.dtype(dtype).itemsize >= 4 else each % 100).astype(dtype)
        if typed.dtype.kind == "f":
            typed *= random.choice(np.array([-1, 1, 0], dtype), typed.shape)
            typed[:, :1] = np.inf
            typed[:, 1:2] = np.finfo(typed.dtype).smallest_subnormal
        else:
            typed[:, :1] = np.iinfo(typed.dtype).min
        found = streams.NumPySorter().order(typed)
        np.testing.assert_array_equal(found, np.argsort(typed, axis=1, kind="stable"))
        assert found.dtype == np.int64


def test_a_sorter_says_how_it_sorts() -> None:
    with pytest.raises(NotImplementedError, match="Sorter"):
        streams.Sorter().sort(np.zeros((1, 1)))
    with pytest.raises(UnsupportedKeys):
        streams.TextureSorter(device="software").sort(np.zeros((1, 2), np.longdouble))


@dataclass(frozen=True)
class Noting(streams.NumPySorter):
    """Notes the lengths of windows that it sorts."""

    lengths: set[int] = field(default_factory=set, compare=False)

    def sort(self, windows: Keys) -> Keys:
        self.lengths.add(windows.shape[1])
        return super().sort(windows)


def test_blocks_of_a_sliding_window_are_divided_by_their_size() -> None:
    """As printed, each level has a length of its own."""
    values = np.random.default_rng(1).random(100_000, np.float32)
    for printed, threshold in ((False, 1024), (True, 100)):
        small, large = Noting(), Noting()
        shared = streams.BySizeSorter(small, large, threshold=threshold)
        for kind in (streams.SlidingQuantiles, streams.SlidingFrequencies):
            plain = kind(0.1, 100_000, as_printed=printed).update(values)
            assert kind(0.1, 100_000, sorter=shared, as_printed=printed).update(values) == plain
        assert max(small.lengths) < threshold <= min(large.lengths)
        assert not printed or len(small.lengths | large.lengths) >= 6


def test_a_threshold_is_measured_and_without_a_gpu_numpy_sorts_all(software: Device) -> None:
    sorter = streams.BySizeSorter(large=streams.TextureSorter(device=software))
    assert sorter.least(FLOATS) == math.inf
    assert sorter.label(FLOATS) == streams.NumPySorter().label(FLOATS)
    noting = Noting()
    assert by_size._seconds(noting, np.zeros((2, 3))) >= 0
    assert noting.lengths == {3}
