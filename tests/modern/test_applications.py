"""The applications on a GPU: their answers are NumPy's, for arrays of CuPy and of PyTorch."""

from typing import Any

import numpy as np
import pytest

from bench.shared.contaminated import contaminated
from shadersort.keys.types import Keys
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from shadersort.selection.thresholds import KINDS, Kind
from shadersort.sparse import iterative_hard_thresholding, threshold
from tests.helpers import bits, random_bits
from tests.modern.references import kernels_used

pytestmark = pytest.mark.gpu

LIBRARIES = "cupy", "torch"


def there(library: str, x: Any) -> Any:
    """An array of a library, on the GPU."""
    if library == "cupy":
        import cupy

        return cupy.asarray(x)
    torch: Any = pytest.importorskip("torch")
    return torch.as_tensor(np.asarray(x), device="cuda")


def back(x: Any) -> Keys:
    if isinstance(x, np.ndarray):
        return x
    return np.asarray(x.get() if hasattr(x, "get") else x.cpu())


def split(keys: Keys) -> list[Keys]:
    """Cut keys into arrays: an empty one, two of two dimensions, two that may begin anywhere."""
    first, second, rest = np.split(keys, [len(keys) // 7 // 2 * 2, len(keys) // 3 // 2 * 2])
    whole = len(rest) // 2 * 2
    return [first.reshape(2, -1), keys[:0], second, rest[:whole].reshape(-1, 2), rest[whole:]]


def joined(arrays: Any) -> Keys:
    return np.concatenate([back(each).ravel() for each in arrays])


def random_keys(kind: str, n: int, dtype: str) -> Keys:
    rng = np.random.default_rng(n)
    if kind == "bits":
        return random_bits(n, n, dtype)
    if kind == "equal":
        return np.full(n, -3, dtype)
    if kind == "few":
        return rng.integers(-4, 5, n).astype(dtype)
    found = (100 * rng.standard_normal(n)).astype(dtype)
    if kind == "nans":
        found[rng.random(n) < 0.3] = np.nan
    if kind == "infinite":
        found[rng.random(n) < 0.5] = -np.inf
    return found


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
@pytest.mark.parametrize("n", [1, 3, 1000, 100_007])
def test_thresholds_of_several_arrays(n: int, dtype: str, kind: Kind) -> None:
    some = ["bits", "equal", "few", "normal", *["nans", "infinite"] * (dtype[0] == "f")]
    for data in some:
        keys = random_keys(data, n, dtype)
        for k in sorted({0, 1, n // 100, n // 3, n // 2, n - n // 4, n - 1, n}):
            expected = threshold(split(keys), k, kind=kind)
            arrays = [there("cupy", each) for each in split(keys)]
            found = threshold(arrays, k, kind=kind)
            np.testing.assert_array_equal(bits(joined(found)), bits(joined(expected)))
            threshold(arrays, k, kind=kind, out=arrays)
            np.testing.assert_array_equal(bits(joined(arrays)), bits(joined(found)))


def test_networks_are_pruned_by_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large weights of PyTorch, of two types and with gaps: in place, or not."""
    used = kernels_used(monkeypatch)
    rng = np.random.default_rng(4)
    keys = rng.standard_normal(3_000_000, np.float32)
    for k in (3000, 1_000_000, 1_500_000):
        weights = {str(i): there("torch", each) for i, each in enumerate(split(keys))}
        expected = joined(threshold(split(keys), k))
        np.testing.assert_array_equal(joined(threshold(weights, k).values()), expected)
        assert threshold(weights, k, out=weights) is weights
        np.testing.assert_array_equal(joined(weights.values()), expected)
    assert {"magnitudes_sampled", "magnitudes_between", "magnitudes_kept"} <= used
    used.clear()
    mixed = [keys[:1000].astype(np.float16), keys.reshape(2, -1)[:, 5:]]
    found = threshold([there("cupy", keys.reshape(2, -1))[:, 5:], there("cupy", mixed[0])], 700_000)
    np.testing.assert_array_equal(joined(found), joined(threshold(mixed[::-1], 700_000)))
    assert "magnitudes_between" not in used


def test_a_sparse_array_is_recovered() -> None:
    rng = np.random.default_rng(2)
    matrix, x = rng.standard_normal((50, 120)), np.zeros(120)
    x[:4] = 1, -2, 3, -4
    for library in LIBRARIES:
        y, many = there(library, matrix @ x), there(library, matrix)
        found = iterative_hard_thresholding(y, many, 4)
        np.testing.assert_allclose(back(found.x), x, atol=1e-4)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_neighbours(library: str, weights: Any, dtype: str) -> None:
    rng = np.random.default_rng(1)
    x, q = (rng.standard_normal((n, 7)).astype(dtype) for n in (30_011, 1001))
    q[:50] = x[:50]
    y = rng.standard_normal(len(x))
    for k in (1, 40, 3000):
        options: Any = {"weights": weights, "memory": "40MB"}
        expected = KNeighborsRegressor(k, **options).fit(x, y)
        found = KNeighborsRegressor(k, **options).fit(there(library, x), there(library, y))
        asked = there(library, q)
        np.testing.assert_allclose(back(found.predict(asked)), expected.predict(q), rtol=1e-9)
        ours, theirs = found.kneighbors(asked), expected.kneighbors(q)
        np.testing.assert_array_equal(back(ours[1]), theirs[1])
        np.testing.assert_allclose(back(ours[0]), theirs[0], rtol=1e-12)
        wide = found.predict(there(library, q.astype(np.float64)))
        np.testing.assert_allclose(back(wide), expected.predict(q), rtol=1e-9)
        voted = KNeighborsClassifier(k, **options).fit(there(library, x), y > 0)
        shares = KNeighborsClassifier(k, **options).fit(x, y > 0).predict_proba(q)
        np.testing.assert_allclose(back(voted.predict_proba(asked)), shares, rtol=1e-9)


def test_neighbours_at_equal_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    used = kernels_used(monkeypatch)
    x = np.random.default_rng(5).integers(0, 4, (20_000, 3)).astype(np.float32)
    y = np.arange(20_000.0)
    for k in (1, 100, 1000):
        expected = KNeighborsRegressor(k).fit(x, y)
        found = KNeighborsRegressor(k).fit(there("cupy", x), there("cupy", y))
        asked = there("cupy", x[:300])
        np.testing.assert_allclose(back(found.predict(asked)), expected.predict(x[:300]))
        np.testing.assert_array_equal(
            back(found.kneighbors(asked)[1]), expected.kneighbors(x[:300])[1]
        )
    assert "candidates_multiplied" in used


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("finish", ["raw", "reweighted", "mm"])
@pytest.mark.parametrize("estimator", [LeastTrimmedSquares, LeastMedianSquares])
def test_robust_fits(estimator: type[LeastTrimmedSquares], finish: Any, library: str) -> None:
    for rows, columns, options in ((60, 3, {}), (7001, 5, {}), (5000, 2, {"fit_intercept": False})):
        data = contaminated(rows, columns, "both", share=0.4)
        rng = np.random.default_rng(rows)
        many = rng.integers(0, len(data.x), rows)
        x = data.x[many] + 1e-3 * rng.standard_normal((rows, columns))
        y = data.y[many]
        given: Any = {"finish": finish, "n_starts": 200, **options}
        expected = estimator(**given).fit(x, y)
        found = estimator(**given).fit(there(library, x), there(library, y))
        np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-6)
        assert found.scale_ == pytest.approx(expected.scale_)
        for name in ("weights_", "support_", "outliers_"):
            np.testing.assert_allclose(
                back(getattr(found, name)), getattr(expected, name), atol=1e-6
            )
        predicted = back(found.predict(there(library, x)))
        np.testing.assert_allclose(predicted, expected.predict(x), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("wide", [2, 3, 4, 5, 12, 31, 32, 33])
def test_steps_of_fits(wide: int) -> None:
    """Residuals, sums of the trimmed ones and Gram matrices are those of NumPy, for any columns."""
    from modern.applications import CuPyHome
    from shadersort.arrays import NumPyHome
    from shadersort.robust.concentration import Weights, grams, residual_sizes, trimmed
    from shadersort.robust.problem import problem_of

    for rows in (wide + 1, 1000, 70_001):
        rng = np.random.default_rng(rows)
        x, y = rng.standard_normal((rows, wide - 1)), rng.integers(0, 3, rows).astype(float)
        here = problem_of(NumPyHome(), x, y, False)
        away = problem_of(CuPyHome(0), there("cupy", x), there("cupy", y), False)
        np.testing.assert_array_equal(back(away.columns), here.columns)
        thetas = np.append(rng.standard_normal((2, wide - 1)), np.zeros((1, wide - 1)), axis=0)
        sizes = residual_sizes(here, thetas)
        np.testing.assert_allclose(back(residual_sizes(away, thetas)), sizes, atol=1e-12)
        h = (rows + wide) // 2
        expected = trimmed(here.home, sizes, h)
        found = trimmed(away.home, there("cupy", sizes), h)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(back(one), other, rtol=1e-12)
        gram = grams(here, Weights(sizes, expected))
        same = grams(away, Weights(there("cupy", sizes), found))
        np.testing.assert_allclose(same, gram, rtol=1e-9, atol=1e-9)
        plain = grams(away, Weights(there("cupy", sizes)))
        np.testing.assert_allclose(plain, grams(here, Weights(sizes)), rtol=1e-9, atol=1e-9)
        again = grams(away, Weights(there("cupy", sizes)))
        assert (plain == again).all()


@pytest.mark.filterwarnings("ignore:(invalid value|overflow)")
@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_bfloat16(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    bfloat16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    torch: Any = pytest.importorskip("torch")
    used = kernels_used(monkeypatch)
    for data in ("bits", "few", "normal", "nans", "infinite"):
        weights = split(random_keys(data, 300_007, "float32").astype(bfloat16))
        for k in (1, 3000, 150_000, 300_000):
            expected = threshold(weights, k, kind=kind)
            arrays = [there("torch", bits(each).view(np.int16)) for each in weights]
            arrays = [each.view(torch.bfloat16) for each in arrays]
            threshold(arrays, k, kind=kind, out=arrays)
            found = joined(each.view(torch.int16) for each in arrays)
            np.testing.assert_array_equal(found, bits(joined(expected)).view(np.int16))
    assert {"magnitudes_between", "magnitudes_kept"} <= used


@pytest.mark.parametrize("features", [1, 7, 8, 32, 33, 100])
def test_products_are_within_their_bounds(features: int) -> None:
    """Sums on tensor cores, and of products in float32, use less than half of what is allowed."""
    from modern.applications import CuPyHome
    from modern.applied.neighbours import CUDABlocks
    from shadersort.neighbors.screen import Screen

    rng, home = np.random.default_rng(features), CuPyHome(0)
    ones = np.full((2000, features), np.nextafter(np.float32(1), np.float32(0)))
    for points in (
        rng.standard_normal((5000, features)),
        rng.choice([-1.0, 1.0], (2000, features)) * ones,
        1000 + rng.standard_normal((3000, features)),
        rng.standard_normal((3000, features)) * 10.0 ** rng.integers(-6, 6, features),
    ):
        screen = Screen(home, there("cupy", points.astype(np.float32)))
        bounds = screen.of(there("cupy", points[:300].astype(np.float32)))
        count = len(points)
        limits = there("cupy", np.full(300, np.inf, np.float32))
        found = CUDABlocks(screen.points, 1 << 30).within(bounds.queries, limits, 300 * count)
        assert found is not None
        np.testing.assert_array_equal(back(found.places), np.tile(np.arange(count), (300, 1)))
        wide, asked = (back(each).astype(np.float64) for each in (screen.points, bounds.queries))
        allowed = screen.error * (wide[:, -1] + back(bounds.norms)) + screen.least
        assert (np.abs(back(found.products) - asked @ wide.T) <= allowed / 2).all()


def test_neighbours_of_points_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """All candidates are in one slice of the points: there is no room, and fewer are asked."""
    used = kernels_used(monkeypatch)
    x = np.sort(np.random.default_rng(3).standard_normal((40_000, 1)), axis=0)
    for k in (1, 500):
        expected = KNeighborsRegressor(k).fit(x, x[:, 0])
        found = KNeighborsRegressor(k, memory="30MB").fit(there("cupy", x), there("cupy", x[:, 0]))
        asked = there("cupy", x[::50])
        np.testing.assert_allclose(back(found.predict(asked)), expected.predict(x[::50]))
        np.testing.assert_array_equal(
            back(found.kneighbors(asked)[1]), expected.kneighbors(x[::50])[1]
        )
    assert "candidates_multiplied" in used
