"""Tensors of PyTorch: gradients, bfloat16, and streams of a GPU."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from shadersort import errors

pytestmark = pytest.mark.gpu  # PyTorch is where a GPU is
torch: Any = import_module("torch") if find_spec("torch") else None


@pytest.fixture(params=["cpu", "cuda"])
def device(request: pytest.FixtureRequest) -> str:
    """Each device in turn."""
    name: str = request.param
    return name


def rows(device: str, *, seed: int = 3) -> Any:
    """Rows of different keys that want gradients."""
    keys = np.random.default_rng(seed).permutation(60).reshape(3, 4, 5)
    return torch.tensor(keys, dtype=torch.float32, device=device, requires_grad=True)


def gradient_of(answer: Any, x: Any) -> Any:
    """The gradient of a weighted sum of an answer: each part has its own weight."""
    weights = torch.arange(1.0, answer.numel() + 1, device=x.device).reshape(answer.shape)
    (found,) = torch.autograd.grad((answer * weights).sum(), x)
    return found


def mean_of_middle_keys(x: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """The median by a sort, whose gradient PyTorch knows."""
    rest = tuple(each for each in range(x.ndim) if each not in axes)
    ordered = x.permute(rest + axes).flatten(len(rest)).sort(-1).values
    n = ordered.shape[-1]
    found = (ordered[..., (n - 1) // 2] + ordered[..., n // 2]) / 2
    if not keepdims:
        return found
    return found.reshape([1 if each in axes else n for each, n in enumerate(x.shape)])


def test_gradient_of_the_median(device: str) -> None:
    cases: tuple[Any, ...] = (None, 0, 1, -1, (0, 2), (2, 1))
    for axis, keepdims in product(cases, (False, True)):
        x = rows(device)
        axes = tuple(range(3)) if axis is None else (axis,) if isinstance(axis, int) else axis
        axes = tuple(sorted(each % 3 for each in axes))
        found = modern.median(x, axis=axis, keepdims=keepdims)
        expected = mean_of_middle_keys(x, axes, keepdims)
        torch.testing.assert_close(found, expected, rtol=0, atol=0)
        torch.testing.assert_close(gradient_of(found, x), gradient_of(expected, x), rtol=0, atol=0)


def test_the_gradient_of_a_median_goes_to_its_nan(device: str) -> None:
    x = torch.tensor([1.0, float("nan"), 3, 2], device=device, requires_grad=True)
    assert gradient_of(modern.median(x), x).tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("largest", [False, True])
def test_gradient_of_the_top_keys(device: str, largest: bool) -> None:
    x = rows(device)
    for axis in (0, 1, 2):
        found = modern.topk(x, 2, axis=axis, largest=largest)
        expected = torch.topk(x, 2, axis, largest)
        assert torch.equal(found.values, expected.values)
        assert torch.equal(gradient_of(found.values, x), gradient_of(expected.values, x))
        assert not found.indices.requires_grad
    flat = modern.topk(x, 2, axis=None, largest=largest).values
    expected = torch.topk(x.flatten(), 2, largest=largest).values
    assert torch.equal(gradient_of(flat, x), gradient_of(expected, x))


def test_other_answers_are_values(device: str) -> None:
    x, q = rows(device), torch.tensor([0.1], device=device)
    for found in (
        *(modern.select(x, 1), modern.sort(x), modern.nanmedian(x), modern.quantile(x, q)),
        *(modern.threshold(x, 1), modern.multiselect(x, [0, 1]), modern.argtopk(x, 1)),
        *(modern.argsort(x, descending=True), modern.sort(x, network="pbsn")),
    ):
        assert isinstance(found, torch.Tensor)
        assert found.device == x.device
        assert not found.requires_grad
    with torch.no_grad():
        assert not modern.median(x).requires_grad
    out = torch.empty((), device=device)
    assert modern.median(x, out=out) is out
    assert not out.requires_grad
    with pytest.raises(errors.BadOption, match="detach"):
        modern.sort(x, out=x)


def every_bfloat16(device: str) -> Any:
    """All bit patterns of bfloat16 once."""
    bits = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16)
    return bits[torch.randperm(1 << 16)].view(torch.bfloat16).to(device)


def test_records_are_tensors(device: str) -> None:
    x = every_bfloat16(device)
    for descending in (False, True):
        found, places = modern.sort_records(
            x, torch.arange(1 << 16, device=device), descending=descending
        )
        assert torch.equal(found.view(torch.int16), x[places].view(torch.int16))
        numbers, ordered = found[~found.isnan()].float(), places[found.isnan()]
        assert torch.equal(numbers, numbers.sort(descending=descending).values)
        assert bool(found[len(numbers) :].isnan().all())
        assert torch.equal(ordered, ordered.sort().values)
    wide = torch.randint(0, 3, (999, 4), device=device)
    found, _ = modern.sort_records(wide, wide)
    assert found.tolist() == sorted(wide.tolist())
    with pytest.raises(errors.ArraysApart):
        modern.sort_records(x, np.arange(1 << 16))


def test_bfloat16_comes_back_exactly(device: str) -> None:
    x = every_bfloat16(device)
    ordered = modern.sort(x)
    assert ordered.dtype == torch.bfloat16
    patterns = [each.view(torch.int16).sort().values for each in (x, ordered)]
    assert torch.equal(*patterns)
    numbers = ordered[~ordered.isnan()].float()
    assert bool((numbers[1:] >= numbers[:-1]).all())
    top = modern.topk(x[~x.isnan()], 5)
    assert torch.equal(top.values, x[~x.isnan()][top.indices])
    assert modern.select(torch.ones(3, dtype=torch.bfloat16, device=device), 1) == 1


def test_bfloat16_written_into_out() -> None:
    x = torch.tensor([[3.0, 1, 2], [4, 6, 5]], dtype=torch.bfloat16)
    out = torch.empty(2, dtype=torch.bfloat16)
    assert modern.median(x, axis=1, out=out) is out
    assert out.tolist() == [2, 5]
    pair = torch.empty((2, 1), dtype=torch.bfloat16), torch.empty((2, 1), dtype=torch.int64)
    assert modern.topk(x, 1, out=pair).indices is pair[1]
    assert pair[1].tolist() == [[0], [1]]
    for wrong in (torch.empty(2), torch.empty(3, dtype=torch.bfloat16), np.empty(2)):
        with pytest.raises(errors.BadOption):
            modern.median(x, axis=1, out=wrong)
    with pytest.raises(errors.BadOption, match="pair"):
        modern.topk(x, 1, out=out)
    with pytest.raises(errors.BadOption, match="shape"):
        modern.median(x.float(), axis=1, out=out)


def test_tensors_without_keys_or_an_order_are_refused(device: str) -> None:
    some = torch.ones(2, 3, device=device)
    for x, words in (
        (some.to_sparse(), "sparse_coo"),
        (some.to(torch.complex64), "complex"),
        (some.to("meta"), "meta device"),
        (torch.nested.nested_tensor([some[0], some[1, :2]], layout=torch.jagged), "nested"),
    ):
        with pytest.raises(errors.UnsupportedKeys, match=words):
            modern.median(x)
    for ask in (modern.median, lambda x: modern.topk(x, 1), modern.sort):
        with pytest.raises(errors.UnsupportedKeys, match=r"torch\.vmap"):
            torch.vmap(ask)(some)
    with pytest.raises(errors.UnsupportedKeys, match=r"torch\.func"):
        torch.func.grad(modern.median)(some[0])


def test_parameters_of_networks_and_strided_tensors() -> None:
    parameter = torch.nn.Parameter(torch.tensor([[3.0, 1, 2], [6, 5, 4]]))
    assert isinstance(modern.sort(parameter), torch.Tensor)
    assert modern.select(parameter.T, 0, axis=0).tolist() == [1, 4]
    assert modern.select(parameter[:, ::2], 0).tolist() == [2, 4]


def test_kernels_run_on_the_current_stream() -> None:
    """The keys are made on a stream of PyTorch's which is busy: too early a kernel reads zeros."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        keys = torch.zeros(1 << 20, device="cuda")
        torch.cuda._sleep(100_000_000)
        keys += torch.arange(1 << 20, device="cuda")
        found = modern.select(keys, 5), modern.topk(keys, 2).values, modern.sort(keys)[7]
        total = found[0] + found[2]  # PyTorch's kernel comes after ours
    stream.synchronize()
    assert (found[0].item(), found[1].tolist(), total.item()) == (5, [1048575, 1048574], 12)


def test_out_is_where_the_keys_are() -> None:
    keys = torch.tensor([[3, 1, 2], [6, 5, 4]], device="cuda")
    assert modern.median(keys).dtype == torch.float64
    with pytest.raises(errors.BadOption, match="the keys are on"):
        modern.sort(keys, out=keys.cpu())
    out = torch.empty_like(keys)
    assert modern.sort(keys, out=out) is out
    assert out[1].tolist() == [4, 5, 6]


def test_streams_and_threads() -> None:
    random = np.random.default_rng(5)
    xs = [torch.tensor(random.normal(size=(600, 800)), device="cuda") for _ in range(6)]
    expected = [torch.sort(each, 1).values[:, 5] for each in xs]

    def check_on(stream: Any) -> None:
        with nullcontext() if stream is None else torch.cuda.stream(stream):
            found = [modern.select(each, 5, axis=1) for each in xs]
        torch.cuda.synchronize()
        assert all(map(torch.equal, found, expected))

    torch.cuda.synchronize()
    for stream in (None, torch.cuda.Stream(), None):
        check_on(stream)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(check_on, [torch.cuda.Stream() for _ in range(8)]))
