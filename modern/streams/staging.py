"""Staging buffers: memory of a device for the next parts of a stream, copied there ahead of use.

A thread takes a slot, which is pinned memory, fills it with keys, and begins its copy to a buffer;
the slot is filled again once that copy has ended. Keys in pinned memory are copied directly. All
copies are on a stream of their own. An event follows each copy, and the work on a part waits for
those of its buffer. A buffer is overwritten after the work that was launched before the next part
was asked for. There are up to four buffers, each as long as the longest part, and two slots for
each thread. A `CuPyLink` is all that is known of the device, so tests need none.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.keys.types import Keys

if TYPE_CHECKING:
    from modern.streams.transfers import CuPyLink

SLOT = 4 << 20
"""Bytes of a slot."""
PIECE, PIECES = 8 << 20, 8
"""The least bytes of a piece of pinned keys, and the most pieces of a part: other copies can come
in between, but the host waits in CUDA while some dozens are under way."""
THREADS, WORTH_A_THREAD = 8, 1 << 19
"""The most threads that fill slots (one alone is slower than the link), and the bytes for which a
copy takes longer than starting a thread."""
AHEAD, AHEAD_PINNED = 3, 1
"""Parts that are copied in advance, so that copying goes on while summaries are merged."""
FEW = 1 << 16
"""Fewer bytes stay on the host: most of them only wait for a window to fill."""


def stage_parts(keys: Keys, bounds: Iterable[tuple[int, int]], link: "CuPyLink") -> Iterator[Any]:
    """Yield parts of keys on the device of a link; parts of few bytes stay on the host.

    The next parts are copied while one is in use, which lasts until the next one is asked for.
    """
    parts = [keys[start:stop] for start, stop in bounds]
    if keys.nbytes < FEW:
        yield from parts
        return
    size, longest = keys.itemsize, max(map(len, parts))
    pinned = keys.flags.c_contiguous and link.is_pinned(keys)
    threads = 0 if pinned else min(THREADS, keys.nbytes // WORTH_A_THREAD)
    step = max(PIECE // size, longest // PIECES) if pinned else SLOT // size
    count = min(len(parts), 1 + (AHEAD_PINNED if pinned else AHEAD))
    buffers = [link.buffer(longest * size) for _ in range(count)]
    copies: list[list[Any]] = [[] for _ in buffers]
    link.await_work()  # memory that was freed before may still be in use by it
    slots = SimpleQueue[tuple[Keys | None, Any]]()
    for _ in range(2 * max(threads, 1)):
        slots.put((None, None))

    def copy(number: int, begin: int, source: Keys) -> Any:
        """Begin a copy to a buffer, from its byte `begin` on."""
        event = link.copy(buffers[number][begin : begin + source.nbytes], source.view(np.uint8))
        copies[number].append(event)
        return event

    def copy_by_slot(number: int, begin: int, keys: Keys) -> None:
        memory, event = slots.get()  # the one whose copy began first: it has most often ended
        try:
            if event is not None:
                event.synchronize()
            if memory is None:
                memory = link.slot(step * size)
            source = memory[: keys.nbytes]
            source.view(keys.dtype)[:] = keys
            event = copy(number, begin, source)
        finally:
            slots.put((memory, event))

    def begin(number: int) -> list[Future[Any]]:
        """Begin the copies of a part."""
        part, jobs = parts[number], list[Future[Any]]()
        each = max(1, min(step, -(-len(part) // max(threads, 1))))
        for first in range(0, len(part) if part.nbytes >= FEW else 0, each):
            job = number % count, first * size, part[first : first + each]
            if pool is None:
                (copy if pinned else copy_by_slot)(*job)
            else:
                jobs.append(pool.submit(copy_by_slot, *job))
        return jobs

    pool = ThreadPoolExecutor(threads) if threads else None
    try:
        waiting = deque(map(begin, range(count)))
        for number, part in enumerate(parts):
            for job in waiting.popleft():
                job.result()
            place = number % count
            for event in copies[place]:
                link.await_copy(event)
            copies[place] = []
            is_there = part.nbytes >= FEW
            yield buffers[place][: part.nbytes].view(part.dtype) if is_there else part
            link.await_work()  # before the buffer is overwritten
            if number + count < len(parts):
                waiting.append(begin(number + count))
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
        link.close()  # no memory is freed before the copies end
