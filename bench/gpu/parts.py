"""Selection from keys on several GPUs at once, beside one GPU with its share of the keys.

    python -m bench.gpu.parts --output bench/records/parts-….json
    python -m bench.gpu.parts --devices 1 --as-parts 2 --per-device 2^24

Each device makes its own keys: normal ones, of which the devices after the first have other means.
Every answer is checked before it is timed: each device counts its keys below and equal to every
quantile, and the sums prove the rank. A row has the time by the clock from a call to its answer,
with all devices at work; `max` reads all keys once, on all devices at once, and is R.

`of_one` is the throughput, by that of one device with as many keys as each of these. `on its own`
is what this package does with an array on one GPU, in one launch; several devices do it at the same
time, each for its own keys.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from statistics import median
from typing import Any

import numpy as np

import modern
from bench.shared.data import WRONG
from bench.shared.machines import Machine, machine_option, opened
from bench.shared.options import COUNT, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell

THREE = (0.25, 0.5, 0.99)
MANY = np.linspace(0, 1, 101)

MADE = 1 << 26
"""Keys that are made, or counted, at a time."""

SLICE = 1 << 30
"""Keys that `max` reads at a time."""

CHECKED = 5
"""About this many of the quantiles are proved again by a count of our own."""

Call = Callable[[], Any]


@command(__doc__)
@option(
    "--per-device", type=COUNT, default=1 << 33, show_default="2^33", help="keys of each device"
)
@repeated("--devices", type=int, help="number of devices (default: 1, and all that are here)")
@option("--as-parts", type=int, default=1, help="parts of each device's keys")
@option("--repeats", type=int, default=7, help="of each call; the median counts")
@machine_option
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened(options.device)
    here = count_of(machine)
    record = begun("parts", machine.described(), devices_here=names_of(machine))
    tell(
        record, measurements(machine, options.devices or sorted({1, here}), options), options.output
    )


def measurements(machine: Machine, devices: Sequence[int], options: Options) -> Iterator[Row]:
    """Yield the rows of each number of devices, with the throughput by that of one."""
    alone: dict[str, float] = {}
    arrays: list[Any] = []
    for count in devices:
        for place in range(len(arrays), count):
            arrays.append(made(machine, place, options.per_device))
        for row in of_devices(machine, arrays[:count], options):
            if count == 1:
                alone[row["what"]] = row["ms"]
            if row["what"] in alone:
                row["of_one"] = count * alone[row["what"]] / row["ms"]
            yield row


def of_devices(machine: Machine, arrays: Sequence[Any], options: Options) -> Iterator[Row]:
    """Check and time every call on the keys of some devices."""
    parts = [part for array in arrays for part in np.array_split(array, options.as_parts)]
    calls = calls_on(machine, arrays, parts)
    check(machine, parts)
    times = timed(machine, calls, len(arrays), options.repeats)
    for what, ms in times.items():
        head = {"what": what, "devices": len(arrays), "parts": len(parts)}
        keys = sum(array.size for array in arrays)
        row = {**head, "keys": keys, "dtype": "float32", "ms": ms, "reads": ms / times["max"]}
        yield row | {"gkeys_per_s": keys / ms / 1e6}


def calls_on(machine: Machine, arrays: Sequence[Any], parts: Sequence[Any]) -> dict[str, Call]:
    """Return every call on some keys."""

    def on_each(function: Callable[[Any], Any]) -> Any:
        found = []
        for place, array in enumerate(arrays):
            with on(machine, place):
                found.append(function(array))
        wait(machine, len(arrays))
        return found

    return {
        "max": lambda: on_each(lambda array: largest(machine, array)),
        "median, each array on its own": lambda: on_each(modern.median),
        "median": lambda: modern.median(modern.Parts(parts)),
        "3 quantiles": lambda: modern.quantile(modern.Parts(parts), THREE),
        "101 quantiles": lambda: modern.quantile(modern.Parts(parts), MANY),
    }


def largest(machine: Machine, keys: Any) -> list[Any]:
    """Return the largest keys of slices: CuPy reads more keys at once at a quarter of the speed."""
    return [machine.xp.max(keys[first : first + SLICE]) for first in range(0, keys.size, SLICE)]


def check(machine: Machine, parts: Sequence[Any]) -> None:
    """Compare answers with counts of all keys; raise AssertionError where they are wrong."""
    n = sum(part.size for part in parts)
    some = MANY[:: -(-MANY.size // CHECKED)]
    ranks = [*((n - 1) * np.array([*THREE, *some])).astype(np.int64).tolist(), (n - 1) // 2, n // 2]
    keys = modern.multiselect(modern.Parts(parts), ranks)
    for rank, key in zip(ranks, keys, strict=True):
        below, upto = (counted(machine, parts, key, and_equal=each) for each in (False, True))
        if not below <= rank < upto:
            raise AssertionError(WRONG.format(f"rank {rank:,} gave {key}: {below:,} are below"))
    middle = np.mean(keys[-2:])
    if (
        modern.median(modern.Parts(parts)) != middle
        or modern.select(modern.Parts(parts), n // 2) != keys[-1]
    ):
        raise AssertionError(WRONG.format(f"the median is not {middle}"))
    lower = modern.quantile(modern.Parts(parts), [*THREE, *some], method="lower")
    if not np.array_equal(lower, keys[:-2]):
        raise AssertionError(WRONG.format(f"lower quantiles are not {keys[:-2]}"))


def counted(machine: Machine, parts: Sequence[Any], key: Any, *, and_equal: bool) -> int:
    """Return how many keys are below a key, or below and equal."""
    compare = machine.xp.less_equal if and_equal else machine.xp.less
    found = 0
    for part in parts:
        with nullcontext() if machine.xp is np else part.device:
            for first in range(0, part.size, MADE):
                found += int(compare(part[first : first + MADE], key).sum())
    return found


def made(machine: Machine, place: int, count: int) -> Any:
    """Return normal keys on a device, whose mean is another on each."""
    with on(machine, place):
        rng = machine.xp.random.default_rng(place)
        keys = machine.xp.empty(count, np.float32)
        for first in range(0, count, MADE):
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
            begun = time.perf_counter()
            call()
            found[name].append(1e3 * (time.perf_counter() - begun))
    return {name: median(times) for name, times in found.items()}


def on(machine: Machine, place: int) -> AbstractContextManager[Any]:
    """Return a context in which a device is the current one."""
    context: AbstractContextManager[Any] = (
        nullcontext() if machine.xp is np else machine.xp.cuda.Device(place)
    )
    return context


def wait(machine: Machine, devices: int) -> None:
    """Wait until some devices have done all their work."""
    for place in range(devices):
        with on(machine, place):
            machine.wait()


def count_of(machine: Machine) -> int:
    """Return how many devices are here; the host is one."""
    return 1 if machine.xp is np else int(machine.xp.cuda.runtime.getDeviceCount())


def names_of(machine: Machine) -> list[str]:
    """Return the names of all devices."""
    if machine.xp is np:
        return [machine.name]
    properties = machine.xp.cuda.runtime.getDeviceProperties
    return [properties(place)["name"].decode() for place in range(count_of(machine))]


if __name__ == "__main__":
    main()
