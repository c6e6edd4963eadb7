"""The first keys of the rows of a CuPy array, and sorted rows: by CuPy's sorts, which do not wait.

The first keys are found by a sort of whole rows: of codes and places in one word of 64 bits, for
keys of up to 32 bits, and by a stable `argsort` for longer ones. Columns are copied to rows.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher, room

HALF = np.uint64(32)

_numbers_first: Any = cupy.ElementwiseKernel(
    "raw T keys, raw int64 signed_nans, int64 length",
    "T moved",
    "long long row = i / length;"
    "moved = keys[row * length + (i % length + signed_nans[row]) % length]",
    "signed_nans_last",
)


def first_of_rows(
    keys: Any, launcher: Launcher, by: int, count: int, in_order: bool, highest: bool
) -> tuple[Any, Any]:
    """Return the first keys of each row in an order, and their places: (outer, count, inner)."""
    rows = cupy.ascontiguousarray(keys.transpose(0, 2, 1))
    ends = rows[..., ::-1] if highest else rows
    codes = order_codes(cupy.ascontiguousarray(ends), launcher, by)
    places = _in_order(codes)[..., :count]
    if highest:
        places = rows.shape[2] - 1 - places
    if not in_order:
        places = cupy.sort(places, axis=2)
    values = cupy.take_along_axis(rows, places, 2)
    return values.transpose(0, 2, 1), places.transpose(0, 2, 1)


def order_codes(rows: Any, launcher: Launcher, by: int) -> Any:
    """Return the codes of contiguous keys in an order, whose smallest values come first."""
    codes = room(rows.shape, launcher.raw)
    if rows.size:
        launcher.run(launcher.kernel("order_codes", BY=by), (rows, np.uint64(rows.size), codes))
    return codes


def _in_order(codes: Any) -> Any:
    """Return the places of the codes of each row in order; of equal codes, by their places."""
    if codes.itemsize > 4:
        return cupy.argsort(codes, axis=2)
    both = codes.astype(np.uint64) << HALF
    both |= cupy.arange(codes.shape[2], dtype=np.uint64)
    both.sort(axis=2)
    return (both & np.uint64(2**32 - 1)).view(np.int64)


def places_of(keys: Any, wanted: Any, highest: bool) -> Any:
    """Return where each row has a key: the first place, or the last one."""
    wanted = wanted[:, None]
    same = keys == wanted
    if keys.dtype.kind == "f":
        same |= (keys != keys) & (wanted != wanted)
    if highest:
        return keys.shape[1] - 1 - cupy.argmax(same[:, ::-1], axis=1).astype(np.int64)
    return cupy.argmax(same, axis=1).astype(np.int64)


def sorted_rows(keys: Any) -> Any:
    """Return each row in ascending order, NaNs last; CuPy alone puts NaNs with a sign first."""
    rows = cupy.sort(keys.transpose(0, 2, 1), axis=2)
    if keys.dtype.kind == "f" and rows.size:
        signed = cupy.count_nonzero(cupy.isnan(rows) & cupy.signbit(rows), axis=2)
        rows = _numbers_first(rows, signed.astype(np.int64), rows.shape[2], size=rows.size).reshape(
            rows.shape
        )
    return rows.transpose(0, 2, 1)
