"""A call along axes: what array, which rows, and where the result goes.

Calls on one dimension, without any of this, do not come here: they take the short ways that
`is_flat` leaves to them.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from modern.arrays import is_on_gpu, module_of, on_device
from modern.rows.outputs import delivered
from shadersort.errors import BadAxis, EmptyInput, KeysNotFlat, MethodUnavailable
from shadersort.keys.accepted import SELECTED, as_rows_of_keys
from shadersort.keys.stand_ins import BfloatBits, StandIn, stand_in_of
from shadersort.selection.rows.axes import Axis, Layout, layout_of
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.own import OwnRows
from shadersort.selection.rows.protocol import Rows

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
    """An array, how its rows lie, and what was asked about the result.

    It is the context of an array on the host itself, which needs none: to make one takes time.
    """

    x: Any  # as it was given
    array: Any  # the same as an array of NumPy or CuPy
    layout: Layout
    keepdims: bool = False
    out: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def reduced(
        self, ask: Callable[[Rows], Any], front: tuple[int, ...] = (), *, rank: bool = True
    ) -> Any:
        """Return what the rows answer, (…, outer, inner) with the axes `front` first.

        With `rank`, rows without keys raise EmptyInput.
        """
        if rank:
            self.check_length()
        return self.result(ask(self.rows()), front)

    def filled(self, answer: Any) -> Any:
        """Return one answer, a scalar or an array of NumPy, for all rows."""
        xp, (outer, _, inner) = module_of(self.array), self.layout.seen
        answer = xp.asarray(answer)[..., None, None]
        front = answer.shape[:-2]
        return self.result(xp.broadcast_to(answer, (*front, outer, inner)).copy(), front)

    def check_length(self) -> None:
        """Raise EmptyInput if the rows have no keys."""
        if not self.layout.length:
            raise EmptyInput("no keys, so none has any rank: pass at least one")

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return what was found, (…, outer, inner), in the shape and the place asked for."""
        found = self.layout.result(found, front, keepdims=self.keepdims)
        return delivered(found, self.out, self.x)

    def by_one_row(self, select: Callable[[Any], Any], by_name: str) -> Any:
        """Return what a selection from an array of one dimension finds; None of several rows.

        What it returns beside an answer stays as it is. Several rows and options of a method, which
        `by_name` names, raise MethodUnavailable.
        """
        if self.layout.count != 1:
            if by_name:
                raise MethodUnavailable(
                    f"rows are selected from by a method of their own, without {by_name}: leave "
                    f"out what is not for rows, or pass one row, not {self.layout.count}"
                )
            return None
        found = select(self.row())
        answer, *more = found if isinstance(found, tuple) else (found,)
        xp_answer = answer if is_on_gpu(answer) else np.asarray(answer)
        front = xp_answer.shape
        result = self.layout.result(xp_answer, front, keepdims=self.keepdims)
        result = delivered(result, self.out, self.x)
        return (result, *more) if more else result

    def row(self) -> Any:
        """Return the only row, flat."""
        return self.layout.rows(self.array).reshape(-1)

    def is_one_on_gpu(self) -> bool:
        """Whether there is one row, on a GPU: then all blocks read it, not one."""
        return self.layout.count == 1 and is_on_gpu(self.array)

    def rows(self) -> Rows:
        """Return the rows of the array, which know what to do."""
        rows, stand_in = self.stood_in()
        return rows if stand_in is None else OwnRows(rows, stand_in)

    def stood_in(self, *, computed: bool = False) -> tuple[Rows, StandIn | None]:
        """Return the rows of the array or of its stand-ins, and what turns these back, if any.

        `computed` is as in `stands_in_for`.
        """
        stand_in = stands_in_for(self.array, computed=computed)
        keys = self.layout.rows(self.array if stand_in is None else stand_in.of(self.array))
        return rows_of_keys(keys, stand_in), stand_in


def stands_in_for(array: Any, *, computed: bool) -> StandIn | None:
    """Return what stands in for the keys of an array in its rows; None if they are taken as is.

    If keys are `computed` with, beyond what kernels do, it is numbers: float32 for bfloat16.
    """
    return stand_in_of(np.dtype(array.dtype), bits=not computed and is_on_gpu(array))


def rows_of_keys(keys: Any, stand_in: StandIn | None = None) -> Rows:
    """Return the rows of an array (outer, length, inner) of NumPy or CuPy, or of its stand-ins."""
    if not is_on_gpu(keys):
        return NumPyRows(keys)
    from modern.rows.cuda import CUDARows

    return CUDARows(keys, stand_in.dtype if isinstance(stand_in, BfloatBits) else None)


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
    layout = layout_of(array, axis)
    if single and len(layout.axes) != 1:
        raise BadAxis(f"{single} takes one axis, or None for the flat array, not {axis}")
    return Asked(x, array, layout, keepdims, out)
