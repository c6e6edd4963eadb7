"""Top-k on a GPU: the keys at the top in order, and their places: kernels/one_read/top_k.cu.

One launch, for which nothing waits: a sample gives a bound, one read stages the keys up to it, and
one block sorts them.
"""

from functools import cache
from math import prod
from typing import NamedTuple

from modern.device_arrays import DeviceKeys
from modern.primitives.one_read import BINS, LISTS, STATIC, WIDTH
from shadersort.selection.primitives.one_read import LOAD, WIDE, sample_rank

MOST = 1 << 12
"""Up to this many keys are sorted by the block that finds them among the staged ones."""

THREADS = 1024

SLACK = 16
"""Keys of a sample that may be staged beside those needed; and 1 in this many of these."""

SPARE = 1 << 14
"""Keys that may be staged beside those that are expected."""

COMMON = 24 + 2 * 1024 * 8 + 24 * 4096 * 8
"""Bytes that launches share: `Common` in top_k.cu."""


class Shape(NamedTuple):
    """How a launch is made: blocks, how many keys may be staged, bytes of shared memory, macros."""

    blocks: tuple[int]
    room: int
    shared: int
    macros: dict[str, int]


@cache
def shape_of(
    size: int, count: int, by: int, itemsize: int, processors: int, most_shared: int
) -> Shape:
    """Return the shape of a launch: it stages a few more keys than are expected up to the bound.

    Examples
    --------
    >>> shape_of(1 << 28, 1000, 0, 4, 132, 227 << 10)[:3]
    ((132,), 49698, 163840)
    """
    each, behind = LOAD // itemsize, most_shared - BINS - STATIC
    blocks = min(processors, -(-size // (4 * each * THREADS)))
    sampled = blocks * THREADS * each
    place = sample_rank(count - 1, size, sampled, WIDE, 1)
    expected = (place + 2 * SLACK + place // SLACK) * size / sampled
    room = min(size, int(1.1 * expected) + SPARE)
    capacity = min(LISTS, behind) // THREADS // 4
    most = 1 << min(behind // 16, 2 * MOST).bit_length() - 1
    macros = {"BY": by, "THREADS": THREADS, "CAPACITY": capacity, "UNROLL": 2}
    macros |= {"SLACK": SLACK, "MOST": most}
    return Shape((blocks,), room, BINS + max(capacity * THREADS * 4, 16 * most), macros)


def launch(keys: DeviceKeys, by: int, count: int, values: int, places: int) -> None:
    """Launch the kernel: it writes up to `MOST` keys at the top in order, and their places."""
    launcher, size = keys.launcher, prod(keys.shape)
    itemsize = launcher.raw.itemsize
    shape = shape_of(size, count, by, itemsize, launcher.processors, launcher.most_shared)
    staged = keys.scratch(shape.room * itemsize), keys.scratch(8 * shape.room), shape.room
    common = keys.zeros("top_k", COMMON)
    arguments = (keys.pointer, size, count, WIDTH, *staged, common, values, places)
    kernel = launcher.kernel("top_k", **shape.macros)
    launcher.launch(kernel, shape.blocks, THREADS, arguments, shape.shared, True)
