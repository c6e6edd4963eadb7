"""Answers come back as arrays of the library of the keys, with the values that NumPy's keys get."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import modern
from modern.homes import home_of
from shadersort import errors
from tests.helpers import bits
from tests.modern.pretended_torch import TORCH


@dataclass(frozen=True)
class Library:
    """A library of arrays: its type, how it takes an array of NumPy, and how it gives one back."""

    kind: type
    of: Callable[[Any], Any]
    back: Callable[[Any], Any]


def torch_of_tests(monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.setitem(sys.modules, "torch", TORCH)
    return Library(TORCH.Tensor, TORCH.Tensor, lambda each: each.array)


def torch(_: pytest.MonkeyPatch) -> Library:
    torch = pytest.importorskip("torch")
    return Library(torch.Tensor, lambda x: torch.from_numpy(x.copy()), lambda each: each.numpy())


def strict(_: pytest.MonkeyPatch) -> Library:
    strict: Any = import_module("array_api_strict")
    return Library(type(strict.asarray([1])), strict.asarray, np.from_dlpack)


def jax(monkeypatch: pytest.MonkeyPatch) -> Library:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    return Library(jax.Array, jax.numpy.asarray, np.asarray)


@pytest.fixture(params=[torch_of_tests, torch, strict, jax])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Each library in turn."""
    found: Library = request.param(monkeypatch)
    return found


CALLS: dict[str, Callable[..., Any]] = {
    "select": lambda x, **more: modern.select(x, 1, **more),
    "select by a method": lambda x: modern.select(x, k=-1, method="radix"),
    "multiselect": lambda x, **more: modern.multiselect(x, [[1, 0]], **more),
    "median": modern.median,
    "nanmedian": modern.nanmedian,
    "quantile": lambda x, **more: modern.quantile(x, 0.3, **more),
    "nanquantile": lambda x, **more: modern.nanquantile(x, q=[0.3, 0.9], **more),
    "sort": modern.sort,
    "threshold": lambda x, **more: modern.threshold(x, 1, **more),
    "argselect": lambda x, **more: modern.argselect(x, 1, **more),
    "argmedian": modern.argmedian,
    "argtopk": lambda x, **more: modern.argtopk(x, 2, **more),
    "topk": lambda x, **more: modern.topk(x, 2, largest=False, **more),
}


def assert_same(library: Library, answer: Any, expected: Any) -> None:
    """Assert that an answer is at home, and has the bits and the shape of NumPy's."""
    assert isinstance(answer, library.kind)
    found = library.back(answer)
    assert (found.dtype, found.shape) == (np.asarray(expected).dtype, np.shape(expected))
    np.testing.assert_array_equal(bits(found), bits(np.asarray(expected)).reshape(found.shape))


TELLING = [3.0, -0.0, np.inf, 5e-324, -np.inf, 1.0, 1.0]


@pytest.mark.parametrize("name", CALLS)
def test_answers_are_at_home(library: Library, name: str) -> None:
    call = CALLS[name]
    for keys in (
        np.array(TELLING[:2]),
        np.array(TELLING),
        np.full(2, 2, np.float32),
        np.arange(9)[::-1],
    ):
        keys = np.ascontiguousarray(keys)
        answer, expected = call(library.of(keys)), call(keys)
        if name == "topk":
            assert isinstance(answer, modern.TopK)
            assert_same(library, answer.values, expected.values)
            answer, expected = answer.indices, expected.indices
        assert_same(library, answer, expected)


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"topk", "select by a method"}))
def test_answers_along_axes_are_at_home(library: Library, name: str) -> None:
    keys = np.random.default_rng(5).normal(size=(4, 3)).astype(np.float32)
    for axis in (0, -1):
        assert_same(library, CALLS[name](library.of(keys), axis=axis), CALLS[name](keys, axis=axis))


def test_a_trace_stays_beside_its_answer(library: Library) -> None:
    answer, trace = modern.select(library.of(np.arange(9)), 4, return_trace=True)
    assert_same(library, answer, np.int64(4))
    assert trace.n == 9


def test_arguments_of_the_library(library: Library) -> None:
    keys = library.of(np.arange(9.0))
    shares, ranks = np.array([0.25, 0.5]), np.array([[0], [-1]])
    assert_same(library, modern.quantile(keys, library.of(shares)), np.array([2.0, 4]))
    assert_same(library, modern.quantile(keys, q=library.of(shares)), np.array([2.0, 4]))
    assert_same(library, modern.multiselect(keys, library.of(ranks)), np.array([[0.0], [8]]))


def test_out_of_the_library(library: Library) -> None:
    keys, out = library.of(np.array([[3.0, 1, 2]])), library.of(np.zeros(1))
    if "jax" in library.kind.__module__:
        with pytest.raises(errors.BadOption, match="cannot be written"):
            modern.median(keys, axis=1, out=out)
        return
    assert modern.median(keys, axis=1, out=out) is out
    assert_same(library, out, np.array([2.0]))
    pair = library.of(np.zeros((1, 2))), library.of(np.zeros((1, 2), np.int64))
    top = modern.topk(keys, 2, out=pair)
    assert top.values is pair[0]
    assert top.indices is pair[1]
    assert_same(library, pair[1], np.array([[0, 2]]))
    with pytest.raises(errors.BadOption, match="shape"):
        modern.median(keys, axis=0, out=out)
    with pytest.raises(errors.BadOption, match="out is"):
        modern.sort(keys, out=np.zeros((1, 3)))
    with pytest.raises(errors.BadOption, match="out is"):
        modern.topk(keys, 2, out=(pair[0], np.zeros((1, 2), np.int64)))


def test_keys_are_neither_copied_nor_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    library, keys = torch_of_tests(monkeypatch), np.array([3.0, -5, 1])
    tensor = library.of(keys)
    assert modern.threshold(tensor, 1, out=tensor) is tensor  # in place, in the same memory
    np.testing.assert_array_equal(keys, [0, -5, 0])
    modern.sort(tensor)
    np.testing.assert_array_equal(keys, [0, -5, 0])


def test_errors_are_those_of_numpy_keys(library: Library) -> None:
    keys = library.of(np.arange(6.0).reshape(2, 3))
    with pytest.raises(errors.RankOutOfRange):
        modern.select(keys, 3)
    with pytest.raises(np.exceptions.AxisError):
        modern.median(keys, axis=2)
    with pytest.raises(errors.BadOption, match="ties"):
        modern.argselect(keys, 0, ties="first")  # type: ignore[call-overload]


class OfAnotherLibrary:
    """An array without a home, which NumPy takes."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([3.0, 1, 2])


def test_what_has_no_home_gets_arrays_of_numpy() -> None:
    assert type(modern.median(OfAnotherLibrary())) is np.float64
    assert type(modern.sort(OfAnotherLibrary())) is np.ndarray
    for kind in (np.ndarray, np.ma.MaskedArray, np.float64, list, OfAnotherLibrary):
        assert home_of(kind) is None
    assert modern.select(x=[3, 1, 2], k=0) == 1


def test_functions_keep_their_names_and_parameters() -> None:
    for name in ("select", "multiselect", "median", "quantile", "sort", "threshold", "argmedian"):
        function = getattr(modern, name)
        assert function.__name__ == name
        assert {"x", "axis", "out"} <= signature(function).parameters.keys()


class PretendedDevice(nullcontext[None]):
    """A device with a number that no other one has."""

    id = 99


class OnPretendedGPU(np.ndarray):
    """Keys that say which device they are on, as CuPy's arrays do."""

    device = PretendedDevice()  # type: ignore[assignment]


def test_kernels_get_the_current_stream_of_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a GPU: what happens while PyTorch's stream is current, and what after that."""
    cupy: Any = pytest.importorskip("cupy")
    events: list[Any] = []

    @contextmanager
    def current(stream: Any) -> Iterator[None]:
        events.append(stream.__cuda_stream__())
        yield
        events.append("end of the stream")

    def back(torch: Any, found: Any) -> Any:
        events.append("answer")
        return TORCH.Tensor(np.asarray(found))

    addresses = {PretendedDevice.id: SimpleNamespace(cuda_stream=77)}
    streams = SimpleNamespace(current_stream=addresses.__getitem__)
    monkeypatch.setattr(cupy.cuda, "Stream", SimpleNamespace(from_external=current))
    monkeypatch.setattr(
        "modern.homes.torch.as_cupy", lambda tensor: tensor.array.view(OnPretendedGPU)
    )
    monkeypatch.setattr(TORCH, "cuda", streams, raising=False)
    monkeypatch.setattr("modern.homes.torch.from_cupy", back)
    keys = torch_of_tests(monkeypatch).of(np.array([3.0, 1, 2]))
    keys.is_cuda = keys.requires_grad = True  # whoever wants gradients gets no remembered call
    assert modern.select(keys, 1).array == 2
    assert events == [(0, 77), "answer", "end of the stream"]
