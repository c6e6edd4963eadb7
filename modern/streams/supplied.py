"""How keys come to a GPU: what `Sorter` does before it sorts."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from modern.arrays import has_gpu
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import MOST_THREADS
from shadersort.sorting.external.schedule import cores
from shadersort.streams.cuts import cuts
from shadersort.streams.pairs import Pairs
from shadersort.streams.rooms import Rooms
from shadersort.streams.sorters.numpy_sorter import NumPySorter

GROWS = 8
"""The largest copy divided by the first one."""


class SuppliedSorter(NumPySorter):
    """A sorter whose keys are copied to the current CUDA device, if there is one."""

    @property
    def readers(self) -> int:
        """How many threads may read a stream ahead: with a GPU, most cores are free for them."""
        return max(1, min(MOST_THREADS, cores() - 2)) if has_gpu() else super().readers

    def rooms(
        self, turns: int, count: int, dtype: np.dtype[Any], piece: int, threads: int
    ) -> Rooms:
        """Return memory for the next arrays of a stream, on the device unless they are short.

        Arrays longer than a batch stay on the host, too, and are staged part by part.
        """
        from modern.streams.device_rooms import FEW, SLOT, DeviceRooms, is_known

        fits = count * dtype.itemsize >= FEW and count <= self.batch
        if not (has_gpu() and is_known(dtype) and fits):
            return super().rooms(turns, count, dtype, piece, threads)
        from modern.streams.link import CuPyLink

        slot = min(SLOT, max(1, piece) * dtype.itemsize)
        return DeviceRooms(CuPyLink(), turns, count, dtype, slot, threads)

    def rooms_as_needed(self, turns: int, dtype: np.dtype[Any] | None) -> Rooms:
        """Return memory for the next arrays of an iterator, on the device."""
        if not has_gpu():
            return super().rooms_as_needed(turns, dtype)
        from modern.streams.device_rooms import RoomsAsNeeded
        from modern.streams.link import CuPyLink

        return RoomsAsNeeded(CuPyLink(), turns, self.batch, dtype)

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
