"""Windows of keys on a GPU, the rows of a CuPy matrix: their order, codes and runs."""

from typing import Any

import cupy
import numpy as np

from modern.device_arrays import CuPyKeys
from modern.launching.launch import launcher_of
from modern.rows.sorts import sort_rows
from modern.streams.transfers import to_host
from shadersort.keys.types import Keys

HALF = 32
"""Bits of a column or of a row, below the bits of a key."""
THREADS, EACH = 256, 8
"""Threads of a block, and keys that each of them searches for the beginnings of runs."""
CODE, CODE_AND_COLUMN, VALUE = range(3)  # what number_keys.cu writes for a key


def launch(
    name: str, keys: Any, arguments: tuple[Any, ...], threads: int, *, rows: int = 0, **macros: int
) -> None:
    """Launch a kernel for the type of some keys, with threads, or with so many for each of rows."""
    if threads and len(keys):
        stream = cupy.cuda.get_current_stream().ptr
        launcher = launcher_of(np.dtype(keys.dtype), cupy.cuda.runtime.getDevice(), stream)
        blocks, block = (rows, threads) if rows else (-(-threads // THREADS), THREADS)
        launcher.launch(launcher.kernel(name, **macros), (blocks,), block, arguments)


def on_device(array: Any) -> Any:
    """Return a contiguous array on the current device."""
    return cupy.ascontiguousarray(cupy.asarray(array))


def widen(keys: Any) -> Any:
    """Return keys of a type that kernels know: integers of 8 and 16 bits become 32 bits wide."""
    if keys.dtype.kind == "f" or keys.dtype.itemsize >= 4:
        return keys
    return keys.astype(f"{keys.dtype.kind}4")


def plain_zeros(keys: Any) -> Any:
    """Return keys with 0.0 for −0.0, by their bits: CuPy's additions flush denormals."""
    if keys.dtype.kind != "f":
        return keys
    bits = keys.view(f"u{keys.itemsize}")
    minus = bits.dtype.type(1 << (8 * keys.itemsize - 1))
    return cupy.where(bits == minus, bits.dtype.type(0), bits).view(keys.dtype)


def convert(keys: Any, dtype: Any) -> Any:
    """Return keys in a type that has all of their values, or None if some might change."""
    kind, large = np.dtype(keys.dtype), 1 << 53
    if kind == dtype:
        return keys
    if kind == np.float32 and dtype == np.float64:  # CuPy would flush denormals
        found = cupy.empty(keys.shape, np.float64)
        launch("number_keys", keys, (keys, keys.size, 1, 0, 0, found), keys.size, NUMBERS=VALUE)
        return found
    exact = np.can_cast(kind, dtype, "safe")
    if exact and kind.itemsize == 8:  # integers of 64 bits, to float64
        exact = keys.size and -large <= int(keys.min()) and int(keys.max()) <= large
    return keys.astype(dtype) if exact else None


def codes_of(keys: Any) -> Any:
    """Return the order-preserving codes of contiguous keys of a type that kernels know."""
    codes = cupy.empty(keys.shape, f"u{keys.itemsize}")
    launch("number_keys", keys, (keys, keys.size, 1, 0, 0, codes), keys.size, NUMBERS=CODE)
    return codes


def rows_in_order(rows: Any, bits: tuple[int, int] | None = None) -> Any:
    """Return a matrix of widened keys with each row in the order of `np.sort`, −0.0 before 0.0.

    Unsigned keys may be sorted by some bits only: then others keep their order.
    """
    rows = cupy.ascontiguousarray(rows)
    found = cupy.empty(rows.shape, rows.dtype)
    if rows.size:
        sort_rows(CuPyKeys(rows), rows.data.ptr, rows.shape, found.data.ptr, bits)
    return found


def sort_windows(windows: Any) -> Any:
    """Return windows with each row in order, widened, on the device; no key may be a NaN."""
    return rows_in_order(widen(on_device(windows)))


def sort(windows: Any) -> Keys:
    """Return windows with each row in order, on the host."""
    return to_host(sort_windows(windows).astype(windows.dtype, copy=False))


def order_of_rows(rows: Any) -> Any:
    """Return numbers of 64 bits whose lower halves are the columns that sort each row.

    Equal widened keys keep their order, as both zeros do; codes are sorted by lower halves first.
    """
    rows, order = cupy.ascontiguousarray(rows), 0
    for shift in range(0, 8 * rows.itemsize, HALF):
        numbers = cupy.empty(rows.shape, np.uint64)
        given = rows, rows.size, rows.shape[1], shift, order, numbers
        launch("number_keys", rows, given, rows.size, NUMBERS=CODE_AND_COLUMN)
        order = rows_in_order(numbers, (HALF, HALF + min(HALF, 8 * rows.itemsize)))
    return order


def find_runs(ordered: Any, above: Any = None) -> Any:
    """Return the places where runs of equal keys begin, their numbers of keys, and their rows.

    Only runs of more keys than `above` has for their row; None wants all, but only their places.
    """
    threads = -(-ordered.size // EACH)
    ends = cupy.empty(threads, np.uint64)
    limits = 0 if above is None else cupy.asarray(above, np.uint64)
    given = ordered, ordered.size, ordered.shape[-1], limits
    launch("find_runs", ordered, (*given, ends, 0, 0, 0), threads, EACH=EACH, WRITE=0)
    ends = cupy.cumsum(ends)
    runs = int(ends[-1:].sum())
    found = cupy.empty((1 if above is None else 3, runs), np.int64)
    columns = (*found, 0, 0)[:3]
    launch("find_runs", ordered, (*given, ends, *columns), threads, EACH=EACH, WRITE=1)
    return found
