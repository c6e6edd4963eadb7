"""Answers on a GPU that nothing waits for: a launch of `one-read`, or a few that count.

The answer is a CuPy array on the device of the keys. The kernels prove it by counts, so the host
needs to see nothing; launches for one rank or a median can be captured in a CUDA graph.

Keys of at most 16 bits have a counter for every value if many ranks are asked for. For one rank
one-read is faster, except for very many integers of 8 bits and booleans. Many ranks of longer keys
are found by cells.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from modern.arrays import on_device
from shadersort.selection.driver import rank_of, ranks_of
from shadersort.selection.methods.one_read import SEVERAL

COUNTED = 1 << 24
"""One rank of more bytes than this is found by counters: three launches cost as much as a read."""

METHODS = ("auto", "one-read")
"""The methods that do this; the others wait for their answers."""


def select(x: Any, k: int, method: str = "auto") -> Any:
    """Return the key of a rank of an array on a GPU."""
    from modern.primitives.one_read import SELECT

    return _answer(x, k, SELECT, method)


def multiselect(x: Any, ks: npt.ArrayLike) -> Any:
    """Return the keys of many ranks of an array on a GPU; None if that needs the host."""
    from modern.launching.waiting import room
    from modern.primitives import gpu_keys

    with on_device(x) as given:
        keys, launcher = gpu_keys.as_launched(given)
        ranks = ranks_of(ks, keys.size)
        launch = _launch_for(launcher, keys.size, ranks.size)
        if launch is None:
            return None
        answers = room(np.shape(ks), given.dtype)
        if ranks.size:
            launch(launcher, keys, ranks, answers.ravel())
        return answers


def _launch_for(launcher: Any, size: int, asked: int) -> Any:
    """Return what finds so many ranks of so many keys without the host, or None."""
    from modern.primitives import cells, cells_shape, counting, gpu_keys

    if gpu_keys.counts_values(launcher):
        return counting.launch
    many = size > gpu_keys.FEW and SEVERAL < asked <= cells.MOST
    return cells.launch if many and cells_shape.is_possible(launcher, size) else None


def median(x: Any, method: str = "auto", *, nan: bool) -> Any:
    """Return the mean of the two middle keys, of the numbers only if `nan`."""
    from modern.primitives.one_read import MEDIAN, NANMEDIAN

    return _answer(x, 0, NANMEDIAN if nan else MEDIAN, method)


def _answer(x: Any, k: int, ask: int, method: str) -> Any:
    from modern.launching.waiting import room
    from modern.primitives import counting, gpu_keys, one_read

    with on_device(x) as given:
        keys, launcher = gpu_keys.as_launched(given)
        rank, whole = rank_of(k, keys.size), given.dtype.kind in "biu"
        answer = room((), np.float64 if whole and ask != one_read.SELECT else given.dtype)
        many = whole and keys.itemsize == 1 and keys.size > COUNTED
        counted = method == "auto" and many and gpu_keys.counts_values(launcher)
        launch: Any = counting.launch if counted else one_read.launch
        launch(launcher, keys, rank, answer, ask=ask)
        return answer
