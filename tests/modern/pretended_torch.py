"""A module that stands for PyTorch: the few calls by which its tensors are answered on the CPU."""

from types import SimpleNamespace
from typing import Any, Self

import numpy as np


class Tensor:
    """An array of NumPy, seen as PyTorch shows its tensors."""

    is_cuda = requires_grad = is_nested = is_meta = is_wrapped = False
    device = "cpu"
    layout = "strided"

    def __init__(self, array: Any) -> None:
        self.array = array
        self.dtype, self.shape, self.ndim = array.dtype.name, array.shape, array.ndim

    def detach(self) -> Self:
        return self

    def numpy(self, *, force: bool = False) -> Any:
        assert force or not self.requires_grad
        return self.array

    def to(self, device: str) -> Self:
        assert device == self.device
        return self

    def copy_(self, other: Self) -> None:
        self.array[...] = other.array


Tensor.__module__ = "torch"


def from_numpy(array: Any) -> Tensor:
    """Refuse what PyTorch refuses: scalars, and axes that go backwards."""
    assert isinstance(array, np.ndarray)
    assert min(array.strides, default=0) >= 0
    return Tensor(array)


FUNCTORCH = SimpleNamespace(is_functorch_wrapped_tensor=lambda tensor: tensor.is_wrapped)
TORCH = SimpleNamespace(
    Tensor=Tensor,
    from_numpy=from_numpy,
    bfloat16="bfloat16",
    strided="strided",
    is_grad_enabled=lambda: True,
    _C=SimpleNamespace(_functorch=FUNCTORCH),
)
