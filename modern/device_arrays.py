"""Keys on a CUDA device by pointer, shape and strides, as the caller's library has them.

Results and scratch memory come from the same library, on its current stream: so memory that it
frees is used again only after the launches that read it. Nothing is converted: no DLPack, and no
array of another library. `device_keys` reads an array of CuPy or a tensor of PyTorch; arrays of
other libraries become arrays of CuPy first, once, and so do their answers.
"""

import sys
from functools import cache
from math import prod
from typing import Any, Self

import numpy as np

from modern.launching.launch import BYTES, KeyType, Launcher, is_captured, launcher_of
from shadersort.errors import OutOfDeviceMemory

BFLOAT16 = "bfloat16"
"""The type of key that NumPy alone does not know."""

_kept: list[Any] = []
"""Arrays of CuPy that captured graphs use: CuPy does not know of the graphs."""

Sizes = tuple[int, ...]


class DeviceKeys:
    """An array on a device: where its keys are, and how memory beside it is allocated.

    Attributes
    ----------
    pointer
        The address of the first key.
    shape, strides
        As NumPy has them, but strides count keys, not bytes.
    dtype
        The caller's type of key: one of NumPy, or "bfloat16".
    device, stream
        The number of the device, and the address of the library's current stream there.
    owner
        The caller's array, which keeps the memory.
    """

    __slots__ = "_held", "device", "dtype", "owner", "pointer", "shape", "stream", "strides"

    def __init__(
        self,
        owner: Any,
        pointer: int,
        shape: Sizes,
        strides: Sizes,
        dtype: KeyType,
        device: int,
        stream: int,
    ) -> None:
        self.owner, self.pointer, self.shape, self.strides = owner, pointer, shape, strides
        self.dtype, self.device, self.stream = dtype, device, stream
        self._held: list[Any] = []

    @property
    def size(self) -> int:
        """The number of keys."""
        return prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The bytes of a key."""
        return 2 if isinstance(self.dtype, str) else self.dtype.itemsize

    @property
    def launcher(self) -> Launcher:
        """What launches kernels for these keys."""
        return launcher_of(self.dtype, self.device, self.stream)

    def empty(self, shape: Sizes, dtype: KeyType) -> tuple[Any, int]:
        """Return a new contiguous array of the caller's library, and its address."""
        raise NotImplementedError

    def contiguous(self, order: Sizes, shape: Sizes) -> "DeviceKeys":
        """Return a contiguous copy with its axes in an order, in another shape."""
        raise NotImplementedError

    def write(self, found: Any, out: Any) -> Any:
        """Write an array of the caller's library into `out`, and return `out`."""
        raise NotImplementedError

    def seen(self, shape: Sizes, strides: Sizes) -> Self:
        """Return the same memory in another shape."""
        return type(self)(
            self.owner, self.pointer, shape, strides, self.dtype, self.device, self.stream
        )

    def scratch(self, size: int) -> int:
        """Return the address of `size` bytes, which stay as long as this object."""
        array, pointer = self.empty((size,), BYTES)
        self._held.append(array)
        return pointer

    def zeroed(self, name: str, size: int) -> int:
        """Return the address of bytes that are 0, and that launches leave as 0.

        They stay for the next call on this stream. A captured launch gets bytes of its own, which
        each replay sets to 0.
        """
        if not is_captured(self.stream):
            return self.launcher.zeroed(name, size)
        from cupy.cuda import runtime

        pointer = self.scratch(size)
        runtime.memsetAsync(pointer, 0, size, self.stream)
        return pointer


class CuPyKeys(DeviceKeys):
    """Keys of an array of CuPy; it is made by `device_keys`."""

    __slots__ = ()

    def empty(self, shape: Sizes, dtype: KeyType) -> tuple[Any, int]:
        """Return a new array of CuPy, and its address."""
        import cupy

        made = self.owner.dtype if dtype == BFLOAT16 else dtype
        try:
            if cupy.cuda.runtime.getDevice() == self.device:
                array = cupy.empty(shape, made)
            else:
                with cupy.cuda.Device(self.device):
                    array = cupy.empty(shape, made)
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise out_of_memory(error) from error
        return array, array.data.ptr

    def scratch(self, size: int) -> int:
        """Return the address of `size` bytes; those that a graph captures are never freed."""
        pointer = super().scratch(size)
        if is_captured(self.stream):
            _kept.append(self._held[-1])
        return pointer

    def contiguous(self, order: Sizes, shape: Sizes) -> DeviceKeys:
        """Return a contiguous copy with its axes in an order, in another shape."""
        import cupy

        with cupy.cuda.Device(self.device):
            return cupy_keys(cupy.ascontiguousarray(self.owner.transpose(order)).reshape(shape))


class TorchKeys(DeviceKeys):
    """Keys of a tensor of PyTorch; it is made by `device_keys`."""

    __slots__ = ()

    def empty(self, shape: Sizes, dtype: KeyType) -> tuple[Any, int]:
        """Return a new tensor, and its address."""
        torch: Any = sys.modules["torch"]
        try:
            tensor = torch.empty(shape, dtype=torch_types()[dtype], device=self.owner.device)
        except torch.OutOfMemoryError as error:
            raise out_of_memory(error) from error
        return tensor, tensor.data_ptr()

    def contiguous(self, order: Sizes, shape: Sizes) -> DeviceKeys:
        """Return a contiguous copy with its axes in an order, in another shape."""
        return torch_keys(self.owner.permute(order).contiguous().reshape(shape))


def cupy_keys(x: Any) -> CuPyKeys:
    """Return the keys of an array of CuPy, on CuPy's current stream of its device."""
    import cupy

    dtype, device = x.dtype, x.data.device_id
    itemsize = dtype.itemsize
    return CuPyKeys(
        x,
        x.data.ptr,
        x.shape,
        tuple([stride // itemsize for stride in x.strides]),
        dtype if dtype.kind in "fiub" else str(dtype),
        device,
        cupy.cuda.get_current_stream(device).ptr,
    )


def torch_keys(x: Any) -> TorchKeys:
    """Return the keys of a tensor on a GPU, on PyTorch's current stream of its device."""
    device = x.get_device()
    return TorchKeys(
        x,
        x.data_ptr(),
        tuple(x.shape),
        x.stride(),
        types_of_torch()[x.dtype],
        device,
        sys.modules["torch"]._C._cuda_getCurrentRawStream(device),
    )


@cache
def types_of_torch() -> dict[Any, KeyType]:
    """Return the type of key for each type of tensor."""
    return {theirs: ours for ours, theirs in torch_types().items()}


@cache
def torch_types() -> dict[KeyType, Any]:
    """Return the type of tensor for each type of key."""
    torch: Any = sys.modules["torch"]
    names = "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool"
    known: dict[KeyType, Any] = {np.dtype(name): getattr(torch, name) for name in names.split()}
    return {**known, BFLOAT16: torch.bfloat16}


def out_of_memory(error: BaseException) -> OutOfDeviceMemory:
    """Return the error that says what would need less memory."""
    return OutOfDeviceMemory(
        f"the device has too little memory left: {error}. Sorting and thresholding copy all keys, "
        "and topk the places of k; modern.select copies none with method='radix-inplace'"
    )
