"""Selection from keys on several GPUs, beside one GPU that has all of them.

    python -m bench.gpu.parts --output bench/records/parts-….json
    python -m bench.gpu.parts --keys 2^30 --devices 2

Every device makes its own normal keys; `one_ms` is the same call for a copy of all keys on the
first device, in the same run. Every answer is compared with that, and counts prove the middle rank.
Times are by the clock, from a call until all devices have done their work; `host_ms` is until the
call returns. Of few keys, `copied_ms` is a copy to the first device and the selection there.

The rows with `pieces` have hostile pieces: one is empty, has only NaNs, has all keys near the
median, or has one key. `slower` compares them with pieces of one size.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import modern
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure
from bench.shared.machines import Machine, seconds
from bench.shared.options import COUNT, Options, repeated
from bench.shared.record import Row

MADE = 1 << 26
"""Keys that are made, or counted, at a time."""

SMALL = 1 << 26
"""Up to this many keys have a time of their copy, too."""

HOSTILE = 1 << 30
"""So many keys have hostile pieces."""

Call = Callable[[], Any]


@benchmark("parts", __doc__, repeats=9)
@repeated("--keys", type=COUNT, help="on all devices (default: 2^24, 2^28, 2^30, 2^32)")
@repeated("--devices", type=int, help="number of devices (default: all, and 2)")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield the rows of each number of devices and keys."""
    here = machine.xp.cuda.runtime.getDeviceCount()
    for devices in options.devices or sorted({min(2, here), here}):
        for keys in options.keys or [1 << 24, 1 << 28, 1 << 30, 1 << 32]:
            types = ("float32", "float64", "int32") if keys == HOSTILE else ("float32",)
            for dtype in types:
                arrays = [make(machine, i, keys // devices, dtype) for i in range(devices)]
                head = {"keys": keys, "dtype": dtype, "devices": devices}
                yield from rows_of(machine, arrays, head, options.repeats)
                if keys == HOSTILE and dtype == "float32":
                    yield from hostile_rows(machine, arrays, head, options.repeats)
                del arrays
                free(machine, devices)


def calls(keys: int) -> dict[str, Callable[[Any], Any]]:
    """Return every call that is measured, by its name."""
    ranks = np.linspace(0, keys - 1, 101).astype(np.int64)
    return {
        "select": lambda x: modern.select(x, keys // 2),
        "median": modern.median,
        "101 ranks": lambda x: modern.multiselect(x, ranks),
        "top 1,000": lambda x: modern.topk(x, 1000).indices,
    }


def rows_of(machine: Machine, arrays: Sequence[Any], head: Row, repeats: int) -> Iterator[Row]:
    """Yield the row of each call."""
    parts, one = modern.Parts(arrays), join(machine, arrays)
    check_rank(machine, one)
    for what, call in calls(one.size).items():
        check(machine, what, call(parts), call(one))
        turns: dict[str, Call] = {"ms": partial(call, parts), "one_ms": partial(call, one)}
        if one.size <= SMALL:
            turns["copied_ms"] = partial(lambda call: call(join(machine, arrays)), call)
        times = time_in_turns(machine, len(arrays), repeats, turns)
        yield {**head, "what": what, **times, "speedup": times["one_ms"] / times["ms"]}


def hostile_rows(machine: Machine, arrays: Sequence[Any], head: Row, repeats: int) -> Iterator[Row]:
    """Yield the rows of hostile pieces, each beside pieces of one size."""
    xp, (first, *rest) = machine.xp, arrays
    whole, apart = xp.concatenate([first, first]), []
    for each in rest:
        with each.device:
            apart.append(each + 8)
    pieces = {
        "one is empty": [first[:0], *arrays],
        "one has only NaNs": [xp.full_like(first, np.nan), *rest],
        "one has all keys near the median": [first * np.float32(1e-3), *apart],
        "one key, and all others": [rest[0][:1], whole],
    }
    even, names = modern.Parts(arrays), ("select", "101 ranks", "top 1,000")
    for name, given in pieces.items():
        parts, one = modern.Parts(given), join(machine, given)
        for what in names:
            call, alike = calls(one.size)[what], calls(sum(each.size for each in arrays))[what]
            check(machine, what, call(parts), call(one))
            both = {"ms": partial(call, parts), "even": partial(alike, even)}
            times = time_in_turns(machine, len(arrays), repeats, both)
            slower = times["ms"] / times["even"]
            yield {**head, "pieces": name, "what": what, "ms": times["ms"], "slower": slower}
        del parts, one
        free(machine, len(arrays))


def check_rank(machine: Machine, one: Any) -> None:
    """Prove the key of the middle rank by counts of its own."""
    key, rank = modern.select(one, one.size // 2), one.size // 2
    pieces = [one[at : at + MADE] for at in range(0, one.size, MADE)]
    below, upto = (
        sum(int(compare(piece, key).sum()) for piece in pieces)
        for compare in (machine.xp.less, machine.xp.less_equal)
    )
    ensure(below <= rank < upto, f"rank {rank:,} gave {key}: {below:,} are below")


def check(machine: Machine, what: str, found: Any, expected: Any) -> None:
    """Raise AssertionError if two answers differ; NaN equals NaN."""
    found, expected = machine.xp.asnumpy(found), machine.xp.asnumpy(expected)
    same = np.array_equal(found, expected, equal_nan=found.dtype.kind == "f")
    ensure(same, f"{what}: {found}, not {expected}")


def join(machine: Machine, arrays: Sequence[Any]) -> Any:
    """Return a copy of all keys on the first device."""
    with machine.xp.cuda.Device(0):
        one, at = machine.xp.empty(sum(each.size for each in arrays), arrays[0].dtype), 0
        for each in arrays:
            one[at : at + each.size] = each
            at += each.size
        return one


def make(machine: Machine, place: int, size: int, dtype: str) -> Any:
    """Return keys on a device: normal floats, or any integers."""
    with machine.xp.cuda.Device(place):
        rng = machine.xp.random.default_rng(place)
        keys = machine.xp.empty(size, dtype)
        for first in range(0, size, MADE):
            some = keys[first : first + MADE]
            if dtype == "int32":
                drawn = rng.integers(0, 1 << 32, some.size, np.uint64)
                some[:] = drawn.astype(np.uint32).view(dtype)
            else:
                some[:] = rng.standard_normal(some.size, dtype=dtype)
        return keys


def time_in_turns(
    machine: Machine, devices: int, repeats: int, called: Mapping[str, Call]
) -> dict[str, float]:
    """Return the median milliseconds of calls in turns, and until the first one returns."""
    found: dict[str, list[float]] = {name: [] for name in (*called, "host_ms")}
    for call in called.values():
        call()
    for _ in range(repeats):
        for name, call in called.items():
            wait(machine, devices)
            host = seconds(call)
            found[name].append(1e3 * (host + seconds(lambda: wait(machine, devices))))
            if name == "ms":
                found["host_ms"].append(1e3 * host)
    return {name: median(times) for name, times in found.items()}


def wait(machine: Machine, devices: int) -> None:
    """Wait until some devices have done all their work."""
    for place in range(devices):
        with machine.xp.cuda.Device(place):
            machine.xp.cuda.runtime.deviceSynchronize()


def free(machine: Machine, devices: int) -> None:
    """Give back the memory of arrays that are gone."""
    for place in range(devices):
        with machine.xp.cuda.Device(place):
            machine.xp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
