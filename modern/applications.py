"""Homes for the arrays of applications: arrays on a GPU, and tensors of PyTorch.

`shadersort.arrays` finds `home_of` by its entry point.
"""

import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from modern.opening import Call, as_cupy, device_opener, is_on_gpu
from modern.tensors import as_numpy, check_has_keys, from_numpy
from shadersort.arrays import Home, NumPyHome
from shadersort.selection.rows.protocol import Rows


def home_of(x: Any) -> Home | None:
    """Return where an array on a GPU, or a tensor, is at home; None for other arrays.

    Examples
    --------
    >>> import numpy as np
    >>> home_of(np.zeros(3)) is None
    True
    """
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        check_has_keys(torch, x)
        return TorchGPUHome(x.device.index) if x.is_cuda else TorchHome()
    return CuPyHome(as_cupy(x).device.id) if is_on_gpu(x) else None


@dataclass(frozen=True)
class CuPyHome:
    """Arrays of CuPy on one device, and others that CuPy takes without a copy."""

    device: int

    @property
    def xp(self) -> Any:
        """CuPy."""
        import cupy

        return cupy

    def own(self, x: Any) -> Any:
        """Return an array on the device as one of CuPy."""
        return as_cupy(x)

    def rows(self, keys: Any, axis: int = -1) -> Rows:
        """Return the rows of an array of CuPy along an axis."""
        return device_opener()(keys, Call("select", axis))

    def give(self, found: Any) -> Any:
        """Return an array as it is."""
        return found

    def here(self) -> AbstractContextManager[object]:
        """Return a context in which the device is the current one."""
        device: AbstractContextManager[object] = self.xp.cuda.Device(self.device)
        return device

    def __str__(self) -> str:
        return f"the memory of GPU {self.device}"


class TorchGPUHome(CuPyHome):
    """Tensors of PyTorch on one GPU; work is done on PyTorch's current stream."""

    def give(self, found: Any) -> Any:
        """Return an array as a tensor."""
        from modern.device_arrays import from_cupy

        return from_cupy(found)

    def here(self) -> AbstractContextManager[object]:
        """Return a context in which the device and PyTorch's stream are the current ones."""
        from modern.device_arrays import use_stream

        stream = sys.modules["torch"]._C._cuda_getCurrentRawStream(self.device)
        return use_stream(self.device, stream)

    def __str__(self) -> str:
        return f"PyTorch's memory of GPU {self.device}"


@dataclass(frozen=True)
class TorchHome(NumPyHome):
    """Tensors of PyTorch on the CPU, which NumPy sees without a copy."""

    def own(self, x: Any) -> Any:
        """Return a tensor as an array of NumPy."""
        return as_numpy(x)

    def give(self, found: Any) -> Any:
        """Return an array as a tensor."""
        return from_numpy(found)

    def __str__(self) -> str:
        return "PyTorch's memory on the CPU"
