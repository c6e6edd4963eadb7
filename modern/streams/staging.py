"""Staging buffers: memory of a device for the next parts of a stream, copied there ahead of use.

A thread takes a slot, which is pinned memory, fills it with keys, and begins its copy to a buffer;
the slot is filled again once that copy has ended. So the next parts are copied while the device
works on one. Keys in pinned memory are copied directly. All copies are on a stream of their own. An
event follows each copy, and the work on a part waits for those of its buffer. A buffer is
overwritten after the work that was launched before the next part was asked for.

**Memory.** On the device: up to four buffers, each as long as the longest part. On the host: two
slots of 4 MiB for each thread.

A `CuPyLink` is all that is known of the device, so the rules are tested without one.
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
"""Pinned keys are copied in pieces of at least so many bytes, and a part in at most so many pieces:
other copies can come in between, but the host waits in CUDA while some dozens are under way."""

THREADS, WORTH_A_THREAD = 8, 1 << 19
"""The most threads that fill slots (one alone is slower than the link), and the bytes for which a
copy takes longer than starting a thread."""

AHEAD, AHEAD_PINNED = 3, 1
"""Parts that are copied in advance, so that copying goes on while summaries are merged."""

FEW = 1 << 16
"""Fewer bytes stay on the host: most of them only wait for a window to fill."""


class StagingBuffers:
    """Buffers of `size` bytes on a device; threads call `copy_in`, and one thread all else.

    Without `slot`, the bytes of a slot, keys are copied from where they are.
    """

    def __init__(self, link: "CuPyLink", count: int, size: int, slot: int, threads: int) -> None:
        self._link, self._slot = link, slot
        self._buffers = [link.buffer(size) for _ in range(count)]
        link.await_work()  # memory that was freed before may still be in use by it
        self._copies: list[list[Any]] = [[] for _ in range(count)]
        self._slots: SimpleQueue[tuple[Keys | None, Any]] = SimpleQueue()
        for _ in range(2 * max(threads, 1)):
            self._slots.put((None, None))

    def copy_in(self, number: int, begin: int, keys: Keys) -> None:
        """Begin the copy of keys of the host to a buffer, from its byte `begin` on."""
        if not self._slot:
            self._copy(number, begin, keys.view(np.uint8))
            return
        memory, event = self._slots.get()  # the one whose copy began first: it has most often ended
        try:
            if event is not None:
                event.synchronize()
            if memory is None:
                memory = self._link.slot(self._slot)
            source = memory[: keys.nbytes]
            source.view(keys.dtype)[:] = keys
            event = self._copy(number, begin, source)
        finally:
            self._slots.put((memory, event))

    def _copy(self, number: int, begin: int, source: Keys) -> Any:
        event = self._link.copy(self._buffers[number][begin : begin + source.nbytes], source)
        self._copies[number].append(event)
        return event

    def arrive(self, number: int, like: Keys) -> Any:
        """Let later work begin after all copies to a buffer; return it, like a part of the keys."""
        for event in self._copies[number]:
            self._link.await_copy(event)
        self._copies[number] = []
        return self._buffers[number][: like.nbytes].view(like.dtype)


def staged(keys: Keys, bounds: Iterable[tuple[int, int]], link: "CuPyLink") -> Iterator[Any]:
    """Yield parts of keys on the device of a link; parts of few bytes stay on the host.

    The next parts are copied while one is in use. A part is overwritten once the next one is asked
    for.
    """
    parts = [keys[start:stop] for start, stop in bounds]
    if keys.nbytes < FEW:
        yield from parts
        return
    pinned = keys.flags.c_contiguous and link.is_pinned(keys)
    threads = 0 if pinned else min(THREADS, keys.nbytes // WORTH_A_THREAD)
    count = min(len(parts), 1 + (AHEAD_PINNED if pinned else AHEAD))
    longest = max(map(len, parts))
    step = max(PIECE // keys.itemsize, longest // PIECES) if pinned else SLOT // keys.itemsize
    size, slot = longest * keys.itemsize, 0 if pinned else step * keys.itemsize
    buffers = StagingBuffers(link, count, size, slot, threads)
    pool = ThreadPoolExecutor(threads) if threads else None

    def begin(number: int) -> list[Future[None]]:
        part, jobs = parts[number], list[Future[None]]()
        each = max(1, min(step, -(-len(part) // max(threads, 1))))
        for first in range(0, len(part) if part.nbytes >= FEW else 0, each):
            job = number % count, first * keys.itemsize, part[first : first + each]
            if pool is None:
                buffers.copy_in(*job)
            else:
                jobs.append(pool.submit(buffers.copy_in, *job))
        return jobs

    try:
        waiting = deque(map(begin, range(count)))
        for number, part in enumerate(parts):
            for job in waiting.popleft():
                job.result()
            yield buffers.arrive(number % count, part) if part.nbytes >= FEW else part
            link.await_work()  # before the buffer is overwritten
            if number + count < len(parts):
                waiting.append(begin(number + count))
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
        link.close()  # no memory is freed before the copies end
