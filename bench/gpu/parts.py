"""Selection from keys on several GPUs at once, beside one GPU with its share of the keys.

    python -m bench.gpu.parts --output bench/records/parts-….json
    python -m bench.gpu.parts --devices 1 --as-parts 2 --per-device 2^24

Each device makes its own normal keys, whose mean is another on each. Each counts its keys below and
equal to every quantile, and the sums prove the rank. Times are by the clock from a call to its
answer; `max` reads all keys once, on all devices at once. `of_one` is the throughput, by that of
one device with its share; `on its own` is a median of each device's own keys, all at the same time.
"""

from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

import numpy as np

import modern
from bench.gpu.turns import Call
from bench.shared.benchmark import benchmark
from bench.shared.data import WRONG
from bench.shared.machines import Machine, seconds
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row

THREE = (0.25, 0.5, 0.99)
MANY = np.linspace(0, 1, 101)

CHECKED = [*THREE, *MANY[::21]]
"""Quantiles that are proved by a count of our own, beside the median."""

MADE = 1 << 26
"""Keys that are made, or counted, at a time."""

SLICE = 1 << 30
"""Keys that `max` reads at a time: CuPy reads more at once at a quarter of the speed."""


@benchmark("parts", __doc__, repeats=7)
@option("--per-device", type=COUNT, default=1 << 33, show_default="2^33", help="of each device")
@repeated("--devices", type=int, help="number of devices (default: 1, and all that are here)")
@option("--as-parts", type=int, default=1, help="parts of each device's keys")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield the rows of each number of devices, with the throughput by that of one."""
    alone: dict[str, float] = {}
    arrays: list[Any] = []
    for count in options.devices or sorted({1, machine.xp.cuda.runtime.getDeviceCount()}):
        arrays += (make(machine, place, options.per_device) for place in range(len(arrays), count))
        parts = [part for array in arrays for part in np.array_split(array, options.as_parts)]
        check(machine, parts)
        times = timed(machine, calls_on(machine, arrays, parts), count, options.repeats)
        alone = times if count == 1 else alone
        keys = count * options.per_device
        for what, ms in times.items():
            head = {"what": what, "devices": count, "parts": len(parts), "keys": keys}
            row = {**head, "dtype": "float32", "ms": ms, "reads": ms / times["max"]}
            of_one = {"of_one": count * alone[what] / ms} if alone else {}
            yield {**row, "gkeys_per_s": keys / ms / 1e6, **of_one}


def calls_on(machine: Machine, arrays: Sequence[Any], parts: Sequence[Any]) -> dict[str, Call]:
    """Return every call on some keys."""

    def on_each(function: Callable[[Any], Any]) -> Any:
        found = []
        for array in arrays:
            with array.device:
                found.append(function(array))
        wait(machine, len(arrays))
        return found

    def largest(array: Any) -> list[Any]:
        return [array[first : first + SLICE].max() for first in range(0, array.size, SLICE)]

    return {
        "max": lambda: on_each(largest),
        "median, each array on its own": lambda: on_each(modern.median),
        "median": lambda: modern.median(modern.Parts(parts)),
        "3 quantiles": lambda: modern.quantile(modern.Parts(parts), THREE),
        "101 quantiles": lambda: modern.quantile(modern.Parts(parts), MANY),
    }


def check(machine: Machine, parts: Sequence[Any]) -> None:
    """Compare answers with counts of all keys; raise AssertionError where they are wrong."""
    n = sum(part.size for part in parts)
    ranks = [*((n - 1) * np.array(CHECKED)).astype(np.int64).tolist(), (n - 1) // 2, n // 2]
    keys = modern.multiselect(modern.Parts(parts), ranks)
    for rank, key in zip(ranks, keys, strict=True):
        below, upto = (
            sum(count(compare, part, key) for part in parts)
            for compare in (machine.xp.less, machine.xp.less_equal)
        )
        if not below <= rank < upto:
            raise AssertionError(WRONG.format(f"rank {rank:,} gave {key}: {below:,} are below"))
    middle, lower = np.mean(keys[-2:]), keys[:-2]
    found = modern.quantile(modern.Parts(parts), CHECKED, method="lower")
    if modern.median(modern.Parts(parts)) != middle or not np.array_equal(found, lower):
        raise AssertionError(WRONG.format(f"the median {middle} or lower quantiles"))


def count(compare: Callable[[Any, Any], Any], part: Any, key: Any) -> int:
    """Return how many keys of a part compare with a key."""
    with part.device:
        pieces = (part[first : first + MADE] for first in range(0, part.size, MADE))
        return sum(int(compare(piece, key).sum()) for piece in pieces)


def make(machine: Machine, place: int, size: int) -> Any:
    """Return normal keys on a device, whose mean is another on each."""
    with machine.xp.cuda.Device(place):
        rng = machine.xp.random.default_rng(place)
        keys = machine.xp.empty(size, np.float32)
        for first in range(0, size, MADE):
            some = keys[first : first + MADE]
            some[:] = rng.standard_normal(some.size, dtype=np.float32)
            some += np.float32(0.5 * place)
        return keys


def timed(machine: Machine, calls: dict[str, Call], devices: int, repeats: int) -> dict[str, float]:
    """Return the median milliseconds of calls that take turns, after one call of each."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(repeats):
        for name, call in calls.items():
            wait(machine, devices)
            found[name].append(1e3 * seconds(call))
    return {name: median(times) for name, times in found.items()}


def wait(machine: Machine, devices: int) -> None:
    """Wait until some devices have done all their work."""
    for place in range(devices):
        with machine.xp.cuda.Device(place):
            machine.wait()


if __name__ == "__main__":
    main()
