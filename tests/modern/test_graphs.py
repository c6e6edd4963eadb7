"""CUDA graphs of CuPy and PyTorch capture every default way, and replay right on changed keys."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import modern
from modern.launching import launch
from shadersort.errors import MethodUnavailable

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
