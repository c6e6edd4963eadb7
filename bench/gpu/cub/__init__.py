"""CUB's functions for tensors of PyTorch, if a library of them was built.

rows.cu and flat.cu say how.
"""

import ctypes
from importlib import import_module
from pathlib import Path
from typing import Any


class CUB:
    """The functions of a library that was built of one of the two; None has none of them."""

    def __init__(self, path: Path | None) -> None:
        self._torch: Any = import_module("torch")
        self._library = library = ctypes.CDLL(str(path.resolve())) if path else None
        self.name = f"CCCL {library.cccl_version() / 1e6:.3f}" if library else "CCCL"

    def first_of_rows(self, batched: bool, keys: Any, k: int) -> Any:
        """Return the first keys of rows and their places, in no order."""
        rows, length = keys.shape
        values = self._empty((rows, k), keys.dtype)
        places = self._empty((rows, k), self._torch.int32)
        halves = keys.element_size() == 2
        self._call("cub_topk", batched, halves, keys, values, places, rows, length, k)
        return values, places

    def flat(self, keys: Any, k: int) -> Any:
        """Return the k largest keys of float32, in no order; all of them in order if k is 0."""
        values = self._empty((k or keys.numel(),), keys.dtype)
        sizes = map(ctypes.c_size_t, (keys.numel(), k))
        self._call("cub_flat", keys, values, *sizes)
        return values

    def _empty(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._torch.empty(shape, dtype=dtype, device="cuda")

    def _call(self, name: str, *given: Any) -> None:
        """Call a function twice: it first asks for the size of its scratch memory."""
        if self._library is None:
            raise ImportError("not measured: no library of CUB was given")
        stream = ctypes.c_void_p(self._torch.cuda.current_stream().cuda_stream)
        scratch, size = ctypes.c_void_p(None), ctypes.c_size_t()
        tensors = (hasattr(each, "data_ptr") for each in given)
        arguments = [
            ctypes.c_void_p(each.data_ptr()) if tensor else each
            for each, tensor in zip(given, tensors, strict=True)
        ]
        for _ in range(2):
            function = getattr(self._library, name)
            if error := function(*arguments, scratch, ctypes.byref(size), stream):
                raise RuntimeError(f"CUB gives CUDA's error {error}")
            room = self._empty((max(size.value, 1),), self._torch.uint8)
            scratch = ctypes.c_void_p(room.data_ptr())
