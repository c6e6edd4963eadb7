"""`Sorter`: what sorts the windows of stream summaries on a GPU."""

from functools import cache
from typing import Any, Self

import numpy as np

from modern.opening import as_cupy, has_gpu, is_on_gpu
from shadersort.streams.sorters.numpy_sorter import NumPySorter


class Sorter(NumPySorter):
    """A sorter for stream summaries on the current CUDA device; without one, NumPy sorts.

    Arrays on the device stay there: those of CuPy, and all with DLPack or
    `__cuda_array_interface__`. Host arrays are copied in parts while earlier parts are sorted; from
    pinned memory at the speed of the link, other arrays at the speed of copying into pinned memory.
    `batch` keys are sorted at once; by default 2**25, or fewer if memory is short. The `seconds` of
    a summary are measured on the host, which does not wait for the device.

    Examples
    --------
    >>> import shadersort as ss
    >>> summary = ss.QuantileSummary(0.01, sorter=Sorter())
    >>> summary = summary.update(np.arange(100_001, dtype=np.float32))
    >>> abs(summary.median() - 50_000) <= 0.01 * summary.n
    np.True_
    """

    def __new__(cls, batch: int | None = None) -> Self:
        """Return a sorter of the class that uses the device, if there is one."""
        made: Self = object.__new__(_class_on_gpu() if cls is Sorter and has_gpu() else cls)
        return made

    def __init__(self, batch: int | None = None) -> None:
        super().__init__(batch=batch or NumPySorter.batch)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the machine that unpickles choose what sorts."""
        return Sorter, (self.batch,)

    def accept(self, values: Any, dtype: np.dtype[Any] | None) -> Any:
        """Return values as a flat array of numbers; values on the device stay there."""
        return super().accept(as_cupy(values) if is_on_gpu(values) else values, dtype)


@cache
def _class_on_gpu() -> type[Any]:
    from modern.streams.cuda_sorter import CUDASorting

    return type("CUDASorter", (CUDASorting, Sorter), {"__module__": __name__})
