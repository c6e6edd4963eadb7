"""One thread of the GPU, which selects by quickselect."""

from typing import Any

import cupy
import numpy as np

from shadersort.primitives import Key, Traffic
from shadersort.primitives.codes import key

__all__ = ["OneThreadOfCUDA"]


class OneThreadOfCUDA:
    """What the primitives on a GPU inherit to be `shadersort.primitives.serial.OneThread`."""

    keys: Any
    dtype: np.dtype[Any]
    size: int
    traffic: Traffic
    _launcher: Any

    def quickselect_serial(self, k: int, seed: int) -> Key:
        """Return the k-th key, by one thread. It needs room for a copy of the keys."""
        codes = cupy.empty(self.size, self._launcher.raw)
        result = cupy.empty(3, cupy.uint64)
        sizes = np.uint64(self.size), np.uint64(k), np.uint64(seed)
        kernel = self._launcher.kernel("quickselect_serial")
        kernel((1,), (1,), (self.keys, *sizes, codes, result))
        code, read, written = result.get(stream=cupy.cuda.get_current_stream()).tolist()
        self.traffic.add(read, written)
        return key(code, self.dtype)
