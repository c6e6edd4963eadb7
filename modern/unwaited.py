"""Answers on a GPU that nothing waits for: a launch of `one-read`, or three that count all values.

The answer is a CuPy array on the device of the keys. The kernels prove it by counts, so the host
needs to see nothing; launches for one rank or a median can be captured in a CUDA graph.

Integers of at most 16 bits and booleans have a counter for every value. Floats of 16 bits have one
if many ranks are asked for; for one rank, one-read is faster.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from modern.arrays import served
from shadersort.selection.driver import rank_of, ranks_of

METHODS = ("auto", "one-read")
"""The methods that do this; the others wait for their answers."""


def select(x: Any, k: int, method: str = "auto") -> Any:
    """Return the key of a rank of an array on a GPU."""
    from modern.primitives.one_read import SELECT

    return _answer(x, k, SELECT, method)


def multiselect(x: Any, ks: npt.ArrayLike) -> Any:
    """Return the keys of many ranks of an array on a GPU; None if their values are not counted."""
    from modern.launching.launch import room
    from modern.primitives.counting import launch

    with served(x) as (_, gpu):
        if not gpu.counts_values:
            return None
        ranks = ranks_of(ks, gpu.size)
        answers = room(np.shape(ks), gpu.own_dtype)
        if ranks.size:
            launch(gpu.launcher, gpu.keys, ranks, answers)
        return answers


def median(x: Any, method: str = "auto", *, nan: bool) -> Any:
    """Return the mean of the two middle keys, of the numbers only if `nan`."""
    from modern.primitives.one_read import MEDIAN, NANMEDIAN

    return _answer(x, 0, NANMEDIAN if nan else MEDIAN, method)


def _answer(x: Any, k: int, ask: int, method: str) -> Any:
    from modern.launching.launch import room
    from modern.primitives import counting, one_read

    with served(x) as (_, gpu):
        rank, is_float = rank_of(k, gpu.size), gpu.dtype.kind == "f"
        mean = gpu.own_dtype if is_float else np.dtype(np.float64)
        answer = room((), gpu.own_dtype if ask == one_read.SELECT else mean)
        counted = method == "auto" and gpu.counts_values and not is_float
        launch = counting.launch if counted else one_read.launch
        launch(gpu.launcher, gpu.keys, rank, answer, ask=ask)
        return answer
