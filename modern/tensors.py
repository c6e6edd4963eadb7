"""Tensors of PyTorch: their rows on the CPU, and how they are checked, made and written.

Answers are tensors where the keys are. On the CPU, NumPy sees the memory of a tensor. On a GPU,
kernels run on PyTorch's current stream (`modern/device_arrays.py`).
"""

import sys
from functools import cache
from typing import Any

import numpy as np

from modern.launching.key_types import DTYPES
from modern.opening import ONE_AXIS, Call, device_opener, resolve_axis
from shadersort.errors import BadOption, UnsupportedKeys
from shadersort.keys.inputs import as_rows_of_keys
from shadersort.keys.key_casts import Bfloats
from shadersort.keys.types import Keys
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.host import HostRows
from shadersort.selection.rows.protocol import Rows, check_fit

BFLOATS = Bfloats(np.dtype(np.uint16))
"""Turns the bits of bfloat16, as integers, into float32 and back."""


def open_tensor(x: Any, call: Call) -> Rows:
    """Open a tensor, where it is."""
    torch: Any = sys.modules["torch"]
    check_has_keys(torch, x)
    if x.is_cuda:
        return device_opener()(x, call)
    axis = call.axis
    if not x.ndim or (type(axis) is not int and call.name in ONE_AXIS):
        x, axis = resolve_axis(x, call)
    return TensorRows(x, axis, call.keepdims, call.out)


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


class TensorRows(HostRows):
    """The rows of a tensor on the CPU. Keys of bfloat16 are computed as float32."""

    def __init__(self, x: Any, axis: Axis, keepdims: bool, out: Any) -> None:
        torch: Any = sys.modules["torch"]
        self.tensor, self.is_bfloat16 = x, x.dtype == torch.bfloat16
        keys = BFLOATS.cast(as_numpy(x.view(torch.uint16))) if self.is_bfloat16 else as_numpy(x)
        super().__init__(as_rows_of_keys(keys), axis, keepdims=keepdims, out=out)

    def _deliver(self, found: Keys, out: Any) -> Any:
        """Return an array as a tensor, or write it into `out`."""
        if self.is_bfloat16 and found.dtype == np.float32:
            tensor = from_numpy(BFLOATS.restore(np.asarray(found))).view(self.tensor.dtype)
        else:
            tensor = from_numpy(found)
        tensor = tensor.to(self.tensor.device)
        return tensor if out is None else write_tensor(tensor, out)


def as_numpy(x: Any) -> Any:
    """Return a tensor as an array of NumPy, which shares the memory of a tensor on the CPU.

    Anything else is returned as it is.
    """
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(x, torch.Tensor):
        return x
    check_has_keys(torch, x)
    try:
        return x.numpy(force=True)
    except TypeError as error:
        raise UnsupportedKeys(
            f"keys of {x.dtype} in the layout {x.layout} cannot be selected from: {error}"
        ) from error


def from_numpy(found: Any) -> Any:
    """Return an array of NumPy as a tensor on the CPU; one with a negative stride is copied."""
    array = np.asarray(found)
    copied = min(array.strides, default=0) < 0 or not array.flags.writeable
    return sys.modules["torch"].from_numpy(array.copy() if copied else array)


def write_tensor(found: Any, out: Any) -> Any:
    """Copy a tensor into `out`, or raise BadOption; return `out`."""
    if not isinstance(out, sys.modules["torch"].Tensor):
        raise BadOption(f"out is a tensor, as the keys are, not {type(out).__name__}")
    if out.requires_grad:
        raise BadOption("out requires gradients: pass out.detach()")
    if out.device != found.device:
        raise BadOption(f"the keys are on {found.device}, out is on {out.device}")
    check_fit(found, out)
    out.copy_(found)
    return out


@cache
def torch_types() -> dict[Any, Any]:
    """Return the type of tensor for each type of key, of NumPy's or "bfloat16"."""
    torch: Any = sys.modules["torch"]
    shared = (*DTYPES, np.dtype(np.bool_))
    known: dict[Any, Any] = {dtype: getattr(torch, dtype.name) for dtype in shared}
    return {**known, "bfloat16": torch.bfloat16}


@cache
def types_of_torch() -> dict[Any, Any]:
    """Return the type of key for each type of tensor."""
    return {theirs: ours for ours, theirs in torch_types().items()}


def wants_gradient(x: Any, out: Any) -> bool:
    """Whether an answer about keys is to be connected with them, as only PyTorch does."""
    if out is not None or not getattr(x, "requires_grad", False):
        return False
    return bool(sys.modules["torch"].is_grad_enabled())
