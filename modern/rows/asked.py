"""A call along axes: what array, which rows, and where the result goes.

Calls on one dimension, without any of this, do not come here: they take the short ways that
`is_flat` leaves to them.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from modern.arrays import is_on_gpu, on_device
from shadersort.errors import BadAxis, EmptyInput, KeysNotFlat, MethodUnavailable
from shadersort.keys.accepted import SELECTED, as_rows_of_keys
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.host import HostRows

Where: TypeAlias = tuple[Axis, bool, Any]
"""axis, keepdims and out."""

FLAT = (-1, 0, None)
"""The axes that all name the only one."""


def shaped(x: Any) -> Any:
    """Return what has dimensions as it is, and make an array of anything else.

    Examples
    --------
    >>> shaped([[1, 2]]).shape
    (1, 2)
    """
    return x if hasattr(x, "ndim") or is_on_gpu(x) else SELECTED.array(x)


def is_flat(x: Any, axis: Axis = None, keepdims: bool = False, out: Any = None) -> bool:
    """Whether a call is about an array of one dimension, and wants a scalar or a flat array.

    Examples
    --------
    >>> is_flat(np.zeros(3), -1), is_flat(np.zeros((2, 3)), -1)
    (True, False)
    """
    if keepdims or out is not None or getattr(x, "ndim", 1) != 1:
        return False
    return axis is None or (isinstance(axis, int) and axis in FLAT)


def by_name(options: Mapping[str, Any], **named: Any) -> str:
    """Return what is asked of a method of selection, for messages; "" if it is nothing.

    `named` are options of all methods: "auto" and False ask for nothing.

    Examples
    --------
    >>> by_name({"finish": "sort"}, method="radix", return_trace=False)
    "method='radix', finish"
    >>> by_name({}, method="auto")
    ''
    """
    asked = []
    for name, each in named.items():
        if each is not False and each != "auto":
            asked.append(f"{name}={each!r}")
    return ", ".join((*asked, *options))


class Asked(NamedTuple):
    """An array as it was given, and its rows.

    It is the context of an array on the host itself, which needs none: to make one takes time.
    """

    x: Any
    array: Any  # the same as an array of NumPy or CuPy
    rows: Any

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def filled(self, answer: Any) -> Any:
        """Return one answer, a scalar or an array of NumPy, for all rows."""
        answer = np.asarray(answer)
        found = np.empty((*answer.shape, self.rows.count), answer.dtype)
        found[...] = answer[..., None]
        return self.rows.result(found, answer.shape)

    def check_length(self) -> None:
        """Raise EmptyInput if the rows have no keys."""
        if not self.rows.length:
            raise EmptyInput("no keys, so none has any rank: pass at least one")

    def by_one_row(self, select: Callable[[Any], Any], by_name: str) -> Any:
        """Return what a selection from an array of one dimension finds, if it is by a name.

        What it returns beside an answer stays as it is. Several rows and options of a method, which
        `by_name` names, raise MethodUnavailable.
        """
        if not by_name:
            return None
        if self.rows.count != 1:
            raise MethodUnavailable(
                f"rows are selected from by a method of their own, without {by_name}: leave "
                f"out what is not for rows, or pass one row, not {self.rows.count}"
            )
        found = select(self.array.reshape(-1))
        answer, *more = found if isinstance(found, tuple) else (found,)
        result = self.rows.result(answer, np.shape(answer))
        return (result, *more) if more else result

    def is_one_on_gpu(self) -> bool:
        """Whether there is one row, on a GPU: then all blocks read it, not one."""
        return self.rows.count == 1 and is_on_gpu(self.array)


def asked(
    x: Any, axis: Axis, keepdims: bool = False, out: Any = None, *, single: str = ""
) -> AbstractContextManager[Asked]:
    """Return a context that gives what was asked about an array of one dimension or more.

    The call that is named `single` takes one axis, or None for the flat array. Inside the `with`
    block the device of an array on a GPU is the current device.
    """
    if is_on_gpu(x):
        return _OnGpu(x, (axis, keepdims, out, single))
    return _asked(x, as_rows_of_keys(x), axis, keepdims, out, single)


class _OnGpu:
    """What was asked about an array on a GPU, in a context of its device."""

    __slots__ = "_device", "_where", "_x"

    def __init__(self, x: Any, where: tuple[Any, ...]) -> None:
        self._x, self._where, self._device = x, where, on_device(x)

    def __enter__(self) -> Asked:
        given = self._device.__enter__()
        try:
            return _asked(self._x, given, *self._where)
        except BaseException as error:
            self._device.__exit__(type(error), error, None)
            raise

    def __exit__(self, *error: Any) -> None:
        self._device.__exit__(*error)


def _asked(x: Any, array: Any, axis: Axis, keepdims: bool, out: Any, single: str) -> Asked:
    if not array.ndim:
        if axis not in (None, ()):
            raise KeysNotFlat("keys must have 1 dimension or more, not 0: pass [key] or axis=None")
        array, axis, keepdims = array.reshape(1), 0, False  # one key alone, as in NumPy
    if single and axis is None:
        array, axis = array.reshape(-1), 0
    rows = HostRows(array, axis, keepdims=keepdims, out=out)
    if single and len(rows.layout.axes) != 1:
        raise BadAxis(f"{single} takes one axis, or None for the flat array, not {axis}")
    return Asked(x, array, rows)
