"""The benchmarks of nearest neighbours and of thresholding check answers before they time."""

from typing import Any

import pytest

from bench.applications import neighbors, sparse
from bench.shared.record import Row
from shadersort.neighbors import KNeighborsRegressor


def near() -> list[Row]:
    return list(neighbors.measurements(300, features=3, queries=5, ks=(1, 300), seconds=0))


def cut() -> list[Row]:
    return list(sparse.measurements(2000, arrays=5, shares=(0.01, 0.5), seconds=0))


def test_both_stand_beside_their_peers() -> None:
    assert [row["k"] for row in near()] == [1, 300]
    assert all(row["s"] > 0 and row["sklearn_s"] > 0 for row in near())
    assert [row["arrays"] for row in cut()] == [5, 5]
    assert all(row["ms"] > 0 and row["numpy_ms"] > 0 and row["reads"] > 0 for row in cut())


def test_wrong_answers_are_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(arrays: Any, k: int) -> Any:
        return [0 * each for each in arrays]

    monkeypatch.setattr(sparse, "threshold", wrong)
    with pytest.raises(AssertionError, match="threshold"):
        cut()
    monkeypatch.setattr(KNeighborsRegressor, "predict", lambda self, asked: asked[:, 0] + 1)
    with pytest.raises(AssertionError, match="kNN"):
        near()
