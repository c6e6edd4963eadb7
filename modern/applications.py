"""Homes for the arrays of applications: arrays on a GPU, and tensors of PyTorch.

`shadersort.arrays` finds `home_of` by its entry point.
"""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from modern.homes.torch import as_numpy, check_has_keys, current_stream_of, from_cupy, from_numpy
from modern.opening import as_cupy, is_on_gpu
from shadersort.arrays import Home, NumPyHome
from shadersort.selection.rows.protocol import Rows


def home_of(x: Any) -> Home | None:
    """Return where an array on a GPU, or a tensor, is at home; None for other arrays.

    Examples
    --------
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

    def rows(self, keys: Any) -> Rows:
        """Return the rows of an array (outer, length, inner)."""
        from modern.rows.cuda import CUDARows

        return CUDARows(keys)

    def cut(self, keys: Any, count: int, soft: bool) -> Any:
        """Threshold a flat array in place."""
        from modern.primitives.cupy import CuPyPrimitives

        return CuPyPrimitives(keys).cut(count, soft, keys)

    def given(self, found: Any) -> Any:
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

    def own(self, x: Any) -> Any:
        """Return a tensor as an array of CuPy."""
        return as_cupy(x.detach())

    def given(self, found: Any) -> Any:
        """Return an array as a tensor."""
        return from_cupy(sys.modules["torch"], found)

    @contextmanager
    def _stream(self) -> Iterator[None]:
        with super().here(), current_stream_of(sys.modules["torch"], self.device):
            yield

    def here(self) -> AbstractContextManager[object]:
        """Return a context in which the device and PyTorch's stream are the current ones."""
        return self._stream()

    def __str__(self) -> str:
        return f"PyTorch's memory of GPU {self.device}"


@dataclass(frozen=True)
class TorchHome(NumPyHome):
    """Tensors of PyTorch on the CPU, which NumPy sees without a copy."""

    def own(self, x: Any) -> Any:
        """Return a tensor as an array of NumPy."""
        return as_numpy(x.detach())

    def given(self, found: Any) -> Any:
        """Return an array as a tensor."""
        return from_numpy(sys.modules["torch"], found)

    def __str__(self) -> str:
        return "PyTorch's memory on the CPU"
