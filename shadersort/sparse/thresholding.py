"""Thresholding of one array or of several together: the k keys of largest magnitude are kept."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shadersort.arrays import Home, home_of
from shadersort.errors import BadOption, UnsupportedKeys
from shadersort.keys.key_casts import is_bfloat16, key_cast_of, restore
from shadersort.selection.top_keys import Kind, check_kind, check_magnitudes, count_of, mask


def threshold(x: Any, k: int, *, kind: Kind = "hard", out: Any = None) -> Any:
    """Return arrays with all but the k keys of largest magnitude replaced by zero.

    Of all arrays together, exactly k keys are kept: so a network is pruned "globally". Of equal
    magnitudes the first ones are kept, in the order of the arrays. A NaN has a larger magnitude
    than any number. "hard" keeps the k keys bit for bit. "soft" moves them towards zero by the
    threshold, which is the largest magnitude that is not kept (0 if all are kept): `sign(x) ·
    (|x| − threshold)`. The k-th magnitude is selected, from a copy of all; nothing is sorted. For
    the rows along an axis of one array, use `modern.threshold`.

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
    BadOption, BadRank
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
        arrays = [home.own(each) for each in given]
        compared = _compared_type(arrays)
        count = count_of(k, sum(each.size for each in arrays))
        written = None if out is None else _fitting(home, arrays, x, out)
        widened = [_widened(each.reshape(-1), compared) for each in arrays]
        keys = home.xp.concatenate([home.xp.empty(0, compared), *widened])  # a copy
        del widened
        if count < keys.size:
            rows = home.rows(keys)
            keys = rows.axis_result(rows.threshold(count, soft=kind == "soft"))
        pairs = zip(arrays, np.cumsum([each.size for each in arrays]).tolist(), strict=True)
        found = [_narrowed(each, keys[end - each.size : end], kind) for each, end in pairs]
        if written is None:
            return _like(x, [home.give(each) for each in found])
        for result, own in zip(written, found, strict=True):
            result.view(f"u{own.itemsize}")[...] = own.view(f"u{own.itemsize}")
        return out


def _narrowed(array: Any, kept: Any, kind: Kind) -> Any:
    """Return what is kept of an array in the array's own type; kept bit for bit if "hard"."""
    if kept.dtype == array.dtype:
        return kept.reshape(array.shape)
    if kind == "hard":
        return mask(array, kept.reshape(array.shape).view(f"u{kept.itemsize}") != 0)
    found = kept.reshape(array.shape).astype(_single_type(array.dtype), copy=False)
    return restore(key_cast_of(array.dtype), found).astype(array.dtype, copy=False)


def _widened(array: Any, compared: np.dtype[Any]) -> Any:
    """Return keys in the common type, exactly."""
    cast = key_cast_of(array.dtype)
    return (array if cast is None else cast.cast(array)).astype(compared, copy=False)


def _compared_type(arrays: Sequence[Any]) -> np.dtype[Any]:
    """Return the type in which magnitudes are compared; refuse different ones, except floats."""
    kinds = [_single_type(each.dtype) for each in arrays]
    if len(set(kinds)) > 1 and any(kind.kind != "f" for kind in kinds):
        names = ", ".join(sorted({str(each.dtype) for each in arrays}))
        raise UnsupportedKeys(f"magnitudes of {names} are not compared: use one type, or floats")
    return np.result_type(*kinds) if kinds else np.dtype(np.float64)


def _single_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type in which keys of one array are compared, in native byte order."""
    check_magnitudes(dtype)
    if dtype.kind == "b" or is_bfloat16(dtype):
        return np.dtype(np.uint8 if dtype.kind == "b" else np.float32)
    if dtype.kind not in "fiu" or dtype.itemsize > 8:
        raise UnsupportedKeys(f"{dtype} has no threshold: use floats up to 64 bits, or integers")
    return dtype.newbyteorder("=")


def _is_several(x: Any) -> bool:
    """Whether x is a collection of arrays, and no array of numbers itself."""
    return isinstance(x, Mapping) or (
        isinstance(x, list | tuple)
        and all(hasattr(each, "shape") and not isinstance(each, np.generic) for each in x)
    )


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


def _fitting(home: Home, arrays: Sequence[Any], x: Any, out: Any) -> list[Any]:
    """Return the arrays of `out`; raise BadOption unless results can be written to them."""
    given = _arrays(out)
    if _is_several(out) != _is_several(x) or len(given) != len(arrays):
        raise BadOption("out is no collection of as many arrays as x: pass one, or out=x")
    if isinstance(x, Mapping) and list(x) != list(out):
        raise BadOption(f"out has arrays for {list(out)}, but x for {list(x)}")
    if home_of(*given) != home:
        raise BadOption(f"out is in another place than x, {home}")
    results = [home.own(each) for each in given]
    for one, result, array in zip(given, results, arrays, strict=True):
        if result.shape != array.shape or result.dtype != array.dtype:
            found, wanted = f"{result.dtype} {result.shape}", f"{array.dtype} {array.shape}"
            raise BadOption(f"out has {found} where x has {wanted}")
        if not hasattr(one, "shape") or not getattr(result.flags, "writeable", True):
            raise BadOption(f"out has a {type(one).__name__} that cannot be written to")
    return results
