"""Calls on tensors like earlier ones: which launches are noted, and that answers stay right."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import modern
from modern.homes import torch_again
from modern.homes.call import Call
from modern.homes.torch_again import again_of, key_of
from modern.launching.notes import Launched, Notes, note_fixed, note_launch, note_room
from modern.rows.outputs import TopK
from shadersort.errors import OutOfDeviceMemory

gpu = pytest.mark.gpu


class Memory:
    """An array, or a tensor, at an address: what both libraries tell of it."""

    def __init__(self, address: int, *shape: int) -> None:
        self.shape, self.nbytes, self.dtype = shape, 4 * int(np.prod(shape)), "float32"
        self.data = SimpleNamespace(ptr=address)

    def data_ptr(self) -> int:
        return int(self.data.ptr)

    def numel(self) -> int:
        return self.nbytes // 4

    def element_size(self) -> int:
        return 4

    def stride(self) -> tuple[int, ...]:
        return tuple(int(np.prod(self.shape[i + 1 :])) for i in range(len(self.shape)))


class Ran(NamedTuple):
    """What a pretended kernel was called with."""

    grid: tuple[int, ...]
    threads: tuple[int, ...]
    arguments: tuple[Any, ...]
    options: dict[str, Any]


def kernel(into: list[Ran]) -> Callable[..., None]:
    """A kernel that only tells what it was called with."""
    return lambda grid, threads, given, **options: into.append(Ran(grid, threads, given, options))


class PretendedTorch:
    """Makes memory at addresses from 1,000 on."""

    cuda = SimpleNamespace(OutOfMemoryError=MemoryError)
    uint8 = "uint8"

    def __init__(self) -> None:
        self.made: list[Memory] = []

    def empty_strided(self, shape: Any, steps: Any, **of: Any) -> Memory:
        made = Memory(1000 + 100 * len(self.made), *shape)
        assert made.stride() == steps
        self.made.append(made)
        return made

    def empty(self, size: int, **of: Any) -> Memory:
        assert of["dtype"] == self.uint8
        return self.empty_strided((size // 4,), (1,))


X = Memory(16, 3, 5)
ANSWER, PLACES, BETWEEN, FIXED = Memory(100, 3), Memory(200, 3), Memory(300, 7), Memory(400, 1)


def noted(*launches: tuple[Any, ...], ran: list[Ran] | None = None) -> Notes:
    """Notes of launches with some arguments, in a call that made the usual memory."""
    with Notes() as notes:
        for each in (ANSWER, PLACES, BETWEEN):
            note_room(each)
        note_fixed(FIXED)
        for given in launches:
            run = kernel([] if ran is None else ran)
            note_launch(Launched(run, (9,), (256,), given, 48))
    return notes


def test_launches_are_repeated_on_other_memory() -> None:
    ran: list[Ran] = []
    five = np.uint32(5)
    notes = noted((X, five, BETWEEN), (BETWEEN, FIXED, ANSWER, np.uint64(0), PLACES), ran=ran)
    again = again_of(notes, X, TopK(ANSWER, PLACES))
    assert again is not None
    torch, keys = PretendedTorch(), Memory(32, 3, 5)
    keys.device = "cuda"  # type: ignore[attr-defined]
    found = again.answer(torch, keys, "stream")
    assert type(found) is TopK
    values, places, between = torch.made
    assert found == (values, places)
    assert (values.shape, places.shape, between.nbytes) == ((3,), (3,), BETWEEN.nbytes)
    first, second = ran
    assert first == Ran((9,), (256,), (32, 5, 1200), {"shared_mem": 48, "stream": "stream"})
    assert second.arguments == (1200, FIXED, 1000, 0, 1100)
    assert type(first.arguments[0]) is np.uint64


def test_too_little_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    again = again_of(noted((X, ANSWER)), X, ANSWER)
    assert again is not None
    torch, keys = PretendedTorch(), Memory(32, 3, 5)
    keys.device = "cuda"  # type: ignore[attr-defined]

    def refused(*given: Any, **of: Any) -> Memory:
        raise MemoryError("3 bytes")

    monkeypatch.setattr(torch, "empty_strided", refused)
    with pytest.raises(OutOfDeviceMemory, match="3 bytes"):
        again.answer(torch, keys, "stream")


@pytest.mark.parametrize(
    ("launches", "found"),
    [
        ([], ANSWER),  # nothing was launched
        ([(X, Memory(500, 3)), (X, ANSWER)], ANSWER),  # a copy that nobody noted
        ([(X, ANSWER)], Memory(500, 3)),  # the answer was made otherwise
        ([(X, ANSWER)], PLACES),  # no launch got the answer
        ([(X, ANSWER)], Memory(100, 2)),  # only a part of what was made
        ([(X, ANSWER)], (ANSWER, "a trace")),
    ],
)
def test_other_calls_are_not_repeated(launches: Any, found: Any) -> None:
    assert again_of(noted(*launches), X, found) is None


def test_any_other_launch_spoils_the_notes() -> None:
    with Notes() as notes:
        note_room(ANSWER)
        note_launch(Launched(None, (1,), (1,), (X, ANSWER), 0))
        note_launch(Launched(None, (1,), (1,), (X, ANSWER), 0), pure=False)
        note_launch(Launched(None, (1,), (1,), (X, ANSWER), 0))
        note_room(PLACES)
    assert not notes.pure
    assert notes.launches == notes.rooms == []
    with Notes() as outer, Notes() as inner:
        note_room(ANSWER)
    assert not outer.pure
    assert inner.rooms == [ANSWER]


def test_notes_end_with_an_error() -> None:
    with pytest.raises(ValueError, match="no keys"), Notes():
        raise ValueError("no keys")
    note_room(ANSWER)  # nobody listens
    assert again_of(noted((X, ANSWER)), X, ANSWER) is not None


class Tensor(Memory):
    """A tensor as far as a call is recognised by it."""

    layout, requires_grad = "strided", False

    def is_neg(self) -> bool:
        return False

    def get_device(self) -> int:
        return 0


TORCH: Any = SimpleNamespace(
    Tensor=Tensor, strided="strided", cuda=SimpleNamespace(current_device=lambda: 0)
)


def test_calls_are_alike_only_if_kernels_cannot_tell() -> None:
    def key(x: Memory, *args: Any, function: Any = max, **options: Any) -> Any:
        return key_of(TORCH, Call(function, x, args, options))

    usual = key(Tensor(160, 3, 5), 1, axis=0)
    assert usual == key(Tensor(320, 3, 5), 1, axis=0)
    for other in (
        *(key(Tensor(164, 3, 5), 1, axis=0), key(Tensor(160, 5, 3), 1, axis=0)),
        *(key(Tensor(160, 3, 5), 2, axis=0), key(Tensor(160, 3, 5), 1, axis=1)),
        *(key(Tensor(160, 3, 5), 1, axis=0, function=min), key(Tensor(160, 3, 5), 1)),
    ):
        assert usual != other is not None


def test_unusual_calls_are_not_remembered() -> None:
    def key(x: Any = None, *args: Any, **options: Any) -> Any:
        return key_of(TORCH, Call(max, Tensor(16, 3) if x is None else x, args, options))

    assert key() is not None
    grown, sparse = Tensor(16, 3), Tensor(16, 3)
    grown.requires_grad, sparse.layout = True, "sparse"
    assert key(grown) is key(sparse) is key(Memory(16, 3)) is None
    assert key(None, 1.0) is key(None, np.int64(1)) is key(None, out=ANSWER) is None


# What follows needs PyTorch and a GPU.

SHAPES = [(7, 16), (40, 33), (3000, 64), (50, 1000), (2500, 3000), (40, 9000), (300, 30_000)]
CALLS: dict[str, Callable[..., Any]] = {
    "least": lambda x, axis: modern.select(x, 0, axis=axis),
    "last": lambda x, axis: modern.select(x, -1, axis=axis, keepdims=True),
    "third": lambda x, axis: modern.select(x, 2, axis=axis),
    "top 1": lambda x, axis: modern.topk(x, 1, axis=axis),
    "last 1": lambda x, axis: modern.topk(x, 1, axis=axis, largest=False, ties="highest"),
    "top 5": lambda x, axis: modern.topk(x, 5, axis=axis, sorted=True),
    "places": lambda x, axis: modern.argtopk(x, 3, axis=axis),
    "median": lambda x, axis: modern.median(x, axis=axis),
    "nanmedian": lambda x, axis: modern.nanmedian(x, axis=axis),
}


def draws(torch: Any, shape: tuple[int, ...], dtype: str, count: int) -> list[Any]:
    """Tensors of one shape with different keys, few values, and NaNs if there are such."""
    random = np.random.default_rng(5)
    made = [random.integers(-40, 90, shape).astype(np.float32) for _ in range(count)]
    for each in made if dtype in ("float32", "bfloat16") else ():
        each[random.random(shape) < 0.001] = np.nan
    return [torch.tensor(each, device="cuda").to(getattr(torch, dtype)) for each in made]


def bytes_of(torch: Any, found: Any) -> list[Any]:
    """The bytes of an answer's parts, and how they lie."""
    parts = found if isinstance(found, tuple) else (found,)
    host = [each.flatten().clone().cpu().view(torch.uint8).numpy().tobytes() for each in parts]
    return [
        (each.dtype, each.shape, each.stride(), some)
        for each, some in zip(parts, host, strict=True)
    ]


@gpu
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "float64", "int64"])
def test_repeated_calls_are_right(
    monkeypatch: pytest.MonkeyPatch, dtype: str, shape: tuple[int, int]
) -> None:
    """Against the first call of a kind, which other tests compare with NumPy."""
    torch: Any = pytest.importorskip("torch")
    monkeypatch.setattr(torch_again, "_local", SimpleNamespace())
    for turn, part in ((False, False), (True, False), (False, True)):
        for axis in (0, 1):
            xs = draws(torch, shape, dtype, 3)
            xs = [each.T if turn else each[:, 1:] if part else each for each in xs]
            for name, call in CALLS.items():
                found = [bytes_of(torch, call(each, axis)) for each in xs]
                torch_again._known().clear()
                first = []
                for each in xs:
                    first.append(bytes_of(torch, call(each, axis)))
                    torch_again._known().clear()
                assert found == first, (name, turn, part, axis)


@gpu
def test_calls_are_repeated_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    torch: Any = pytest.importorskip("torch")
    monkeypatch.setattr(torch_again, "_local", SimpleNamespace())
    for shape in SHAPES:
        (x,) = draws(torch, shape, "float32", 1)
        for name, call in CALLS.items():
            call(x, 1)
            (again,) = torch_again._known().values()
            torch_again._known().clear()
            assert again is not None, (name, shape)


@gpu
def test_streams_threads_and_graphs() -> None:
    torch: Any = pytest.importorskip("torch")
    xs = draws(torch, (600, 800), "float32", 6)
    expected = [bytes_of(torch, torch.sort(each, 1).values[:, 5].contiguous()) for each in xs]

    def on_a_stream(stream: Any) -> list[Any]:
        with nullcontext() if stream is None else torch.cuda.stream(stream):
            found = [modern.select(each, 5, axis=1) for each in xs]
        torch.cuda.synchronize()
        return [bytes_of(torch, each) for each in found]

    torch.cuda.synchronize()
    for stream in (None, torch.cuda.Stream(), None, torch.cuda.Stream()):
        assert on_a_stream(stream) == expected
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(on_a_stream, [torch.cuda.Stream() for _ in range(8)]):
            assert found == expected
    graph, keys = torch.cuda.CUDAGraph(), xs[0].clone()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        modern.select(keys, 5, axis=1)  # remembered before the capture
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, stream=stream):
        captured = modern.select(keys, 5, axis=1)
    for each, right in zip(xs, expected, strict=True):
        keys.copy_(each)
        graph.replay()
        torch.cuda.synchronize()
        assert bytes_of(torch, captured) == right
