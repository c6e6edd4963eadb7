"""One thread of the GPU, which selects by quickselect."""

import numpy as np

from modern.launching.launch import room
from modern.primitives.gpu_keys import GPUKeys
from shadersort.keys.types import Key

__all__ = ["OneThread"]


class OneThread(GPUKeys):
    """What a single thread can do."""

    def quickselect_serial(self, k: int, seed: int) -> Key:
        """Return the k-th key by quickselect in one thread, over a copy of the codes."""
        codes, found = room(self.size, self._launcher.raw), room(3, np.uint64)
        kernel = self._launcher.kernel("quickselect_serial")
        kernel((1,), (1,), (*self._all, np.uint64(k), np.uint64(seed), codes, found))
        code, read, written = self._launcher.fetched(found).tolist()
        self.traffic.add(read, written)
        return self._key(code)
