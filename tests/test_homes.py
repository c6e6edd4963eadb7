"""Arrays of other libraries: they are computed with where they are, by their home's functions.

Tensors of PyTorch are pretended. A home that computes as NumPy does stands for CuPy: what CuPy does
not have, and options that it does not take, are missing there as well.
"""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bench.shared.contaminated import contaminated
from shadersort import arrays
from shadersort.arrays import NumPyHome, home_of
from shadersort.errors import ArraysApart
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor
from shadersort.neighbors.nearest import WEIGHTS, Weights
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from shadersort.selection.top_keys import KINDS, Kind
from shadersort.sparse import normalised_iterative_hard_thresholding, threshold
from tests.expected import expected
from tests.modern.pretended_torch import TORCH, Tensor
from tests.modern.references import thresholded
from tests.neighbors.references import weights

MISSING = {"take", "partition", "putmask", "place", "errstate", "nditer", "sort_complex"}


class _Elsewhere(ModuleType):
    """NumPy, but `xp is np` is false, and what CuPy lacks is missing."""

    def __getattr__(self, name: str) -> Any:
        if name in MISSING:
            raise AttributeError(f"CuPy has no {name}, or one that does other things")
        return getattr(np, name)

    def einsum(self, *operands: Any) -> Any:
        """Without options: CuPy's takes no `out`."""
        return np.einsum(*operands)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays are at home in another library."""
    library = _Elsewhere("elsewhere")
    monkeypatch.setattr(NumPyHome, "xp", property(lambda self: library))


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", TORCH)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("kind", WEIGHTS)
def test_the_same_neighbours(kind: Weights) -> None:
    rng = np.random.default_rng(1)
    x, q = rng.standard_normal((1200, 4)), rng.standard_normal((60, 4))
    y = rng.standard_normal(1200)
    for k in (1, 40, 1200):
        shares = weights(x, q, k, kind)
        found = KNeighborsRegressor(k, weights=kind).fit(x, y).predict(q)
        np.testing.assert_allclose(found, shares @ y, rtol=1e-9, atol=1e-12)
        votes = KNeighborsClassifier(k, weights=kind).fit(x, y > 0).predict_proba(q)
        np.testing.assert_allclose(votes[:, 1], shares @ (y > 0), atol=1e-12)
    distances, places = KNeighborsRegressor(9).fit(x, y).kneighbors(q)
    np.testing.assert_allclose(np.linalg.norm(x[places] - q[:, None], axis=2), distances)


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_keys_are_kept(kind: Kind) -> None:
    keys = np.random.default_rng(1).integers(-40, 40, 2000).astype("f4")
    for k in (0, 1, 700, 2000):
        found = threshold([keys[:1500].reshape(3, -1), keys[1500:]], k, kind=kind)
        kept = expected(thresholded, keys, k, kind)
        np.testing.assert_array_equal(np.concatenate([each.ravel() for each in found]), kept)


@pytest.mark.parametrize("estimator", [LeastTrimmedSquares, LeastMedianSquares])
@pytest.mark.parametrize("repeats", [1, 25])
def test_the_same_fit(
    estimator: type[LeastTrimmedSquares], repeats: int, request: pytest.FixtureRequest
) -> None:
    data = contaminated(21, 3, "both", share=0.4)
    x = np.tile(data.x, (repeats, 1)) + 1e-3 * np.arange(repeats).repeat(len(data.x))[:, None]
    y = np.tile(data.y, repeats)
    here = estimator(n_starts=50).fit(x, y)
    request.getfixturevalue("elsewhere")
    found = estimator(n_starts=50).fit(x, y)
    np.testing.assert_allclose(found.coef_, here.coef_, rtol=1e-6)
    assert found.scale_ == pytest.approx(here.scale_)
    for name in ("weights_", "support_", "outliers_"):
        np.testing.assert_allclose(getattr(found, name), getattr(here, name), atol=1e-6)


@pytest.mark.usefixtures("torch")
def test_answers_are_tensors() -> None:
    rng = np.random.default_rng(3)
    matrix, x = rng.standard_normal((20, 40)), np.zeros(40)
    x[:2] = 2, -3
    found = normalised_iterative_hard_thresholding(Tensor(matrix @ x), Tensor(matrix), 2)
    np.testing.assert_allclose(found.x.array, x, atol=1e-4)
    narrow, y = matrix[:, :3], matrix[:, 0]
    for estimator in (KNeighborsRegressor(2), LeastTrimmedSquares(n_starts=20)):
        again = estimator.fit(narrow, y).predict(narrow)
        predicted = estimator.fit(Tensor(narrow), Tensor(y)).predict(Tensor(narrow))
        np.testing.assert_allclose(predicted.array, again, atol=1e-12)


@pytest.mark.usefixtures("torch")
def test_a_network_is_pruned_in_place() -> None:
    layers = {"a": Tensor(np.array([1.0, -9.0])), "b": Tensor(np.array([[4.0], [-5.0]]))}
    found = threshold(layers, 2)
    assert isinstance(found["a"], Tensor)
    assert threshold(layers, 2, out=layers) is layers
    for name, kept in (("a", [0, -9]), ("b", [[0], [-5]])):
        np.testing.assert_array_equal(found[name].array, kept)
        np.testing.assert_array_equal(layers[name].array, kept)


def test_arrays_in_two_places_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert home_of([1, 2], None, np.zeros(3), 1.5) == home_of() == NumPyHome()
    assert home_of(SimpleNamespace()) == NumPyHome()
    (offered,) = arrays._offered()
    assert offered.__module__ == "modern.applications"
    other, array = SimpleNamespace(), SimpleNamespace()
    monkeypatch.setattr(arrays, "_offered", lambda: [lambda x: other if x is array else None])
    assert home_of(array, array) is other
    with pytest.raises(ArraysApart, match=r"NumPy's memory and in .*one place"):
        KNeighborsRegressor(1).fit(np.zeros((3, 1)), array)
    with pytest.raises(ArraysApart):
        KNeighborsRegressor(1).fit(np.zeros((3, 1)), np.zeros(3)).predict(array)
