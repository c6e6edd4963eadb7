"""Top-k on a GPU: where the keys at the top are, and these keys in order.

`first` takes a sample, and one read that stages the keys which can be at the top, with their places
(kernels/top_k_staged.cu). If these are too few or too many, a key is selected, and more reads find
the places. Every other call is one kernel, except that CuPy sorts if there are many keys.
"""

import struct
from typing import Any, NamedTuple

import cupy
import numpy as np

from modern.launching.waiting import THREADS, room
from modern.primitives.gpu_keys import GPUKeys
from modern.primitives.one_read import BINS, LISTS, STATIC
from shadersort.selection.primitives import check_count
from shadersort.selection.primitives.one_read import LOAD, WIDE
from shadersort.selection.top_keys import SLACK, TopKeys, rank_behind, selected_first

PLACE = struct.Struct("=Q")

TOGETHER = 1024
"""Threads of a block that stages, or that sorts staged keys."""

SORTED = 4096
"""Up to this many keys at the top are sorted by the block that finds them among the staged ones."""

ALL = 1 << 14
"""Up to this many keys are all staged, without a sample."""

SHARE = 8
"""More than 1 in so many keys is not staged."""

MOST_PLACES = 1 << 32
"""Among so many keys, a place fits into half a word."""

COMMON = 16 + 24 * 4096 * 8
"""Bytes that launches share: `Common` in top_k_staged.cu."""


class Staged(NamedTuple):
    """Keys that can be at the top, in no order; the device knows how many there are."""

    orders: Any
    places: Any
    count: Any


def first(gpu: GPUKeys, by: int, count: int) -> tuple[Any, Any]:
    """Return the `count` largest or smallest keys in order, and their places."""
    staged = stage(gpu, by, count)
    if staged is None:
        return selected_first(gpu, by, count)
    ordered = _few_first if count <= SORTED else _first
    return ordered(gpu, by, count, staged) or selected_first(gpu, by, count)


def stage(gpu: GPUKeys, by: int, count: int) -> Staged | None:
    """Stage the keys that can be among the first `count`; None if that would be too many."""
    each = LOAD // gpu.dtype.itemsize
    launcher, samples = gpu.launcher, gpu.size > ALL
    blocks = min(launcher.processors, -(-gpu.size // (4 * each * TOGETHER)))
    sampled = blocks * TOGETHER * each
    behind = rank_behind(count - 1, gpu.size, sampled, WIDE)
    expected = (behind + 2 * SLACK + behind // SLACK) * gpu.size / sampled
    place = int(1.1 * expected) + ALL if samples else gpu.size
    if samples and (behind == sampled or place > max(gpu.size // SHARE, 2 * ALL)):
        return None
    capacity = min(LISTS, launcher.most_shared - BINS - STATIC) // TOGETHER // 4
    staged = Staged(room(place, launcher.raw), room(place, np.int64), room(1, np.uint64))
    launcher.run_together(
        launcher.kernel(
            "top_k_staged", BY=by, THREADS=TOGETHER, CAPACITY=capacity, UNROLL=2, SLACK=SLACK
        ),
        (
            *(*gpu.all, np.uint64(count), np.uint32(samples), np.float32(WIDE)),
            *(staged.orders, staged.places, np.uint64(place)),
            *(launcher.kept("top_k_staged", COMMON), staged.count),
        ),
        threads=TOGETHER,
        blocks=blocks,
        shared=BINS + capacity * TOGETHER * 4,
    )
    gpu.traffic.add(gpu.size, place)
    return staged


def _few_first(gpu: GPUKeys, by: int, count: int, staged: Staged) -> tuple[Any, Any] | None:
    """Return the first of the staged keys in order, by one block; None if it cannot."""
    launcher, most = gpu.launcher, _most_sorted(gpu.launcher.most_shared)
    values, places = room(count, gpu.dtype), room(count, np.int64)
    launcher.run_blocks(
        launcher.kernel("top_k_sorted", BY=by, THREADS=TOGETHER, MOST=most),
        (
            *(gpu.keys, np.uint64(count), staged.orders, staged.places),
            *(np.uint64(staged.places.size), staged.count, values, places, launcher.result(0)),
        ),
        1,
        threads=TOGETHER,
        shared=BINS + 16 * most,
    )
    found, fits = launcher.results(2).tolist()
    gpu.traffic.add(min(found, staged.places.size), count)
    return (values, places) if fits else None


def _most_sorted(most_shared: int) -> int:
    """Return how many keys, a power of two, one block can sort in shared memory.

    Examples
    --------
    >>> _most_sorted(227 << 10), _most_sorted(99 << 10)
    (8192, 4096)
    """
    return 1 << min((most_shared - BINS - STATIC) // 16, 2 * SORTED).bit_length() - 1


def _first(gpu: GPUKeys, by: int, count: int, staged: Staged) -> tuple[Any, Any] | None:
    """Return the first of the staged keys in order, by a sort; None if they are not enough.

    The sort is of all the room, so that nothing waits for the number of staged keys.
    """
    place, launcher = staged.places.size, gpu.launcher
    one_word = gpu.dtype.itemsize <= 4 and gpu.size <= MOST_PLACES
    both = joined(gpu, staged, one_word, launcher.result(0))
    if one_word:
        both.sort()
        places = (both[:count] & np.uint64(MOST_PLACES - 1)).view(np.int64)
    else:
        ascending = cupy.argsort(staged.places)
        ascending = ascending[cupy.argsort(staged.orders[ascending])]
        places = staged.places[ascending[:count]]
    values = gpu.keys[places]
    (found,) = launcher.results(1).tolist()
    gpu.traffic.add(place, count)
    return (values, places) if count <= found <= place else None


def joined(gpu: GPUKeys, staged: Staged, one_word: bool, found: np.uint64) -> Any:
    """Make a sort of all the room possible, and tell how many keys are staged.

    Returns the code and the place of each entry in one word; or an empty array, if not `one_word`,
    and then fills the room behind the staged keys.
    """
    place = staged.places.size
    both = room(place if one_word else 0, np.uint64)
    gpu.launcher.run(
        gpu.launcher.kernel("top_k_joined", JOINED=int(one_word)),
        (staged.orders, staged.places, np.uint64(place), staged.count, both, found),
    )
    return both


def order_codes(gpu: GPUKeys, by: int) -> Any:
    """Return the codes of the keys in an order."""
    gpu.traffic.add(gpu.size, gpu.size)
    found = cupy.empty(gpu.size, gpu.launcher.raw)
    gpu.launcher.run(gpu.launcher.kernel("order_codes", BY=by), (*gpu.all, found))
    return found


def nth_equal(gpu: GPUKeys, by: int, pivot: int, nth: int) -> int:
    """Return the place of the nth key, from zero, among the keys that have a code."""
    gpu.traffic.add(gpu.size)
    kernel = gpu.launcher.kernel("nth_equal", BY=by, THREADS=THREADS)
    arguments = (*gpu.all, gpu.raw(pivot), np.uint64(nth))
    (place,) = gpu.launcher.reduced(kernel, arguments, PLACE)
    return int(place)


def top_places(gpu: GPUKeys, top: TopKeys) -> Any:
    """Return the places of the keys at the top, in any order."""
    gpu.traffic.add(gpu.size)
    places, bound = cupy.empty(top.count, np.int64), (gpu.raw(top.pivot), np.uint64(top.end))
    arguments = (*gpu.all, *bound, places, np.uint64(top.count))
    kernel = gpu.launcher.kernel("top_k_places", BY=top.by)
    # the wait makes sure that all places are written before anything reads keys at them
    found, *_ = gpu.launcher.copied(kernel, arguments, None)
    check_count(found, top.count)
    return places


def in_order(gpu: GPUKeys, places: Any, by: int) -> tuple[Any, Any]:
    """Return the keys at some places in order, and their places: of equal keys, the first.

    The array of places is overwritten.
    """
    places.sort()
    codes = order_codes(gpu.of(gpu.keys[places], False), by)
    places = places[cupy.argsort(codes)]
    return gpu.keys[places], places
