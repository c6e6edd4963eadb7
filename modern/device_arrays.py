"""Keys on a CUDA device by pointer, shape and strides, as the caller's library has them.

Results and scratch memory come from the same library, on its current stream: so memory that it
frees is used again only after the launches that read it. Nothing is converted: no DLPack, and no
array of another library. Arrays of libraries other than CuPy and PyTorch become arrays of CuPy
first, and their answers are CuPy's.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar, TypeAlias

import cupy
import numpy as np
from cupy.cuda import get_current_stream, runtime

from modern.launching.launch import BFLOAT16, KeyType, Launcher, RawStream, launcher_of
from modern.opening import as_cupy, is_on_gpu
from modern.tensors import torch_types, types_of_torch, write_tensor
from shadersort.errors import BadOption, OutOfDeviceMemory
from shadersort.selection.rows.protocol import check_fit

Sizes = tuple[int, ...]

BYTES = np.dtype(np.uint8)

SAME_STREAM = -1
"""What DLPack calls a stream for which nobody has to wait."""

BY_VALUE = 448
"""Numbers of 64 bits that are passed to a kernel by value, at most: its arguments have 4 KiB."""

_kept: list[Any] = []
"""Arrays of CuPy that captured graphs write: CuPy does not know of the graphs."""


class DeviceKeys(ABC):
    """An array on a device: where its keys are, and how memory beside it is allocated."""

    owner: Any  # the caller's array, which keeps the memory
    pointer: int  # the address of the first key
    shape: Sizes
    strides: Sizes  # in keys, not in bytes
    dtype: KeyType  # the caller's type of key
    device: int  # its number
    stream: int  # the address of the library's current stream there
    launcher: Launcher  # launches kernels for these keys, on this stream
    # whether answers in float32 about bfloat16 are rounded to it, as PyTorch does; NumPy's
    # promotion, which CuPy follows, leaves them float32
    rounds: ClassVar[bool] = False
    _held: list[Any]

    @abstractmethod
    def empty(self, shape: Sizes, dtype: KeyType) -> tuple[Any, int]:
        """Return a new contiguous array of the caller's library, and its address."""

    def stream_context(self) -> AbstractContextManager[Any]:
        """Return a context in which the device and the stream are CuPy's current ones."""
        return use_stream(self.device, self.stream)

    def scratch(self, size: int) -> int:
        """Return the address of `size` bytes, which stay as long as this object."""
        array, pointer = self.empty((size,), BYTES)
        self._held.append(array)
        return pointer

    def zeros(self, name: str, size: int) -> int:
        """Return the address of bytes that are 0, and that launches leave as 0.

        They stay for the next call on this stream. A captured launch gets bytes of its own, which
        each replay sets to 0.
        """
        launcher = self.launcher
        if not (launcher.may_be_captured and launcher.is_captured()):
            return launcher.zeroed.get(name) or launcher.new_zeroed(name, size)
        pointer = self.scratch(size)
        runtime.memsetAsync(pointer, 0, size, self.stream)
        return pointer


class CuPyKeys(DeviceKeys):
    """Keys of an array of CuPy, on CuPy's current stream of its device."""

    def __init__(self, x: Any) -> None:
        dtype, itemsize = x.dtype, x.itemsize
        self.owner, self.pointer, self.shape = x, x.data.ptr, x.shape
        self.strides = tuple([stride // itemsize for stride in x.strides])
        self.dtype = dtype if dtype.kind != "V" else str(dtype)
        self.device = device = x.data.device_id
        self.stream = get_current_stream(device).ptr
        self.launcher = launcher_of(self.dtype, device, self.stream)
        self._held = []

    def empty(self, shape: Sizes, dtype: KeyType) -> tuple[Any, int]:
        """Return a new array of CuPy, and its address; what a graph captures is never freed."""
        made = self.owner.dtype if isinstance(dtype, str) else dtype
        try:
            if runtime.getDevice() == self.device:
                array = cupy.empty(shape, made)
            else:
                with cupy.cuda.Device(self.device):
                    array = cupy.empty(shape, made)
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise out_of_memory(error) from error
        if self.launcher.may_be_captured and self.launcher.is_captured():
            _kept.append(array)
        return array, array.data.ptr

    def copy_contiguous(self, order: Sizes) -> "CuPyKeys":
        """Return a contiguous copy with its axes in an order."""
        turned = self.owner.transpose(order)
        copy, _ = self.empty(turned.shape, turned.dtype)
        with cupy.cuda.Device(self.device):
            copy[...] = turned
        return CuPyKeys(copy)

    def transpose(self, found: Any, order: Sizes) -> Any:
        """Return an array with its axes in an order."""
        return found.transpose(order)

    def give(self, found: Any) -> Any:
        """Return an array as one of CuPy."""
        with cupy.cuda.Device(self.device):
            return cupy.asarray(found)

    def write(self, found: Any, out: Any) -> Any:
        """Write an array into `out`, which is on the same device."""
        if not is_on_gpu(out):
            raise BadOption(
                "the keys are in the memory of a GPU, and `out` is not: pass an array there, not "
                f"{type(out).__name__}"
            )
        written = as_cupy(out)
        if written.device.id != self.device:
            raise BadOption(f"the keys are on device {self.device}, out on {written.device.id}")
        check_fit(found, written)
        with written.device:
            written[...] = found
        return out


class TorchKeys(DeviceKeys):
    """Keys of a tensor of PyTorch, on PyTorch's current stream of its device."""

    rounds = True

    def __init__(self, x: Any) -> None:
        if x.is_neg():  # its memory has the opposite numbers
            x = x.resolve_neg()
        self.owner, self.pointer, self.shape = x, x.data_ptr(), tuple(x.shape)
        self.strides, self.device = x.stride(), x.get_device()
        self.dtype = types_of_torch().get(x.dtype) or str(x.dtype)
        self.stream = sys.modules["torch"]._C._cuda_getCurrentRawStream(self.device)
        self.launcher = launcher_of(self.dtype, self.device, self.stream)
        self._held = []

    def empty(self, shape: Sizes, dtype: KeyType) -> tuple[Any, int]:
        """Return a new tensor, and its address."""
        try:
            tensor = self.owner.new_empty(shape, dtype=torch_types()[dtype], requires_grad=False)
        except RuntimeError as error:
            if type(error).__name__ != "OutOfMemoryError":
                raise
            raise out_of_memory(error) from error
        return tensor, tensor.data_ptr()

    def copy_contiguous(self, order: Sizes) -> "TorchKeys":
        """Return a contiguous copy with its axes in an order."""
        return TorchKeys(self.owner.detach().permute(order).contiguous())

    def transpose(self, found: Any, order: Sizes) -> Any:
        """Return a tensor with its axes in an order."""
        return found.permute(order)

    def give(self, found: Any) -> Any:
        """Return an array as a tensor on the device."""
        with self.stream_context():
            return from_cupy(cupy.asarray(found))

    def write(self, found: Any, out: Any) -> Any:
        """Write a tensor into `out`."""
        return write_tensor(found, out)


ArrayKeys: TypeAlias = CuPyKeys | TorchKeys


@contextmanager
def use_stream(device: int, stream: int) -> Iterator[None]:
    """Make a stream, by its address, the current one of CuPy on its device."""
    with cupy.cuda.Device(device), cupy.cuda.Stream.from_external(RawStream(stream)):
        yield


def from_cupy(found: Any) -> Any:
    """Return an array of CuPy as a tensor; bfloat16 by its bits, whose type every library has.

    PyTorch's current stream has to be CuPy's, too: nothing then waits for another stream.
    """
    torch: Any = sys.modules["torch"]
    if found.dtype.name == BFLOAT16:
        return from_cupy(found.view(np.int16)).view(torch.bfloat16)
    return torch.from_dlpack(found.__dlpack__(stream=SAME_STREAM))


def out_of_memory(error: BaseException) -> OutOfDeviceMemory:
    """Return the error that says what would need less memory."""
    return OutOfDeviceMemory(
        f"the device has too little memory left: {error}. Sorting and thresholding copy all keys, "
        "and topk the places of k; modern.select copies none with method='radix-inplace'"
    )


def write_values(keys: DeviceKeys, values: Any) -> int:
    """Return the address of host numbers of 64 bits on the device, which launches write there."""
    launcher, words = keys.launcher, np.asarray(values).view(np.int64).tolist()
    pointer = keys.scratch(8 * len(words))
    kernel = launcher.kernel("host_values", COUNT=BY_VALUE)
    for i in range(0, len(words), BY_VALUE):
        some = words[i : i + BY_VALUE]
        launcher.launch(kernel, (1,), BY_VALUE, (len(some), pointer + 8 * i, *some))
    return pointer
