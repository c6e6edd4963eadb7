"""How keys come to a GPU: what `Sorter` does before it sorts."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from modern.opening import has_gpu
from shadersort.keys.types import Keys
from shadersort.streams.cuts import cuts
from shadersort.streams.pairs import Pairs
from shadersort.streams.sorters.numpy_sorter import NumPySorter

GROWS = 8
"""The largest copy divided by the first one."""


class SuppliedSorter(NumPySorter):
    """A sorter whose keys are copied to the current CUDA device, if there is one."""

    def staged(self, keys: Any, first: int, window: int) -> Iterator[Any]:
        """Yield parts of the keys on the device, host keys as copies; few keys stay there.

        No part is cut off to fill a window: `together` does that.
        """
        if not has_gpu():
            yield from super().staged(keys, first, window)
        elif not isinstance(keys, np.ndarray):
            yield from super().staged(keys, 0, window)
        else:
            from modern.streams.staging import staged

            with told():
                yield from staged(keys, cuts(len(keys), 0, window, self.batch, self.batch // GROWS))

    def together(self, waiting: Keys, numbers: Any) -> Any:
        """Return keys that wait with others, on the device, behind them; None for host arrays."""
        if isinstance(numbers, Pairs):
            first = Pairs.of(waiting)
            x, y = self.together(first.x, numbers.x), self.together(first.y, numbers.y)
            return None if x is None or y is None else Pairs(x, y)
        if isinstance(numbers, np.ndarray):
            return None
        import cupy

        with told():
            return cupy.concatenate([cupy.asarray(waiting), numbers])


def told() -> AbstractContextManager[None]:
    """Return a context manager that raises OutOfDeviceMemory where CuPy is out of memory."""
    from modern.streams.link import memory_told

    return memory_told()
