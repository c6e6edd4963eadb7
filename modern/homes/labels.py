"""Labels of results: keys are computed with as arrays, and labelled again.

Of each axis of a result it is known which axis of the keys it comes from. An axis along which rows
lie has no labels after keys were put in order, because each row has an order of its own. The top
keys of one dimension keep their labels.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.homes.call import Call
from shadersort.errors import BadAxis, choices
from shadersort.selection.rows.axes import Axes


@dataclass(frozen=True, slots=True)
class Kept:
    """An axis of the keys that a result keeps: whole, or only these places."""

    axis: int
    places: Any = None


@dataclass(frozen=True, slots=True)
class Front:
    """The axis of the q of quantiles, or of ranks."""

    values: Any


@dataclass(frozen=True, slots=True)
class New:
    """An axis without labels; it comes from an axis of the keys, or from none."""

    axis: int | None = None


Label: TypeAlias = Kept | Front | New

Match: TypeAlias = Callable[[Any, tuple[int, ...]], Any]
"""Puts what belongs to some axes of the keys in their order, if it has labels."""

Numbers: TypeAlias = int | Axes | None
"""Axes without names."""


def relabelled(
    call: Call,
    keys: Any,
    names: Sequence[Hashable],
    wrap: Callable[[Any, list[Label]], Any],
    weigh: Match,
    share: Match,
    home: Callable[[Call], Any] | None = None,
) -> Any:
    """Answer a call with arrays that have labels.

    `keys` are the keys without labels, `names` those of their axes; `wrap` labels an array. `weigh`
    puts weights in the order of the keys, given the axes of a row, and `share` the q of rows, given
    the other axes. If keys have a home themselves, it answers.
    """
    axis, ndim = numbered(call.axis, names), np.ndim(keys)
    named: dict[str, Any] = {"axis": axis} if "axis" in call.options else {}
    if call.options.get("weights") is not None:
        named["weights"] = weigh(call.options["weights"], _along(axis, ndim))
    if call.options.get("q_per_row"):
        left = tuple(sorted(set(range(ndim)).difference(_along(axis, ndim))))
        call = call.with_front(lambda q: share(q, left))
    if home is None:
        found = call.of(keys, **named)
    else:
        found = home(call._replace(x=keys, options=call.options | named))
    if call.out is not None:
        return found
    labels = labels_of(call, found, axis, ndim)
    return call.answered(found, lambda each: wrap(each, labels))


def numbered(axis: Any, names: Sequence[Hashable]) -> Numbers:
    """Return axes by their numbers, of which some may be given by their names.

    Examples
    --------
    >>> numbered("x", ("y", "x")), numbered(["y", -1], ("y", "x")), numbered(None, "yx")
    (1, (0, -1), None)
    """
    if axis is None:
        return None
    if isinstance(axis, str):
        if axis not in names:
            raise BadAxis(f"no axis is called {axis!r}: use {choices(list(map(str, names)))}")
        return names.index(axis)
    if isinstance(axis, Sequence):
        return tuple(_number(each, names) for each in axis)
    number: int = axis
    return number


def _number(axis: Any, names: Sequence[Hashable]) -> int:
    number = numbered(axis, names)
    if not isinstance(number, int):
        raise BadAxis(f"an axis is a number or a name, not {axis!r}")
    return number


def labels_of(call: Call, found: Any, axis: Numbers, ndim: int) -> list[Label]:
    """Return the labels of each axis of a result of keys of `ndim` dimensions.

    Examples
    --------
    >>> call = Call(np.quantile, None, (0.5,), {"keepdims": True}, front="q")
    >>> labels_of(call, None, 1, 2)
    [Kept(axis=0, places=None), New(axis=1)]
    """
    if call.options.get("segments") is not None and call.rows in ("reduced", "chosen"):
        return [*_front(call), New(), *([New()] if call.rows == "chosen" else [])]
    along = _along(axis, ndim)
    if call.rows == "kept":
        return [Kept(each) for each in range(ndim)]
    whole = call.rows != "reduced"
    if whole and axis is None and ndim > 1:
        return [New()]
    if call.rows == "chosen" and ndim == 1:
        return [Kept(0, found.indices)]
    whole = whole or call.options.get("keepdims", False)
    rest: list[Label] = [
        New(each) if each in along else Kept(each)
        for each in range(ndim)
        if whole or each not in along
    ]
    if call.options.get("q_per_row"):  # then q has the axes of the rows, too
        return [New() for _ in range(np.ndim(found) - len(rest))] + rest
    return _front(call) + rest


def _along(axis: Numbers, ndim: int) -> tuple[int, ...]:
    """Return the axes along which rows lie, in the order that was given."""
    return tuple(range(ndim)) if axis is None else normalize_axis_tuple(axis, ndim)


def _front(call: Call) -> list[Label]:
    values = call.in_front
    if values is None:
        return []
    return [Front(values)] if values.ndim == 1 else [New() for _ in range(values.ndim)]
