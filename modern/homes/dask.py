"""Dask arrays: one answer for all keys by rounds of tasks, answers along axes as Dask arrays.

- If no axis is left, because there is one dimension, or `axis` names all or is None, the answer is
  computed at once: a scalar or an array of NumPy. Every round computes the chunks anew, unless they
  are persisted; keys may be larger than the cluster's memory (`modern/on_dask/`).
- Otherwise the answer is a Dask array (`dask_rows.py`).
"""

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.homes.call import Call
from modern.homes.parts import answer_over
from shadersort.errors import MethodUnavailable

ONE_ARRAY = {"out": None, "weights": None, "segments": None, "q_per_row": False}
"""Options that only arrays in memory have, with their defaults."""


def answer(call: Call) -> Any:
    """Answer a call with keys in a Dask array, or in a column of a Dask data frame."""
    if hasattr(call.x, "to_dask_array"):
        call = call._replace(x=call.x.to_dask_array())
    for name, default in ONE_ARRAY.items():
        if call.options.get(name, default) is not default:
            raise MethodUnavailable(f"Dask arrays take no {name}: pass an array in memory")
    along = _along(call.axis, call.x.ndim)
    if len(along) == call.x.ndim:
        return _of_all(call)
    from modern.homes.dask_rows import of_rows

    return of_rows(call, along)


def _along(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes along which rows lie, ascending."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(sorted(normalize_axis_tuple(axis, ndim)))


def _of_all(call: Call) -> Any:
    """Return the answer for all keys."""
    from modern.on_dask import DaskPrimitives

    apart = ("axis", "keepdims")
    options = {name: each for name, each in call.options.items() if name not in apart}
    name = call.function.__name__
    found = answer_over(lambda: DaskPrimitives.of(call.x, name), call._replace(options=options))
    if not call.options.get("keepdims"):
        return found
    return np.reshape(found, np.shape(found) + (1,) * call.x.ndim)
