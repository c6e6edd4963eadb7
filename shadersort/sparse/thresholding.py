"""Thresholding of one array or of several together: the k of largest magnitude are kept.

So are networks pruned "globally": the smallest weights of all layers become zero, whichever layer
has them. Nothing is joined or sorted.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadersort.arrays import home_of
from shadersort.errors import BadOption
from shadersort.selection.thresholds import Kind, check_kind
from shadersort.selection.top_keys import count_of
from shadersort.sparse.kept import kept_above
from shadersort.sparse.level import level_of
from shadersort.sparse.parts import Parts, parts_of


def threshold(x: Any, k: int, *, kind: Kind = "hard", out: Any = None) -> Any:
    """Return arrays with all but the k keys of largest magnitude replaced by zero.

    Of all arrays together, exactly k keys are kept. Among keys with the magnitude of the k-th, the
    first ones are kept: arrays count in their order, and places with the last axis fastest. A NaN
    has a larger magnitude than any number. "hard" keeps the k keys bit for bit. "soft" moves them
    towards zero by the threshold, which is the largest magnitude that is not kept (0 if all are
    kept): `sign(x) · (|x| − threshold)`. A kept key of exactly that magnitude becomes zero, too.

    All keys are read once to select the k-th magnitude, and once to write the result; once more
    only if some, but not all, keys of that magnitude are kept. Beside the result, the call needs
    memory for about one key in a hundred, and pieces of the arrays. For the rows along an axis of
    one array, use `modern.threshold`.

    Parameters
    ----------
    x
        An array of any number of dimensions; or a list, a tuple or a dict of arrays, as the weights
        of a network. Floats of 16 to 64 bits, of different types if there are several arrays;
        or integers, booleans or `ml_dtypes.bfloat16` of one type. All in one place.
    k
        How many keys are kept, from 0 to all.
    kind
        "hard" or "soft".
    out
        Where the results go: arrays of the same shapes and types, in the same kind of collection.
        `out=x` changes the arrays of `x` in place.

    Raises
    ------
    UnsupportedKeys
        These keys have no magnitudes, or none that are compared with each other.
    BadCount, BadRank, BadOption
        There are fewer than k keys, k is no integer, there is no such kind, or `out` does not fit.
    ArraysApart
        The arrays are not in one place.

    Examples
    --------
    >>> threshold([3.0, -5.0, 1.0, -2.0], 2)
    array([ 3., -5.,  0.,  0.])
    >>> weights = {"layer 1": np.array([3.0, -5.0]), "layer 2": np.array([[1.0], [-4.0]])}
    >>> _ = threshold(weights, 2, out=weights)
    >>> weights["layer 1"], weights["layer 2"].ravel()
    (array([ 0., -5.]), array([ 0., -4.]))
    """
    check_kind(kind)
    given = _arrays(x)
    home = home_of(*given)
    with home.here():
        parts = parts_of(home, [home.own(each) for each in given])
        count = count_of(k, parts.size)
        if out is None:
            results = [home.xp.empty(each.shape, each.dtype) for each in parts.arrays]
        else:
            results = _fitting(parts, x, out)
        _write(parts, count, kind, results)
        return out if out is not None else _like(x, [home.given(each) for each in results])


def _is_several(x: Any) -> bool:
    """Whether x is a collection of arrays, and no array of numbers itself."""
    if isinstance(x, Mapping):
        return True
    if not isinstance(x, list | tuple):
        return False
    return all(hasattr(each, "shape") and not isinstance(each, np.generic) for each in x)


def _arrays(x: Any) -> list[Any]:
    if not _is_several(x):
        return [x]
    return list(x.values()) if isinstance(x, Mapping) else list(x)


def _like(x: Any, results: list[Any]) -> Any:
    """Return results in a collection like x."""
    if not _is_several(x):
        return results[0]
    if isinstance(x, Mapping):
        return dict(zip(x, results, strict=True))
    return tuple(results) if isinstance(x, tuple) else results


def _fitting(parts: Parts, x: Any, out: Any) -> list[Any]:
    """Return the arrays of `out`; raise BadOption unless results can be written to them."""
    if _is_several(out) != _is_several(x) or len(_arrays(out)) != len(parts.arrays):
        raise BadOption("out is no collection of as many arrays as x: pass one, or out=x")
    if isinstance(x, Mapping) and list(x) != list(out):
        raise BadOption(f"out has arrays for {list(out)}, but x for {list(x)}")
    if home_of(*_arrays(out)) != parts.home:
        raise BadOption(f"out is in another place than x, {parts.home}")
    results = [parts.home.own(each) for each in _arrays(out)]
    for given, result, array in zip(_arrays(out), results, parts.arrays, strict=True):
        if isinstance(given, list | tuple | np.generic | int | float):
            raise BadOption(f"out has {type(given).__name__}s, which cannot be written to")
        if result.shape != array.shape or result.dtype != array.dtype:
            raise BadOption(
                f"out has {result.dtype} of shape {result.shape} where x has {array.dtype} of "
                f"shape {array.shape}"
            )
        if isinstance(result, np.ndarray) and not result.flags.writeable:
            raise BadOption("out is read-only")
    _check_apart(parts, results)
    return results


def _check_apart(parts: Parts, results: Sequence[Any]) -> None:
    """Raise BadOption if a result would change keys that are still to be read."""
    xp = parts.home.xp
    for place, result in enumerate(results):
        for other, array in enumerate(parts.arrays):
            if not xp.may_share_memory(result, array) or not xp.shares_memory(result, array):
                continue
            if place != other or not _is_same(result, array):
                raise BadOption(
                    f"array {place} of out shares memory with array {other} of x: pass each array "
                    "once, and as out the same arrays or others"
                )


def _is_same(one: Any, other: Any) -> bool:
    """Whether two arrays of one shape are the same memory, key by key."""
    return _start(one) == _start(other) and one.strides == other.strides


def _start(array: Any) -> int:
    """Return the address where an array begins."""
    return int(array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr)


def _write(parts: Parts, count: int, kind: Kind, results: Sequence[Any]) -> None:
    """Write the kept keys, and zero for all others."""
    if 0 < count < parts.size:
        soft = kind == "soft"
        kept_above(parts, level_of(parts, count + soft), count, soft, results)
        return
    for array, result in zip(parts.arrays, results, strict=True):
        if not count:
            result.fill(0)
        elif _start(result) != _start(array):
            result[...] = array
