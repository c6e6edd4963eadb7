"""Sorting one array on the CPU and a device at the same time: section 6 of the paper of 2005.

"Load balancing" there says that the CPU is idle while the GPU sorts, and that a sort in which both
take part was twice as fast. Here NumPy sorts some keys in threads while the device draws the
others, and the CPU merges the sorted runs. Keys are merged as integers in their order, so equal
keys are equal bits, and the result does not depend on which of the two sorted a key.
"""

import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self
from weakref import WeakKeyDictionary

import numpy as np

from shadersort.drawing.devices.base import Device
from shadersort.keys.accepted import converted
from shadersort.keys.types import Keys
from shadersort.sorting.balance import Balance
from shadersort.sorting.external.schedule import cores
from shadersort.sorting.merge import merge_in_parts
from shadersort.sorting.sorted_ordinals import keys_of_sorted, ordinals_of_sorted, sort_ordinals
from shadersort.sorting.texture_sort import TextureSort
from shadersort.sorting.wide import WideSort

WORTH_SHARING = 1 << 16
"""Fewest keys that "auto" shares: the paper's GPU was no slower than its CPU from so many on."""
SAMPLE = 1 << 20
"""Most keys that "auto" sorts on both, before it shares keys for the first time."""

_known: WeakKeyDictionary[Device, dict[str, Balance]] = WeakKeyDictionary()
"""The speeds that "auto" has measured on each device, by the label of the way to sort."""


@dataclass(frozen=True, slots=True)
class SharedSort:
    """One way to sort keys on a device, of which NumPy sorts a share at the same time."""

    way: TextureSort | WideSort
    balance: Balance

    @classmethod
    def prepared(cls, way: TextureSort | WideSort, share: float | str) -> Self:
        """Settle who sorts how many keys; raises BadShare if the share is invalid."""
        asked = Balance(share)
        if asked.fixed is not None:
            return cls(way, asked)
        return cls(way, _known.setdefault(way.device, {}).setdefault(way.label, asked))

    @property
    def label(self) -> str:
        """What sorts: "25% by NumPy, 2 threads, and pbsn, blend, float16, NVIDIA H200"."""
        share, threads = self.balance.fixed, f"NumPy, {cores()} thread{'s' if cores() > 1 else ''}"
        if share == 0:
            return self.way.label
        if share == 1:
            return f"{threads}, {self.way.dtype}"
        part = "a share" if share is None else f"{100 * share:g}%"
        return f"{part} by {threads}, and {self.way.label}"

    def sort(self, keys: Keys, *, descending: bool = False) -> Keys:
        """Return keys in order: the same array as that of `TextureSort.sort`."""
        keys = converted(keys, self.way.dtype)
        nans = np.isnan(keys) if keys.dtype.kind == "f" else np.zeros(len(keys), np.bool_)
        numbers = keys[~nans] if nans.any() else keys
        with ThreadPoolExecutor(cores()) as pool:
            drawn = self._for_device(numbers, pool)
            runs = self._sorted_runs(numbers, drawn, pool)
            ordered = keys_of_sorted(merge_in_parts(runs, pool, cores()), keys.dtype)
        return np.concatenate([ordered[::-1] if descending else ordered, keys[nans]])

    def _for_device(self, numbers: Keys, pool: Executor) -> int:
        """Return how many keys the device sorts.

        With "auto" it sorts all if they are few, or if it is no GPU and draws on the CPU's cores.
        """
        if self.balance.fixed is None:
            if len(numbers) < WORTH_SHARING or not self.way.device.hardware:
                return len(numbers)
            if self.balance.unmeasured:
                self._measure(numbers[:SAMPLE], pool)
        return self.balance.for_device(len(numbers))

    def _sorted_runs(self, numbers: Keys, drawn: int, pool: Executor) -> list[Keys]:
        """Sort the first keys on the device, and meanwhile the others in threads; return runs."""
        parts = np.array_split(numbers[drawn:], cores())
        others = [pool.submit(_by_numpy, part) for part in parts if len(part)]
        on_device, seconds = self._by_device(numbers[:drawn])
        found = [other.result() for other in others]
        on_cpu = max((taken for _, taken in found), default=0.0)
        self.balance.measured((drawn, seconds), (len(numbers) - drawn, on_cpu))
        return [on_device, *(run for run, _ in found)]

    def _by_device(self, keys: Keys) -> tuple[Keys, float]:
        """Return the sorted ordinals of keys, and the seconds that their drawing took."""
        started = time.perf_counter()
        ordered = ordinals_of_sorted(self.way.sort(keys) if len(keys) else keys.copy())
        return ordered, time.perf_counter() - started

    def _measure(self, sample: Keys, pool: Executor) -> None:
        """Measure both speeds on some keys, one after the other."""
        self._by_device(sample)  # links shaders
        self._sorted_runs(sample, len(sample), pool)
        self._sorted_runs(sample, 0, pool)


def _by_numpy(keys: Keys) -> tuple[Keys, float]:
    """Return the sorted ordinals of keys, and the seconds that their sort took."""
    started = time.perf_counter()
    ordered = sort_ordinals(keys.copy())
    return ordered, time.perf_counter() - started
