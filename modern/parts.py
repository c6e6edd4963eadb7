"""Keys in several arrays, on one device or on several: each answers for itself.

`Parts` stands where an array does in `select`, `multiselect`, `median`, `nanmedian`, `quantile`,
`nanquantile` and `topk`. A list of arrays on GPUs is taken for parts as well. All devices work at
once, and nothing but counts, a sample and few candidates travels between them.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from modern.opening import as_cupy, is_on_gpu
from modern.primitives.numpy import BlockedPrimitives
from shadersort.errors import ArraysApart, KeysNotFlat
from shadersort.keys.accepted import SELECTED
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.driver import selected
from shadersort.selection.primitives import Counts
from shadersort.selection.primitives.parts import (
    Ask,
    InMemory,
    KeptParts,
    PartsPrimitives,
    in_threads,
)
from shadersort.selection.top_keys import LARGEST, SMALLEST, order_codes, top_keys

COLLECTED = 1 << 16
"""At most this many keys are collected from GPUs, because the host sorts them."""

BRACKETS = 1
"""Two brackets, each of which is a read, take longer than a histogram and a copy of buckets: on an
NVIDIA H200 a bracket of float32 takes 1.46 times a read by `max`, and these take 2.2 times."""

MOST_THREADS = 64
"""More devices than this take turns."""


class Parts:
    """Arrays whose keys are selected from together, as if they were joined.

    Parameters
    ----------
    arrays
        At least one array of one dimension, all of one type: of NumPy, or of libraries whose arrays
        are on GPUs, on any number of devices. They are neither copied nor changed.

    Raises
    ------
    ArraysApart
        Some arrays are in the host's memory, and some on a GPU.
    KeysNotFlat, UnsupportedKeys
        An array has not one dimension, or is masked.

    Examples
    --------
    >>> import modern
    >>> parts = Parts([np.array([5, 1]), np.array([4]), np.array([2, 3, 9])])
    >>> modern.median(parts), modern.topk(parts, 2).indices
    (np.float64(3.5), array([5, 0]))
    """

    ndim = 1

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays = [each if is_on_gpu(each) else SELECTED.array(each) for each in arrays]
        places = {is_on_gpu(each) for each in self.arrays}
        if len(places) > 1:
            raise ArraysApart(
                "some parts are in the host's memory and some on a GPU: put all of them on GPUs, "
                "or all of them in the host's memory"
            )
        for each in self.arrays:
            if each.ndim != 1:
                what = "parts.ravel() of each" if each.ndim else "arrays; a file is passed alone"
                raise KeysNotFlat(f"a part has 1 dimension, not {each.ndim}: pass {what}")

    def primitives(self) -> "TopParts":
        """Return the primitives over these arrays, as they are now."""
        if self.arrays and is_on_gpu(self.arrays[0]):
            asked = [on_gpu(each) for each in self.arrays]
            return GPUParts(asked, AThreadForEachDevice(), most=COLLECTED)
        return ArrayParts([InMemory(BlockedPrimitives(each)) for each in self.arrays], in_threads)


def on_gpu(array: Any) -> InMemory:
    """Return a part on a GPU: its calls run on its device, on the caller's current stream."""
    import cupy

    from modern.primitives.cupy import CuPyPrimitives

    given = as_cupy(array)
    with given.device as device:
        stream, keys = cupy.cuda.get_current_stream(), CuPyPrimitives(given)

    @contextmanager
    def here() -> Iterator[None]:
        with device, stream:
            yield

    return InMemory(keys, here, device.id)


class AThreadForEachDevice:
    """Asks parts on GPUs: a thread for each device, which waits while its device works.

    The parts of one device share its workspace, so they are asked one after another. The threads
    stay for the next round, as starting them takes as long as a small round. The first device is
    asked by the caller's thread.
    """

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(MOST_THREADS)

    def __call__(self, parts: Sequence[Any], asks: Sequence[Ask]) -> list[Any]:
        """Return the answers in the order of the parts."""
        found: list[Any] = [None] * len(parts)

        def ask(places: Sequence[int]) -> None:
            for place in places:
                call, args = asks[place]
                found[place] = parts[place].ask(call, *args)

        devices: dict[int | None, list[int]] = {}
        for place, part in enumerate(parts):
            devices.setdefault(part.device, []).append(place)
        first, *others = devices.values() or [[]]
        waiting = [self._pool.submit(ask, places) for places in others]
        try:
            ask(first)
        finally:
            wait(waiting)  # no device may still work for this call when an error ends it
        for each in waiting:
            each.result()
        return found


class TopParts(PartsPrimitives):
    """Primitives over parts, and the first keys in an order.

    Examples
    --------
    >>> arrays = [np.array([30, 10]), np.array([30, 20])]
    >>> TopParts([InMemory(BlockedPrimitives(each)) for each in arrays]).first(LARGEST, 3)
    (array([30, 30, 20]), array([0, 2, 3]))
    """

    def first(self, by: int, count: int) -> tuple[Keys, Integers]:
        """Return the `count` largest or smallest keys in order, and their places in all parts.

        Among equal keys those at the lowest places are taken.
        """
        if not count:
            return np.empty(0, self.dtype), np.empty(0, np.int64)
        last, _ = selected(self, self.size - count if by == LARGEST else count - 1)
        counts: list[Counts] = self._each("counts", last)
        before = [at.below if by == SMALLEST else at.above for at in counts]
        taken, left = [], count - sum(before)
        for at in counts:
            taken.append(min(left, at.equal))
            left -= taken[-1]
        asks: list[Ask] = [
            (topped, (by, last, *each)) for each in zip(counts, before, taken, strict=True)
        ]
        self.traffic.add(self.size, count)
        found = self._asked(range(len(self.parts)), asks)
        starts = np.cumsum(self.sizes) - self.sizes
        values = np.concatenate([keys for keys, _ in found])
        places = np.concatenate(
            [start + places for start, (_, places) in zip(starts, found, strict=True)]
        )
        order = np.argsort(order_codes(values, by), kind="stable")
        return values[order], places[order]


class ArrayParts(TopParts, KeptParts):
    """Primitives over arrays in memory."""


class GPUParts(ArrayParts):
    """Primitives over arrays on GPUs."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.tuning = replace(self.tuning, brackets=BRACKETS)

    def supports(self, call: str) -> bool:
        """Whether parts have a call; a block of a GPU has no counter for each of 65,536 values."""
        return call != "counting" and super().supports(call)


def topped(
    keys: Any, by: int, last: Key, counts: Counts, before: int, taken: int
) -> tuple[Keys, Integers]:
    """Return the keys of a part before the last one, some of its equals, and their places."""
    places = keys.top_places(top_keys(keys, by, last, counts, before + taken))
    values = keys.keys[places]
    if is_on_gpu(values):
        values, places = values.get(), places.get()
    order = np.argsort(places)
    return values[order], places[order]
