"""Small windows go to one sorter and large ones to another; summaries are the same."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.keys.types import Keys
from shadersort.streams import BySizeSorter, NumPySorter, TextureSorter
from shadersort.streams.sorters import by_size

FLOATS = np.dtype(np.float32)


@dataclass(frozen=True)
class Noting(NumPySorter):
    """Notes the lengths of windows that it sorts."""

    lengths: list[int] = field(default_factory=list, compare=False)

    def sort(self, windows: Keys) -> Keys:
        self.lengths.append(windows.shape[1])
        return super().sort(windows)


def test_blocks_of_a_sliding_window_are_divided_by_their_size() -> None:
    values = np.random.default_rng(1).random(300_000, np.float32)
    small, large = Noting(), Noting()
    shared = BySizeSorter(small, large, threshold=1024)
    for kind in (ss.SlidingQuantiles, ss.SlidingFrequencies):
        plain = kind(0.05, 100_000).update(values)
        assert kind(0.05, 100_000, sorter=shared).update(values) == plain
    assert set(small.lengths) == {512}
    assert set(large.lengths) == {1024}


def test_drawing_gives_the_same_summaries(software: Device) -> None:
    values = np.random.default_rng(1).random(30_000, np.float32)
    drawing = TextureSorter(method="blend", device=software)
    for threshold in (1, 100, 10_000):
        sorter = BySizeSorter(large=drawing, threshold=threshold)
        plain = ss.SlidingFrequencies(0.1, 10_000).update(values)
        assert ss.SlidingFrequencies(0.1, 10_000, sorter=sorter).update(values) == plain
        windows = values[:3000].reshape(3, 1000)
        np.testing.assert_array_equal(sorter.order(windows), NumPySorter().order(windows))


def test_without_a_gpu_numpy_sorts_all(software: Device) -> None:
    sorter = BySizeSorter(large=TextureSorter(device=software))
    assert sorter.least(FLOATS) == math.inf
    assert sorter.label(FLOATS) == NumPySorter().label(FLOATS)


def test_a_trial_sorts(monkeypatch: pytest.MonkeyPatch) -> None:
    sorted_: list[Any] = []
    monkeypatch.setattr(NumPySorter, "sort", lambda self, windows: sorted_.append(windows.shape))
    assert by_size._seconds(NumPySorter(), np.zeros((2, 3))) >= 0
    assert sorted_ == [(2, 3), (2, 3)]
