"""DataArrays of xarray: answers keep their name, and the coordinates of the dimensions left.

Dimensions may be named: `axis="time"`, or `dim="time"` as in xarray. Weights, and the q of rows,
with names of dimensions and with coordinates belong to the keys with the same ones. Of keys that
Dask computes, answers along axes are Dask arrays, too, which are computed when they are asked for.
"""

import sys
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Any, TypeGuard

import numpy as np

from modern.arrays import is_on_gpu
from modern.homes import dask
from modern.homes.aligned import taken
from modern.homes.call import Call
from modern.homes.labels import Front, Kept, Label, relabelled
from shadersort.errors import BadOption, BadWeights, UnsupportedKeys, ValuesMismatch

FRONT = {"q": "quantile", "ks": "rank"}
"""What dimension the argument makes whose shape stands in front of a result."""


def answer(call: Call) -> Any:
    """Answer a call with DataArrays, also if no dimension is left, as xarray does."""
    call = _with_axis(call)
    x = call.x
    if not hasattr(x, "data"):
        raise UnsupportedKeys(
            f"a {type(x).__name__} has several arrays: pass one of them, or x.map(modern.median)"
        )
    lazy = hasattr(x.data, "__dask_graph__")
    keys = x.data if lazy or is_on_gpu(x.data) else np.asarray(x.data)

    def wrap(found: Any, labels: list[Label]) -> Any:
        return _labelled(x, found, labels, FRONT.get(call.front, ""))

    home = dask.answer if lazy else None
    return relabelled(call, keys, x.dims, wrap, partial(_weights, x), partial(_shares, x), home)


def _weights(x: Any, given: Any, along: tuple[int, ...]) -> Any:
    """Return weights with the dimensions and labels in the order that the keys have."""
    if not isinstance(given, sys.modules["xarray"].DataArray):
        return given
    of_row = tuple(x.dims[axis] for axis in along)
    for dims in (x.dims, of_row):
        if sorted(map(str, dims)) == sorted(map(str, given.dims)):
            return _aligned(x, given, dims, "weights")
    raise BadWeights(
        f"weights have the dimensions {given.dims}, and need those of the keys, {x.dims}, or those "
        f"of a row, {of_row}"
    )


def _shares(x: Any, given: Any, left: tuple[int, ...]) -> Any:
    """Return the q of rows with the dimensions that rows leave last, and in the keys' order."""
    if not isinstance(given, sys.modules["xarray"].DataArray):
        return given
    dims = tuple(x.dims[axis] for axis in left)
    if not set(dims).issubset(given.dims):
        raise ValuesMismatch(
            f"q has the dimensions {given.dims}, and with q_per_row needs those of the rows, {dims}"
        )
    return _aligned(x, given, dims, "q")


def _aligned(x: Any, given: Any, dims: Sequence[Hashable], name: str) -> Any:
    """Return numbers with some dimensions of the keys last, in the order of the keys' labels."""
    labels = [[each.indexes.get(dim) for each in (given, x)] for dim in dims]
    return taken(given.transpose(..., *dims).data, labels, name)


def _with_axis(call: Call) -> Call:
    """Return a call with `axis`, where xarray's own word `dim` was passed; Ellipsis is all."""
    options = dict(call.options)
    if "dim" not in options:
        return call
    dim = options.pop("dim")
    if "axis" in options:
        raise BadOption("axis and dim name the same thing: pass one of them")
    return call._replace(options=options | {"axis": None if dim is ... else dim})


def _labelled(x: Any, found: Any, labels: list[Label], front: str) -> Any:
    """Return an array with the coordinates that have only dimensions which are left."""
    dims = [_dim(x, each, front, place) for place, each in enumerate(labels)]
    whole = {dim for dim, each in zip(dims, labels, strict=True) if isinstance(each, Kept)}
    gone = [name for name, each in x.coords.items() if not whole.issuperset(each.dims)]
    chosen = {x.dims[each.axis]: each.places for each in labels if _is_chosen(each)}
    coordinates = x.drop_vars(gone).isel(chosen).coords
    made = type(x)(found, coordinates, dims, name=x.name, attrs=x.attrs)
    values = [each.values for each in labels if isinstance(each, Front)]
    return made.assign_coords({front: values[0]}) if values else made


def _is_chosen(label: Label) -> TypeGuard[Kept]:
    return isinstance(label, Kept) and label.places is not None


def _dim(x: Any, label: Label, front: str, place: int) -> Hashable:
    """Return the name of a dimension: its own, or a new one."""
    if isinstance(label, Front):
        return front
    if label.axis is None:
        return f"{front or 'keys'}_{place}"
    name: Hashable = x.dims[label.axis]
    return name
