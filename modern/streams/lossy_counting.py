"""Lossy counting on a GPU, many windows at once: kernels/lossy_*.cu.

The count of an item over several windows depends on no other item. So the keys of a batch are
sorted together, each followed by the number of its window; the held items are sorted with them, as
if they came before all windows. Equal neighbours then come in one window, and one thread walks all
windows of an item.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.waiting import Launcher
from modern.primitives.cupy import CuPyPrimitives
from modern.streams.row_sort import widened
from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import SMALLEST
from shadersort.streams.lossy_counting import LossyCounts
from shadersort.streams.summary import Timed

EACH = 8
"""Numbers that each thread searches for runs."""

HALF = np.uint64(32)
"""Bits of the number that follows an item."""


def codes_of(keys: Any) -> Any:
    """Return the order-preserving codes of keys on the GPU, of a type that kernels know."""
    return CuPyPrimitives(keys.ravel()).order_codes(SMALLEST).reshape(keys.shape)


def lossy_counts(held: LossyCounts, windows: Any, buckets: int, timed: Timed) -> LossyCounts:
    """Return lossy counts with windows added in their order; each is `buckets` buckets long."""
    keys = cupy.ascontiguousarray(widened(windows))
    items = held.items.astype(keys.dtype)
    with timed("sort"):
        numbered = _numbered_codes if keys.itemsize <= 4 else _numbered_ranks
        ordered, codes_of = numbered(keys, items)
    with timed("merge"):
        entries, starts = _runs(ordered)
        places, *numbers = _walked(held, entries, starts, keys, buckets)
        found = cupy.stack([codes_of(places).view(np.int64), *numbers]).get()
    kept = decode(found[0].astype(f"u{keys.itemsize}"), keys.dtype).astype(held.items.dtype)
    return LossyCounts(held.bucket, held.buckets + len(keys) * buckets, kept, *found[1:].copy())


def _numbered_codes(keys: Any, items: Keys) -> tuple[Any, Any]:
    """Return numbered codes of keys of at most 32 bits in order, and a function of their places.

    The function returns the codes at places. A held item is followed by its place among the held
    items; a key by the number of its window plus the number of held items.
    """
    n, held = keys.size, len(items)
    ordered = cupy.empty(n + held, np.uint64)
    launcher = Launcher(np.dtype(keys.dtype))
    sizes = np.uint64(n), np.uint64(keys.shape[1]), np.uint32(held)
    launcher.run_threads(launcher.kernel("lossy_numbered"), (keys, *sizes, ordered), n)
    numbers = np.arange(held, dtype=np.uint64)
    ordered[n:] = cupy.asarray(encode(items).astype(np.uint64) << HALF | numbers)
    ordered.sort()
    return ordered, lambda places: ordered[places] >> HALF


def _numbered_ranks(keys: Any, items: Keys) -> tuple[Any, Any]:
    """Do the same for keys of 64 bits, with ranks of the codes in place of the codes."""
    held, length = len(items), keys.shape[1]
    found = cupy.concatenate([cupy.asarray(encode(items)), codes_of(keys.ravel())])
    order = cupy.argsort(found, kind="stable")
    ordered = found[order]
    ranks = cupy.zeros(ordered.shape, np.uint64)
    ranks[1:] = cupy.cumsum(ordered[1:] != ordered[:-1], dtype=np.uint64)
    numbers = cupy.where(order < held, order, held + (order - held) // length)
    return ranks << HALF | numbers.astype(np.uint64), lambda places: ordered[places]


def _runs(ordered: Any) -> tuple[Any, Any]:
    """Return the number of each run of equal numbers, given numbers in order, and its place."""
    n, threads = np.uint64(ordered.size), -(-ordered.size // EACH)
    launcher, ends = Launcher(np.dtype(np.uint64)), cupy.empty(threads, np.uint64)
    kernel = launcher.kernel("lossy_runs", EACH=EACH, WRITE=0)
    launcher.run_threads(kernel, (ordered, n, ends, ends, ends), threads)
    ends = cupy.cumsum(ends)
    starts, entries = cupy.empty((2, int(ends[-1:].get()[0])), np.uint64)
    kernel = launcher.kernel("lossy_runs", EACH=EACH, WRITE=1)
    launcher.run_threads(kernel, (ordered, n, ends, starts, entries), threads)
    return entries, starts


def _walked(held: LossyCounts, entries: Any, starts: Any, keys: Any, buckets: int) -> Any:
    """Return three rows for all items held at the end: their places, counts f and missed Δ.

    A new item is held only if it comes more often in a window than the window has buckets.
    """
    most = len(held.items) + keys.size // (buckets + 1)
    found, total = cupy.empty((3, most), np.uint64), cupy.zeros(1, np.uint64)
    given = cupy.asarray(np.concatenate([held.counts, held.missed]))
    sizes = np.uint64(len(entries)), np.uint64(len(held.items) + keys.size)
    numbers = (np.uint64(each) for each in (held.buckets, buckets, len(keys), most))
    launcher = Launcher(np.dtype(np.uint64))
    launcher.run_threads(
        launcher.kernel("lossy_counting"),
        (
            *(entries, starts, *sizes, given, given[len(held.items) :], np.uint32(len(held.items))),
            *(*numbers, found, total),
        ),
        len(entries),
    )
    kept = found[:, : int(total.get()[0])].astype(np.int64)
    return kept[:, cupy.argsort(kept[0])]
