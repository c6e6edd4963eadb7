"""Answers on a GPU that nothing waits for: a launch of `one-read`, or three that count all values.

The answer is a CuPy array on the device of the keys. The kernels prove it by counts, so the host
needs to see nothing; a launch of `one-read` can be captured in a CUDA graph.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from modern.arrays import served
from shadersort.selection.driver import rank_of, ranks_of

METHODS = ("auto", "one-read")
"""The methods that do this; the others wait for their answers."""


def select(x: Any, k: int) -> Any:
    """Return the key of a rank of an array on a GPU."""
    from modern.primitives.one_read import SELECT

    return _answer(x, k, SELECT)


def multiselect(x: Any, ks: npt.ArrayLike) -> Any:
    """Return the keys of many ranks of an array on a GPU; None if its keys have over 16 bits."""
    from modern.launching.launch import room
    from modern.primitives.counting import launch

    with served(x) as (_, gpu):
        if gpu.dtype.itemsize > 2:
            return None
        ranks = ranks_of(ks, gpu.size)
        answers = room(np.shape(ks), gpu.dtype)
        if ranks.size:
            launch(gpu.launcher, gpu.keys, ranks, answers, np.uint64(0))
        return answers


def median(x: Any, *, nan: bool) -> Any:
    """Return the mean of the two middle keys, of the numbers only if `nan`."""
    from modern.primitives.one_read import MEDIAN, NANMEDIAN

    return _answer(x, 0, NANMEDIAN if nan else MEDIAN)


def _answer(x: Any, k: int, ask: int) -> Any:
    from modern.launching.launch import room
    from modern.primitives.one_read import SELECT, launch

    with served(x) as (_, gpu):
        rank = rank_of(k, gpu.size)
        dtype = gpu.dtype if ask == SELECT or gpu.dtype.kind == "f" else np.dtype(np.float64)
        answer = room((), dtype)
        launch(gpu.launcher, gpu.keys, rank, answer, ask=ask)
        return answer
