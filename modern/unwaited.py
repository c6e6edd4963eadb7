"""Answers on a GPU that nothing waits for: one launch of `one-read`, and an array without a copy.

The answer is a CuPy array without dimensions on the device of the keys. The kernel proves it by
counts, so the host needs to see nothing; the launch can be captured in a CUDA graph.
"""

from typing import Any

import numpy as np

from modern.arrays import served
from shadersort.selection.driver import rank_of

METHODS = ("auto", "one-read")
"""The methods that do this; the others wait for their answers."""


def select(x: Any, k: int) -> Any:
    """Return the key of a rank of an array on a GPU."""
    from modern.launching.launch import room
    from modern.primitives.one_read import launch

    with served(x) as (_, gpu):
        rank = rank_of(k, gpu.size)
        answer = room((), gpu.dtype)
        launch(gpu.launcher, gpu.keys, rank, answer)
        return answer


def median(x: Any, *, nan: bool) -> Any:
    """Return the mean of the two middle keys, of the numbers only if `nan`."""
    from modern.launching.launch import room
    from modern.primitives.one_read import MEDIAN, NANMEDIAN, launch

    with served(x) as (_, gpu):
        rank_of(0, gpu.size)
        answer = room((), gpu.dtype if gpu.dtype.kind == "f" else np.dtype(np.float64))
        launch(gpu.launcher, gpu.keys, 0, answer, ask=NANMEDIAN if nan else MEDIAN)
        return answer
