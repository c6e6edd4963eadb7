"""Lossy counting on a GPU, many windows at once: kernels/streams/lossy_counting.cu.

The count of an item over several windows depends on no other item. So the keys of a batch are
sorted together, each followed by the number of its window; the held items are sorted with them, as
if they came before all windows. Equal neighbours then come in one window, and one thread walks all
windows of an item.
"""

from typing import Any

import cupy
import numpy as np

from modern.streams.windows import CODE_AND_ROW, HALF, codes_of, find_runs, launch, on_device, widen
from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Keys
from shadersort.streams.frequencies.lossy_counting import LossyCounts
from shadersort.streams.summary import Timed


def lossy_counts(held: LossyCounts, windows: Any, buckets: int, timed: Timed) -> LossyCounts:
    """Return lossy counts with windows added in their order; each is `buckets` buckets long."""
    keys = widen(on_device(windows))
    items = held.items.astype(keys.dtype)
    with timed("sort"):
        number = number_codes if keys.itemsize <= HALF // 8 else number_ranks
        ordered, codes_at = number(keys, items)
    with timed("merge"):
        places, *numbers = _walk(held, ordered, len(keys), buckets)
        found = cupy.stack([codes_at(places).view(np.int64), *numbers]).get()
    kept = decode(found[0].astype(f"u{keys.itemsize}"), keys.dtype).astype(held.items.dtype)
    return LossyCounts(held.bucket, held.buckets + len(keys) * buckets, kept, *found[1:].copy())


def number_codes(keys: Any, items: Keys) -> tuple[Any, Any]:
    """Return numbered codes of keys of at most 32 bits in order, and a function of their places.

    The function returns the codes at places. A held item is followed by its place among the held
    items; a key by the number of its window plus the number of held items.
    """
    n, held = keys.size, len(items)
    ordered = cupy.empty(n + held, np.uint64)
    given = keys, n, keys.shape[1], held, 0, ordered
    launch("number_keys", keys, given, n, NUMBERS=CODE_AND_ROW)
    numbered = encode(items).astype(np.uint64) << np.uint64(HALF) | np.arange(held, dtype=np.uint64)
    ordered[n:] = cupy.asarray(numbered)
    ordered.sort()
    return ordered, lambda places: ordered[places] >> HALF


def number_ranks(keys: Any, items: Keys) -> tuple[Any, Any]:
    """Do the same for keys of 64 bits, with ranks of the codes in place of the codes."""
    held, length = len(items), keys.shape[1]
    found = cupy.concatenate([cupy.asarray(encode(items)), codes_of(keys.ravel())])
    order = cupy.argsort(found, kind="stable")
    ordered = found[order]
    ranks = cupy.zeros(ordered.shape, np.uint64)
    ranks[1:] = cupy.cumsum(ordered[1:] != ordered[:-1], dtype=np.uint64)
    numbers = cupy.where(order < held, order, held + (order - held) // length)
    return ranks << HALF | numbers.astype(np.uint64), lambda places: ordered[places]


def _walk(held: LossyCounts, ordered: Any, windows: int, buckets: int) -> Any:
    """Return three rows for all items held at the end: their places, counts f and missed Δ.

    A new item is held only if it comes more often in a window than the window has buckets.
    """
    starts, known = find_runs(ordered)[0], len(held.items)
    room = known + (ordered.size - known) // (buckets + 1)
    found, total = cupy.empty((3, room), np.uint64), cupy.zeros(1, np.uint64)
    given = cupy.asarray(np.concatenate([held.counts, held.missed]))
    runs = ordered, ordered.size, starts, len(starts), given, given[known:], known
    arguments = *runs, held.buckets, buckets, windows, room, found, total
    launch("lossy_counting", ordered, arguments, len(starts))
    kept = found[:, : int(total[0])].astype(np.int64)
    return kept[:, cupy.argsort(kept[0])]
