"""The applications on a GPU: their answers are NumPy's, for arrays of CuPy and of PyTorch."""

from typing import Any

import numpy as np
import pytest

from bench.shared.contaminated import contaminated
from shadersort.keys.types import Keys
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from shadersort.selection.top_keys import KINDS, Kind
from shadersort.sparse import normalised_iterative_hard_thresholding, threshold
from tests.helpers import bits
from tests.modern.references import back, put_on_gpu
from tests.selection.inputs import awkward

pytestmark = pytest.mark.gpu

LIBRARIES = "cupy", "torch"


def there(library: str, x: Any) -> Any:
    """An array of a library, on the GPU."""
    if library == "cupy":
        return put_on_gpu(x)
    torch: Any = pytest.importorskip("torch")
    return torch.as_tensor(np.asarray(x), device="cuda")


def fetch(x: Any) -> Keys:
    return back(x.cpu() if hasattr(x, "cpu") else x)


def split(keys: Keys) -> list[Keys]:
    """Cut keys into arrays: an empty one, two of two dimensions, two that may begin anywhere."""
    first, second, rest = np.split(keys, [len(keys) // 7 // 2 * 2, len(keys) // 3 // 2 * 2])
    whole = len(rest) // 2 * 2
    return [first.reshape(2, -1), keys[:0], second, rest[:whole].reshape(-1, 2), rest[whole:]]


def joined(arrays: Any) -> Keys:
    return np.concatenate([fetch(each).ravel() for each in arrays])


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float16", "int64"])
def test_thresholds_of_several_arrays(dtype: str, kind: Kind) -> None:
    inputs = [keys for n in (1, 1000, 100_007) for keys in awkward(n, dtype).values()]
    for keys in inputs[::2]:
        n = keys.size
        for k in sorted({0, 1, n // 100, n // 2, n - 1, n}):
            expected = threshold(split(keys), k, kind=kind)
            arrays = [there("cupy", each) for each in split(keys)]
            found = threshold(arrays, k, kind=kind)
            np.testing.assert_array_equal(bits(joined(found)), bits(joined(expected)))
            threshold(arrays, k, kind=kind, out=arrays)
            np.testing.assert_array_equal(bits(joined(arrays)), bits(joined(found)))


def test_networks_are_pruned() -> None:
    """Weights of PyTorch, in place or not."""
    keys = np.random.default_rng(4).standard_normal(300_000, np.float32)
    for k in (300, 150_000):
        weights = {str(i): there("torch", each) for i, each in enumerate(split(keys))}
        expected = joined(threshold(split(keys), k))
        np.testing.assert_array_equal(joined(threshold(weights, k).values()), expected)
        assert threshold(weights, k, out=weights) is weights
        np.testing.assert_array_equal(joined(weights.values()), expected)


@pytest.mark.filterwarnings("ignore:(invalid value|overflow)")
@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_bfloat16(kind: Kind) -> None:
    bfloat16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    torch: Any = pytest.importorskip("torch")
    for keys in awkward(30_007, "float32").values():
        weights = split(keys.astype(bfloat16))
        for k in (1, 15_000):
            expected = threshold(weights, k, kind=kind)
            arrays = [there("torch", bits(each).view(np.int16)) for each in weights]
            arrays = [each.view(torch.bfloat16) for each in arrays]
            threshold(arrays, k, kind=kind, out=arrays)
            found = joined(each.view(torch.int16) for each in arrays)
            np.testing.assert_array_equal(found, bits(joined(expected)).view(np.int16))


@pytest.mark.parametrize("library", LIBRARIES)
def test_recovery(library: str) -> None:
    rng = np.random.default_rng(1)
    matrix, x = rng.standard_normal((60, 200)), np.zeros(200)
    x[:4] = 1, -2, 3, -4
    y = there(library, matrix @ x)
    found = normalised_iterative_hard_thresholding(y, there(library, matrix), 4)
    assert type(found.x) is type(y)
    np.testing.assert_allclose(fetch(found.x), x, atol=1e-4)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("dtype", "weights"), [("float32", "uniform"), ("float64", "distance")])
def test_neighbours(dtype: str, weights: Any, library: str) -> None:
    rng = np.random.default_rng(2)
    whole = rng.integers(0, 4, (2_000, 3))  # many at equal distances
    for x in (rng.standard_normal((5_011, 7)), whole):
        x = x.astype(dtype)
        q, y = np.append(x[:50], x[50:150] + x.dtype.type(0.25), axis=0), x[:, 0].astype(float)
        for k in (1, 40, 1200):
            expected = KNeighborsRegressor(k, weights=weights).fit(x, y)
            found = KNeighborsRegressor(k, weights=weights).fit(
                there(library, x), there(library, y)
            )
            asked = there(library, q)
            np.testing.assert_allclose(fetch(found.predict(asked)), expected.predict(q), rtol=1e-9)
            ours, theirs = found.kneighbors(asked), expected.kneighbors(q)
            np.testing.assert_array_equal(fetch(ours[1]), theirs[1])
            np.testing.assert_allclose(fetch(ours[0]), theirs[0], rtol=1e-12)
            voted = KNeighborsClassifier(k, weights=weights).fit(there(library, x), y > 0)
            shares = KNeighborsClassifier(k, weights=weights).fit(x, y > 0).predict_proba(q)
            np.testing.assert_allclose(fetch(voted.predict_proba(asked)), shares, rtol=1e-9)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("estimator", [LeastTrimmedSquares, LeastMedianSquares])
def test_robust_fits(estimator: type[LeastTrimmedSquares], library: str) -> None:
    for rows, columns, options in ((60, 3, {}), (2001, 5, {}), (1000, 2, {"fit_intercept": False})):
        data = contaminated(rows, columns, "both", share=0.4)
        rng = np.random.default_rng(rows)
        many = rng.integers(0, len(data.x), rows)
        x = data.x[many] + 1e-3 * rng.standard_normal((rows, columns))
        y = data.y[many]
        given: Any = {"n_starts": 50, **options}
        expected = estimator(**given).fit(x, y)
        found = estimator(**given).fit(there(library, x), there(library, y))
        np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-6)
        assert found.scale_ == pytest.approx(expected.scale_)
        for name in ("weights_", "support_", "outliers_"):
            np.testing.assert_allclose(
                fetch(getattr(found, name)), getattr(expected, name), atol=1e-6
            )
        predicted = fetch(found.predict(there(library, x)))
        np.testing.assert_allclose(predicted, expected.predict(x), rtol=1e-6, atol=1e-8)
