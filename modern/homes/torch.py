"""Tensors of PyTorch: on the CPU as NumPy's views of them, on a GPU as CuPy's.

Answers are tensors where the keys are. Kernels run on PyTorch's current stream, in order with its
own operations, and nothing waits for them. Answers carry no gradients, except those of functions
that have a `gradient`.
"""

import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from modern.arrays import as_cupy
from modern.homes import Call, same
from shadersort.errors import BadOption, UnsupportedKeys
from shadersort.keys.stand_ins import Bfloats, is_bfloat16

BFLOATS = Bfloats(np.dtype(np.uint16))
"""Turns the bits of bfloat16, as integers, into float32 and back."""

USUAL = frozenset({"torch.float32", "torch.float64", "torch.int32", "torch.int64"})
"""Types that DLPack brings to CuPy in all their versions."""

SAME_STREAM = -1
"""What DLPack calls a stream for which nobody has to wait."""


def answer(call: Call) -> Any:
    """Answer a call with tensors."""
    torch: Any = sys.modules["torch"]
    check_has_keys(torch, call.x)
    if call.x.is_cuda:
        found = _on_gpu(torch, call)
    elif call.x.dtype == torch.bfloat16 and call.out is not None:
        return _copied(torch, call)
    else:
        found = _on_host(torch, call)
    if call.gradient and call.x.requires_grad and call.out is None and torch.is_grad_enabled():
        return call.gradient(call, found)
    return found


def check_has_keys(torch: Any, x: Any) -> None:
    """Raise UnsupportedKeys for a tensor that has no single block of keys to read."""
    if x.is_nested:
        raise UnsupportedKeys("a nested tensor cannot be selected from: pass one of x.unbind()")
    if x.layout != torch.strided:
        raise UnsupportedKeys(
            f"keys in the layout {x.layout} cannot be selected from: use to_dense"
        )
    if x.is_meta:
        raise UnsupportedKeys("a tensor on the meta device has a shape, and no keys to select from")
    if torch._C._functorch.is_functorch_wrapped_tensor(x):
        raise UnsupportedKeys(
            "tensors inside of torch.vmap and torch.func have no keys of their own: pass the whole "
            "tensor, and name the axis of the rows by axis="
        )


def _on_gpu(torch: Any, call: Call) -> Any:
    keys = _cupy_of(torch, call.x.detach() if call.x.requires_grad else call.x)
    with keys.device, current_stream_of(torch, keys.device.id):
        found = call.of(keys, _number, _beside, **_written(call.out))
        return call.answered(found, lambda each: from_cupy(torch, each))


def from_cupy(torch: Any, found: Any) -> Any:
    """Return an array of CuPy as a tensor; bfloat16 as its bits, whose type every library has.

    PyTorch's current stream has to be CuPy's, too: nothing then waits for another stream.
    """
    if is_bfloat16(found.dtype):
        return _tensor(torch, found.view(np.int16)).view(torch.bfloat16)
    return _tensor(torch, found)


def _tensor(torch: Any, found: Any) -> Any:
    return torch.from_dlpack(found.__dlpack__(stream=SAME_STREAM))


@dataclass(frozen=True, slots=True)
class _Stream:
    """A stream of PyTorch, as other libraries take it."""

    address: int

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.address


def _cupy_of(torch: Any, x: Any) -> Any:
    """Return a tensor on a GPU as an array of CuPy; the usual types by DLPack, which is faster.

    Nothing waits: PyTorch's current stream will be CuPy's, too.
    """
    cupy = sys.modules.get("cupy")
    if cupy is None or str(x.dtype) not in USUAL or x.layout != torch.strided:
        return as_cupy(x)
    return cupy.from_dlpack(torch.utils.dlpack.to_dlpack(x))


def current_stream_of(torch: Any, device: int) -> Any:
    """Return a context in which PyTorch's current stream of a device is CuPy's current one."""
    return _stream(device, torch.cuda.current_stream(device).cuda_stream)


@lru_cache(maxsize=256)
def _stream(device: int, address: int) -> Any:
    """Return a stream of PyTorch, on the current device, as CuPy has it: to make one takes time."""
    import cupy

    return cupy.cuda.Stream.from_external(_Stream(address))


def _on_host(torch: Any, call: Call) -> Any:
    """Answer a call on the CPU. Keys of bfloat16, which NumPy has not, are computed as float32."""
    x = call.x.detach()
    short = x.dtype == torch.bfloat16

    def tensor(found: Any) -> Any:
        if short and found.dtype == np.float32:
            return from_numpy(torch, BFLOATS.back(found)).view(torch.bfloat16)
        return from_numpy(torch, found)

    keys = BFLOATS.of(as_numpy(x.view(torch.uint16))) if short else as_numpy(x)
    found = call.of(keys, _number, _beside, **_written(call.out))
    return call.answered(found, lambda each: tensor(each).to(x.device))


def from_numpy(torch: Any, found: Any) -> Any:
    """Return an array of NumPy as a tensor on the CPU; one with a negative stride is copied."""
    array = np.asarray(found)
    return torch.from_numpy(array if min(array.strides, default=0) >= 0 else array.copy())


def _copied(torch: Any, call: Call) -> Any:
    """Answer a call on keys of bfloat16, and copy the answer into `out`."""
    made = answer(call._replace(options=call.options | {"out": None}))
    if hasattr(made, "_make"):  # values and places
        if not isinstance(call.out, tuple | list) or len(call.out) != len(made):
            raise BadOption(f"out is a pair of tensors, not {type(call.out).__name__}")
        pairs = list(zip(made, call.out, strict=True))
    else:
        pairs = [(made[0] if isinstance(made, tuple) else made, call.out)]
    for tensor, out in pairs:
        _check_fit(torch, tensor, out)
    for tensor, out in pairs:
        out.copy_(tensor)
    return call.answered(made, same)


def _check_fit(torch: Any, tensor: Any, out: Any) -> None:
    """Raise BadOption if a tensor cannot be copied into `out`."""
    if not isinstance(out, torch.Tensor):
        raise BadOption(f"out is a tensor of {tensor.dtype}, not {type(out).__name__}")
    _check_writable(out)
    if (out.shape, out.dtype, out.device) != (tensor.shape, tensor.dtype, tensor.device):
        raise BadOption(
            f"the result has the shape {tuple(tensor.shape)} and the type {tensor.dtype} on "
            f"{tensor.device}, out has {tuple(out.shape)} and {out.dtype} on {out.device}"
        )


def as_numpy(x: Any) -> Any:
    """Return a tensor as an array of NumPy, which shares the memory of a tensor on the CPU."""
    check_has_keys(sys.modules["torch"], x)
    try:
        return x.numpy(force=True)
    except TypeError as error:
        raise UnsupportedKeys(
            f"keys of {x.dtype} in the layout {x.layout} cannot be selected from: {error}"
        ) from error


def _number(each: Any) -> Any:
    """Return an argument that the host reads, such as `q` or `ks`."""
    return as_numpy(each) if _is_tensor(each) else each


def _beside(each: Any) -> Any:
    """Return an option that may be where the keys are."""
    if not _is_tensor(each):
        return each
    return as_cupy(each.detach()) if each.is_cuda else as_numpy(each)


def _written(out: Any) -> dict[str, Any]:
    """Return the option `out` with arrays that share the memory of tensors; none without `out`."""
    if out is None:
        return {}
    return {"out": tuple(map(_shared, out)) if isinstance(out, tuple | list) else _shared(out)}


def _shared(out: Any) -> Any:
    if not _is_tensor(out):
        raise BadOption(f"out is a tensor, as the keys are, not {type(out).__name__}")
    _check_writable(out)
    try:
        return out if out.is_cuda else out.numpy()
    except TypeError as error:
        raise BadOption(f"out of {out.dtype} on {out.device} cannot be written: {error}") from error


def _check_writable(out: Any) -> None:
    if out.requires_grad:
        raise BadOption("out requires gradients: pass out.detach()")


def _is_tensor(each: Any) -> bool:
    return isinstance(each, sys.modules["torch"].Tensor)
