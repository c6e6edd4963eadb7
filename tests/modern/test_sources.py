"""Files, pipes and iterators that a summary on a GPU reads ahead: the bytes are those of NumPy."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modern import Sorter
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import Budget
from shadersort.streams import CorrelatedSum, NumPySorter
from tests.modern.test_sorter import MAKERS

BATCH = 1 << 15


def stream_of(n: int) -> Keys:
    return np.minimum(np.random.default_rng(n).zipf(1.3, n), 1 << 15).astype(np.float32)


@pytest.fixture
def short_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of 40,000 bytes, so that there are many arrays."""
    budget = Budget(1 << 24, 4, largest=40_000)
    monkeypatch.setattr(Budget, "of", lambda memory, threads: budget)


@pytest.mark.gpu
@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.usefixtures("short_arrays")
def test_sources_are_summarised_on_a_gpu_as_by_numpy(name: str, tmp_path: Path) -> None:
    """No array is overwritten while a GPU still needs it."""
    path = tmp_path / "stream.npy"
    for n in (1, 9_999, 200_000):
        values = stream_of(n)
        np.save(path, values)
        found, expected = (
            [
                MAKERS[name](sorter=sorter).update_from(path),
                MAKERS[name](sorter=sorter).update_from(io.BytesIO(values.data), dtype=np.float32),
                MAKERS[name](sorter=sorter).update_from(iter(np.array_split(values, 9))),
            ]
            for sorter in (Sorter(BATCH), NumPySorter(batch=BATCH))
        )
        assert [each.to_bytes() for each in found] == [each.to_bytes() for each in expected]


@pytest.mark.gpu
@pytest.mark.usefixtures("short_arrays")
def test_pairs_of_files_are_summarised_on_a_gpu_as_by_numpy(tmp_path: Path) -> None:
    x, y = stream_of(300_000), np.arange(300_000.0)
    for name, column in (("x", x), ("y", y)):
        np.save(tmp_path / f"{name}.npy", column)
    found, expected = (
        CorrelatedSum(0.05, sorter=sorter).update_from(tmp_path / "x.npy", tmp_path / "y.npy")
        for sorter in (Sorter(BATCH), NumPySorter(batch=BATCH))
    )
    points: Any = np.arange(0, 1 << 15, 99)
    np.testing.assert_array_equal(found.rank(points), expected.rank(points))
    np.testing.assert_allclose(found.sum_up_to(points), expected.sum_up_to(points))
