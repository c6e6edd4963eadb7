"""Tensors of PyTorch are thresholded in their own memory; a module stands for PyTorch here."""

import sys

import numpy as np
import pytest

from shadersort.neighbors import KNeighborsRegressor
from shadersort.sparse import iterative_hard_thresholding, threshold
from tests.modern.pretended_torch import TORCH, Tensor


@pytest.fixture(autouse=True)
def torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", TORCH)


def test_a_network_is_pruned_in_place() -> None:
    weights = {"a": Tensor(np.array([1.0, -9.0])), "b": Tensor(np.array([[4.0], [-5.0]]))}
    found = threshold(weights, 2)
    assert isinstance(found["a"], Tensor)
    assert threshold(weights, 2, out=weights) is weights
    for name, expected in (("a", [0, -9]), ("b", [[0], [-5]])):
        np.testing.assert_array_equal(found[name].array, expected)
        np.testing.assert_array_equal(weights[name].array, expected)


def test_what_is_found_is_a_tensor() -> None:
    rng = np.random.default_rng(3)
    matrix, x = rng.standard_normal((20, 40)), np.zeros(40)
    x[:2] = 2, -3
    found = iterative_hard_thresholding(Tensor(matrix @ x), Tensor(matrix), 2)
    np.testing.assert_allclose(found.x.array, x, atol=1e-4)
    model = KNeighborsRegressor(2).fit(Tensor(matrix), Tensor(matrix[:, 0]))
    predicted = model.predict(Tensor(matrix))
    again = KNeighborsRegressor(2).fit(matrix, matrix[:, 0]).predict(matrix)
    np.testing.assert_array_equal(predicted.array, again)
