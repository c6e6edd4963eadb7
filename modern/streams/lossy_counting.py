"""How often keys come in windows, on a GPU: histograms, and lossy counts of many windows at once.

From window to window, what is counted of an item depends on no other item. So the keys of a batch
are sorted, each with the number of its window behind it, and so are the items that are held, as if
they came before all windows. Then equal neighbours are what comes in one window, and a thread walks
the windows in which one item comes: kernels/lossy.cu.
"""

from typing import Any

import cupy
import numpy as np

from modern.launching.launch import Launcher
from modern.primitives.cupy import CuPyPrimitives
from modern.primitives.top_keys import SMALLEST
from modern.streams.row_sort import rows_in_order, widened
from modern.streams.staging import to_host
from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Keys
from shadersort.streams.exponential_histogram import Timed
from shadersort.streams.lossy_counting import LossyCounts
from shadersort.streams.sorters.host import Histograms

__all__ = ["codes_of", "histograms_of_rows", "lossy_counts"]


EACH = 8
"""So many numbers a thread looks at for runs."""

HALF = np.uint64(32)
"""Bits of the number behind an item, or of its window."""


def codes_of(keys: Any) -> Any:
    """Return the codes of keys on the GPU, of a type that kernels know."""
    return CuPyPrimitives(keys.ravel()).order_codes(SMALLEST).reshape(keys.shape)


def histograms_of_rows(windows: Any, above: int = 0) -> Histograms:
    """Return how often each key comes in each window, but for those of up to `above` times."""
    rows = rows_in_order(widened(windows))
    ordered = codes_of(rows)
    first = cupy.ones(ordered.shape, np.bool_)
    cupy.not_equal(ordered[:, 1:], ordered[:, :-1], out=first[:, 1:])
    begins = cupy.flatnonzero(first)
    counts = cupy.diff(begins, append=first.size)
    if above:
        which = cupy.flatnonzero(counts > above)
        begins, counts = begins[which], counts[which]
    ends = cupy.searchsorted(begins, ordered.shape[1] * cupy.arange(1, len(ordered) + 1))
    codes, counts, ends = (to_host(each) for each in (ordered.ravel()[begins], counts, ends))
    items = decode(codes, np.dtype(rows.dtype))
    return Histograms(items.astype(windows.dtype, copy=False), counts, ends)


def lossy_counts(held: LossyCounts, windows: Any, buckets: int, timed: Timed) -> LossyCounts:
    """Return lossy counts with those of windows, each so many buckets long, in their order."""
    keys = cupy.ascontiguousarray(widened(windows))
    items = held.items.astype(keys.dtype)
    with timed("sort"):
        behind = _numbered if keys.itemsize <= 4 else _ranked
        ordered, codes_of = behind(keys, items)
    with timed("merge"):
        entries, starts = _runs(ordered)
        places, *numbers = _walked(held, entries, starts, keys, buckets)
        found = cupy.stack([codes_of(places).view(np.int64), *numbers]).get()
    kept = decode(found[0].astype(f"u{keys.itemsize}"), keys.dtype).astype(held.items.dtype)
    return LossyCounts(held.bucket, held.buckets + len(keys) * buckets, kept, *found[1:].copy())


def _numbered(keys: Any, items: Keys) -> tuple[Any, Any]:
    """Return numbered codes in order, of keys of 32 bits at most; and what gives codes of places.

    An item that is held is numbered as it is among those; a key by its window, and all of these.
    """
    n, held = keys.size, len(items)
    ordered = cupy.empty(n + held, np.uint64)
    launcher = Launcher(np.dtype(keys.dtype))
    sizes = np.uint64(n), np.uint64(keys.shape[1]), np.uint32(held)
    launcher.run_threads(launcher.kernel("numbered"), (keys, *sizes, ordered), n)
    numbers = np.arange(held, dtype=np.uint64)
    ordered[n:] = cupy.asarray(encode(items).astype(np.uint64) << HALF | numbers)
    ordered.sort()
    return ordered, lambda places: ordered[places] >> HALF


def _ranked(keys: Any, items: Keys) -> tuple[Any, Any]:
    """Do the same for keys of 64 bits: the ranks of their codes stand for them."""
    held, length = len(items), keys.shape[1]
    found = cupy.concatenate([cupy.asarray(encode(items)), codes_of(keys.ravel())])
    order = cupy.argsort(found, kind="stable")
    ordered = found[order]
    ranks = cupy.zeros(ordered.shape, np.uint64)
    ranks[1:] = cupy.cumsum(ordered[1:] != ordered[:-1], dtype=np.uint64)
    numbers = cupy.where(order < held, order, held + (order - held) // length)
    return ranks << HALF | numbers.astype(np.uint64), lambda places: ordered[places]


def _runs(ordered: Any) -> tuple[Any, Any]:
    """Return the runs of equal numbers, in numbers in order: of what they are, and their places."""
    n, threads = np.uint64(ordered.size), -(-ordered.size // EACH)
    launcher, ends = Launcher(np.dtype(np.uint64)), cupy.empty(threads, np.uint64)
    kernel = launcher.kernel("runs", EACH=EACH, WRITE=0)
    launcher.run_threads(kernel, (ordered, n, ends, ends, ends), threads)
    ends = cupy.cumsum(ends)
    starts, entries = cupy.empty((2, int(ends[-1:].get()[0])), np.uint64)
    kernel = launcher.kernel("runs", EACH=EACH, WRITE=1)
    launcher.run_threads(kernel, (ordered, n, ends, starts, entries), threads)
    return entries, starts


def _walked(held: LossyCounts, entries: Any, starts: Any, keys: Any, buckets: int) -> Any:
    """Return three rows, of all items held at the end: their places, counts, and what is missed.

    To be held anew an item has to come more often in a window than it has buckets.
    """
    most = len(held.items) + keys.size // (buckets + 1)
    found, total = cupy.empty((3, most), np.uint64), cupy.zeros(1, np.uint64)
    given = cupy.asarray(np.concatenate([held.counts, held.missed]))
    sizes = np.uint64(len(entries)), np.uint64(len(held.items) + keys.size)
    numbers = (np.uint64(each) for each in (held.buckets, buckets, len(keys), most))
    launcher = Launcher(np.dtype(np.uint64))
    launcher.run_threads(
        launcher.kernel("lossy"),
        (
            *(entries, starts, *sizes, given, given[len(held.items) :], np.uint32(len(held.items))),
            *(*numbers, found, total),
        ),
        len(entries),
    )
    kept = found[:, : int(total.get()[0])].astype(np.int64)
    return kept[:, cupy.argsort(kept[0])]
