"""Arrays of CuPy and of PyTorch on a GPU: graphs capture every default way; applications agree."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import modern
from bench.shared.contaminated import contaminated
from modern.launching import launch
from shadersort.errors import MethodUnavailable
from shadersort.keys.types import Keys
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from shadersort.selection.top_keys import KINDS, Kind
from shadersort.sparse import normalised_iterative_hard_thresholding, threshold
from tests.helpers import bits
from tests.modern.references import back, put_on_gpu
from tests.selection.inputs import awkward

pytestmark = pytest.mark.gpu

CALLS: dict[str, Callable[[Any], Any]] = {
    "select": lambda x: modern.select(x, 7),
    "multiselect": lambda x: modern.multiselect(x, [1, 30, 99]),
    "many ranks": lambda x: modern.multiselect(x, range(0, x.shape[-1], x.shape[-1] // 100)),
    "median": lambda x: modern.median(x, axis=-1),
    "nanmedian": lambda x: modern.nanmedian(x, axis=-1),
    "quantile": lambda x: modern.quantile(x, [0.1, 0.5], axis=-1),
    "nanquantile": lambda x: modern.nanquantile(x, 0.3, axis=-1),
    "topk": lambda x: modern.topk(x, 20).values,
    "places": lambda x: modern.topk(x, 3).indices,
    "threshold": lambda x: modern.threshold(x, 5),
    "soft threshold": lambda x: modern.threshold(x, x.shape[-1] // 2, kind="soft"),
    "sort": modern.sort,
    "network": lambda x: modern.sort(x, network="bitonic"),
    "argsort": lambda x: modern.argsort(x, descending=True),
    "argselect": lambda x: modern.argselect(x, 3),
    "columns": lambda x: modern.median(x, axis=0),
}


class CuPy:
    """Keys, graphs and answers of CuPy."""

    def __init__(self) -> None:
        self.cupy: Any = import_module("cupy")
        self.stream: Any = self.cupy.cuda.Stream(non_blocking=True)
        self.put = self.cupy.asarray

    def capture(self, call: Callable[[], Any]) -> tuple[Any, Callable[[], None]]:
        with self.stream:
            self.stream.begin_capture()
            try:
                found = call()
            finally:
                graph = self.stream.end_capture()

        def replay() -> None:
            self.cupy.cuda.Device().synchronize()
            graph.launch(self.stream)
            self.stream.synchronize()

        return found, replay

    def back(self, found: Any) -> Any:
        return found.get()


class Torch:
    """Keys, graphs and answers of PyTorch."""

    def __init__(self) -> None:
        if not find_spec("torch"):
            pytest.skip("PyTorch is not here")
        self.torch: Any = import_module("torch")

    def put(self, keys: Any) -> Any:
        return self.torch.tensor(keys, device="cuda")

    def capture(self, call: Callable[[], Any]) -> tuple[Any, Callable[[], None]]:
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            found = call()

        def replay() -> None:
            graph.replay()
            self.torch.cuda.synchronize()

        return found, replay

    def back(self, found: Any) -> Any:
        return found.cpu().numpy()


@pytest.fixture(params=[CuPy, Torch], ids=["CuPy", "PyTorch"])
def library(request: pytest.FixtureRequest) -> Any:
    return request.param()


@pytest.mark.parametrize("name", CALLS)
def test_graphs_replay(library: Any, name: str) -> None:
    random, call = np.random.default_rng(3), CALLS[name]
    for shape in ((4_000,), (300_000,), (3_000_017,), (30, 500), (2, 300_000)):
        given = [random.normal(size=shape).astype(np.float32) for _ in range(3)]
        x = library.put(given[0])
        library.back(call(x))  # what CuPy compiles for a sort is compiled before
        found, replay = library.capture(lambda x=x: call(x))
        for keys in given[1:]:
            x[...] = library.put(keys)
            replay()
            np.testing.assert_array_equal(library.back(found), call(keys))


def test_a_kernel_is_loaded_in_a_capture(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    x = library.put(np.arange(9_000, dtype=np.int16))
    monkeypatch.setattr(launch, "_kernels", {})
    found, replay = library.capture(lambda: modern.select(x, 5))
    replay()
    assert int(found) == 5


def test_what_waits_says_so_and_leaves_the_capture_whole(library: Any) -> None:
    x = library.put(np.arange(9_000, dtype=np.float32))
    modern.select(x, 5)
    refused: list[str] = []

    def both() -> Any:
        calls: list[Callable[[], Any]] = [
            lambda: modern.select(x, 3, method="radix"),
            lambda: modern.multiselect(x, [3, 1]),
        ]
        for call in calls:
            with pytest.raises(MethodUnavailable, match="CUDA graph") as told:
                call()
            refused.append(str(told.value))
        return modern.select(x, 5)

    found, replay = library.capture(both)
    replay()
    assert (int(found), len(refused)) == (5, 2)


# applications: their answers are NumPy's, for arrays of CuPy and of PyTorch

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
