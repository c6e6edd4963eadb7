"""Sorting on the CPU and a device at the same time: section 6 of the paper of 2005.

"Load balancing" there (Govindaraju, Raghuvanshi and Manocha, SIGMOD 2005) says that the CPU is idle
while the GPU sorts, and that a sort in which both take part was twice as fast. Here NumPy sorts
some keys in threads while the device draws the others, and the CPU merges the sorted runs. Keys are
merged as integers in their order, so equal keys are equal bits, and the result does not depend on
which of the two sorted a key.
"""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from shadersort.drawing.devices.base import Device
from shadersort.drawing.passes import ceil_power_of_two
from shadersort.errors import BadOption
from shadersort.keys.inputs import convert
from shadersort.keys.types import Keys
from shadersort.sorting.merge import merge_in_parts
from shadersort.sorting.sorted_ordinals import keys_of_sorted, ordinals_of_sorted, sort_ordinals
from shadersort.sorting.texture_sort import TextureSort
from shadersort.sorting.threads import cores, open_pool
from shadersort.sorting.wide import WideSort

WORTH_SHARING = 1 << 16
"""Fewest keys that "auto" shares: the paper's GPU was no slower than its CPU from so many on."""
SAMPLE = 1 << 20
"""Most keys that "auto" sorts on both, before it shares keys for the first time."""


class Balance:
    """Decides how many keys the device gets, by measured speeds; the CPU gets the others.

    Parameters
    ----------
    share
        The share of the CPU, from 0.0 to 1.0; or "auto", by the speeds measured so far.
    """

    def __init__(self, share: float | str) -> None:
        number = isinstance(share, int | float)
        if share != "auto" and not (number and 0 <= float(share) <= 1):
            raise BadOption(f"share is 'auto', or a number from 0.0 to 1.0, not {share!r}")
        self.fixed = None if share == "auto" else float(share)
        self._device_rate = self._cpu_rate = 0.0  # keys a second

    @property
    def unmeasured(self) -> bool:
        """Whether speeds must be measured first."""
        return self.fixed is None and not (self._device_rate and self._cpu_rate)

    def measured(self, device: tuple[int, float], cpu: tuple[int, float]) -> None:
        """Note how many keys each has sorted in how many seconds; 0 keys change nothing."""
        if device[0]:
            self._device_rate = ceil_power_of_two(device[0]) / max(device[1], 1e-9)
        if cpu[0]:
            self._cpu_rate = cpu[0] / max(cpu[1], 1e-9)

    def for_device(self, keys: int) -> int:
        """Return how many of `keys` keys the device gets.

        With "auto" that is all, none, or a power of two, to which a network pads its keys:
        whichever takes the least time.
        """
        if self.fixed is not None:
            return keys - round(self.fixed * keys)
        candidates = [0, keys, *(1 << p for p in range(keys.bit_length()))]
        return min(candidates, key=lambda drawn: self._seconds(drawn, keys - drawn))

    def _seconds(self, drawn: int, others: int) -> float:
        """Return the time of both, side by side."""
        by_device = ceil_power_of_two(drawn) / self._device_rate if drawn else 0.0
        return max(by_device, others / self._cpu_rate)


@dataclass(frozen=True, slots=True)
class Sharing:
    """Sorts keys without NaNs into runs: a device draws some, and threads sort the others."""

    balance: Balance
    draw: Callable[[Keys], Keys]  # sorts keys on the device, and returns them as a new array
    pool: Executor
    threads: int

    def make_runs(self, keys: Keys, drawn: int, add: Callable[[Keys], object]) -> None:
        """Sort keys in place, the first `drawn` on the device; note the speeds of both.

        `add` gets the ordinals of each sorted run, and may be called by several threads at once.
        """
        parts = np.array_split(keys[drawn:], self.threads)
        others = [self.pool.submit(_timed, sort_ordinals, part, add) for part in parts if len(part)]
        on_device = _timed(self._by_device, keys[:drawn], add) if drawn else 0.0
        on_cpu = max((other.result() for other in others), default=0.0)
        self.balance.measured((drawn, on_device), (len(keys) - drawn, on_cpu))

    def measure(self, sample: Keys) -> None:
        """Measure both speeds on copies of some keys, one after the other."""
        self.draw(sample)  # links shaders
        for drawn in (len(sample), 0):
            self.make_runs(sample.copy(), drawn, lambda run: None)

    def _by_device(self, keys: Keys) -> Keys:
        return ordinals_of_sorted(self.draw(keys))


def _timed(sort: Callable[[Keys], Keys], keys: Keys, add: Callable[[Keys], object]) -> float:
    """Sort keys, hand over the run, and return the seconds that the sort took."""
    started = time.perf_counter()
    run = sort(keys)
    seconds = time.perf_counter() - started
    add(run)
    return seconds


_known: WeakKeyDictionary[Device, dict[str, Balance]] = WeakKeyDictionary()
"""The speeds that "auto" has measured on each device, by the label of the way to sort."""


def sort_shared(
    way: TextureSort | WideSort, keys: Keys, share: float | str, *, descending: bool = False
) -> Keys:
    """Return keys in order, a share of them sorted by NumPy: the same array as that of `way.sort`.

    With "auto" the device sorts all if they are few, or if it is no GPU and draws on the CPU's
    cores.
    """
    balance, threads = Balance(share), cores()
    if balance.fixed is None:
        balance = _known.setdefault(way.device, {}).setdefault(way.label, balance)
    keys = convert(keys, way.dtype)
    numbers, nans, runs = keys[keys == keys], keys[keys != keys], list[Keys]()
    with open_pool(threads) as pool:
        sharing = Sharing(balance, way.sort, pool, threads)
        drawn = len(numbers)
        if balance.fixed is not None or (drawn >= WORTH_SHARING and way.device.hardware):
            if balance.unmeasured:
                sharing.measure(numbers[:SAMPLE])
            drawn = balance.for_device(drawn)
        sharing.make_runs(numbers, drawn, runs.append)
        merged = merge_in_parts(runs or [ordinals_of_sorted(numbers)], pool, threads)
    ordered = keys_of_sorted(merged, keys.dtype)
    return np.concatenate([ordered[::-1] if descending else ordered, nans])
