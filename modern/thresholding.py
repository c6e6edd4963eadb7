"""Thresholding: keep the k keys of largest magnitude, for which Alabi et al. 2012 need selection.

Iterative algorithms of compressed sensing do this in every step (Blumensath and Davies 2010). With
a sort, it would take most of their time.
"""

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from modern.arrays import OnDevice, Tensor, TensorLike, is_on_gpu, served
from modern.homes import answers_at_home
from modern.rows.asked import asked, is_flat, shaped
from modern.rows.outputs import fitting
from shadersort.keys.types import Keys
from shadersort.selection.rows.axes import Axis
from shadersort.selection.thresholds import Kind, check_kind, check_magnitudes
from shadersort.selection.top_keys import count_of


@overload
def threshold(
    x: Tensor,
    k: int,
    *,
    axis: Axis = ...,
    kind: Kind = ...,
    out: Any = ...,
) -> Tensor: ...


@overload
def threshold(
    x: npt.ArrayLike,
    k: int,
    *,
    axis: Axis = ...,
    kind: Kind = ...,
    out: Keys | None = ...,
) -> Keys: ...


@overload
def threshold(
    x: OnDevice,
    k: int,
    *,
    axis: Axis = ...,
    kind: Kind = ...,
    out: Any = ...,
) -> Any: ...


@answers_at_home(rows="kept")
def threshold(
    x: npt.ArrayLike | OnDevice | TensorLike,
    k: int,
    *,
    axis: Axis = -1,
    kind: Kind = "hard",
    out: Any = None,
) -> Any:
    """Return the keys with all but the k of largest magnitude replaced by zero.

    Exactly k keys are kept. Among keys with the magnitude of the k-th, those at the lowest places
    are kept. A NaN has a larger magnitude than any number. "hard" keeps the k keys bit for bit.
    "soft" moves them towards zero by the threshold, which is the largest magnitude that is not kept
    (0 if all are kept): `sign(x) · (|x| − threshold)`. A kept key of exactly that magnitude becomes
    zero too, so it does not matter which of equal magnitudes are kept.

    On a GPU, one of the magnitudes is selected, and one read of the keys writes the result, without
    a wait of the host. If only some of equal magnitudes are kept, their places are noted, or more
    reads find the first of them.

    Beside input and result, the function needs on a GPU the memory of `select`, and a copy of
    strided keys; without a GPU a copy of the keys, and 33 bytes for each of 2**24 keys.

    Parameters
    ----------
    x
        An array of any number of dimensions: floats of at most 64 bits, integers, booleans, or
        `ml_dtypes.bfloat16`. It is not changed. An array on a GPU stays there, as the result does.
    k
        How many keys of each row are kept, from 0 to all.
    axis
        Along which axis the rows lie: the last one, as for `topk`. Several axes are joined to one;
        None joins all.
    kind
        "hard" or "soft".
    out
        Where the result goes: an array of the shape and the type of `x`, where `x` is. It may be
        `x` itself. Then keys on a GPU need no second array.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        These keys cannot be selected from.
    BadOption, BadRank
        There are fewer than k keys, k is no integer, there is no such kind, or `out` does not fit.
    np.exceptions.AxisError, BadAxis
        The array has no such axis.

    Examples
    --------
    >>> threshold([3.0, -5.0, 1.0, -2.0], 2)
    array([ 3., -5.,  0.,  0.])
    >>> threshold([3.0, -5.0, 1.0, -2.0], 2, kind="soft")
    array([ 1., -3.,  0.,  0.])
    >>> weights = np.array([3.0, -5.0, 1.0, -2.0])
    >>> _ = threshold(weights, 1, out=weights)
    >>> weights
    array([ 0., -5.,  0.,  0.])
    """
    check_kind(kind)
    given, soft = shaped(x), kind == "soft"
    if is_on_gpu(given) and is_flat(given, axis):
        return _flat(given, k, kind, out)
    with asked(given, axis) as call:
        check_magnitudes(call.array.dtype)
        if call.is_one_on_gpu():
            kept = _flat(call.row(), k, kind, None)[None, :, None]
        else:
            count = count_of(k, call.rows.length)
            kept = call.rows.threshold(count, soft=soft)
        return call.rows.along(kept, out)


def _flat(x: Any, k: int, kind: Kind, out: Any) -> Any:
    """Threshold an array of one dimension."""
    with served(x) as (xp, keys):
        check_magnitudes(keys.own_dtype)
        count = count_of(k, keys.size)
        result = None if out is None else fitting(x, out, keys.keys.shape, keys.own_dtype)
        shared = written = _shared(result, keys)
        if written is None or not _takes(written, keys.keys):
            written = xp.empty_like(keys.keys)
        if count == 0:
            written.fill(0)
        elif count < keys.size:
            keys.cut(count, kind == "soft", written)
        elif written is not keys.keys:
            written[...] = keys.keys
        if result is None:
            return keys.own(written)
        if written is not shared:
            result[...] = keys.own(written)
        return out


def _shared(result: Any, keys: Any) -> Any:
    """Return an array for stand-ins of keys, in the memory of the result; None if there is none."""
    if result is None or keys.stand_in is None:
        return result
    return keys.stand_in.of(result) if keys.stand_in.shares_memory else None


def _takes(out: Any, keys: Any) -> bool:
    """Whether keys can be written where they belong: beside the given keys, or over them."""
    if not out.flags.c_contiguous:
        return False
    if isinstance(out, np.ndarray):
        return not np.may_share_memory(out, keys) or _start(out) == _start(keys)
    first, last = _start(out), _start(out) + out.nbytes
    apart = last <= _start(keys) or first >= _start(keys) + keys.nbytes
    return first % 16 == 0 and (apart or first == _start(keys))


def _start(array: Any) -> int:
    """Return the address where an array begins."""
    return int(array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr)
