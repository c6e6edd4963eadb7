"""Rows on a GPU, in reads of all keys: medians and first keys, beside PyTorch and CuPy.

    python -m bench.rows --output bench/records/rows-….json
    python -m bench.rows --quick

Every answer is checked against NumPy, or against a sort on the GPU, before it is timed. All calls
on the same keys take turns, and the median turn counts. R is one read of the keys: the time of
`max` in the same turns. A call of PyTorch or CuPy that fails is left out. For all shapes there is
`bench.rows_grid`.
"""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np

from bench.shared.data import WRONG
from bench.shared.machines import Machine, opened
from bench.shared.options import Options, command, option, output_option
from bench.shared.record import Row, begun, tell
from shadersort.selection.top_keys import LARGEST

Call = Callable[[], Any]

KEYS = 30, 27
"""Powers of two of the keys: of short rows, and of long rows."""

QUICK = 4
"""A quick run has fewer keys, by so many powers of two."""


@command(__doc__)
@option("--quick", is_flag=True, help="fewer keys and turns: to see that all is right")
@option("--repeats", type=int, default=5, help="of each in a turn; the median counts")
@option("--turns", type=int, default=3, help="of all; the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened("cuda")
    if options.quick:
        options.turns = 1
    record = begun("rows", machine.described())
    tell(record, measurements(machine, options), options.output)


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure the chosen shapes and data."""
    less = QUICK if options.quick else 0
    short, long = (power - less for power in KEYS)
    cells = ("median", "nanmedian", "top")
    for data in ("normal", "1% NaN", "geometric", "five values", "sorted", "constant"):
        yield from _measured(machine, data, (1 << short - 10, 1 << 10), False, cells, options)
        yield from _measured(machine, data, (1 << long - 17, 1 << 17), False, cells, options)
    for shape in ((1 << short - 10, 1 << 10), (1 << long - 17, 1 << 17)):
        yield from _measured(machine, "normal", shape, True, cells, options)


def drawn(xp: Any, data: str, shape: tuple[int, int]) -> Any:
    """Draw rows of float32."""
    random = xp.random.default_rng(1)
    if data == "constant":
        return xp.full(shape, 7, np.float32)
    keys = random.standard_normal(shape, dtype=np.float32)
    if data == "five values":
        return xp.floor(xp.clip(keys, -2, 2))
    if data == "geometric":
        scale = random.random(shape, dtype=np.float32)
        scale *= -100
        return keys * xp.exp2(scale)
    if data == "sorted":
        keys.sort(axis=1)
    if data == "1% NaN":
        keys.reshape(-1)[::100] = np.nan
    return keys


def _measured(
    machine: Machine,
    data: str,
    shape: tuple[int, int],
    by_column: bool,
    cells: tuple[str, ...],
    options: Options,
) -> Iterator[Row]:
    rows = drawn(machine.xp, data, shape)
    keys = machine.xp.ascontiguousarray(rows.T)[None] if by_column else rows[:, :, None]
    count = 10 if shape[1] <= 1 << 10 else 64
    calls: dict[str, Call] = {"max": lambda: machine.xp.max(keys)}
    for cell in cells:
        calls |= calls_of(machine, cell, keys, min(count, shape[1]))
    times = _timed(machine, calls, options)
    for what, ms in times.items():
        head = {"data": data, "rows": shape[0], "length": shape[1], "axis": 0 if by_column else 1}
        yield {**head, "what": what, "ms": ms, "reads": ms / times["max"]}


def calls_of(machine: Machine, cell: str, keys: Any, count: int) -> dict[str, Call]:
    """Return the calls of one question, ours and others'; ours has been checked."""
    from modern.rows.cuda import CUDARows

    rows, xp = CUDARows(keys), machine.xp
    if cell == "top":
        calls: dict[str, Call] = {
            f"top {count}": lambda: rows.first(LARGEST, count, True, "lowest")
        }
        _check_top(xp, keys, *calls[f"top {count}"]())
    else:
        calls = {cell: partial(rows.medians, cell == "nanmedian")}
        _check_medians(keys, calls[cell](), cell == "nanmedian")
    others = {
        "torch": partial(_torch, cell, keys, count),
        "cupy": partial(_cupy, cell, keys, count),
    }
    for name, make in others.items():
        try:
            call = make()
            call()
            machine.wait()
        except Exception as error:  # out of memory, not installed, or not supported
            print(f"{name} has no {cell} of {keys.shape}: {type(error).__name__}")
            xp.get_default_memory_pool().free_all_blocks()
            continue
        calls[f"{next(iter(calls))}, {name}"] = call
    return calls


SAMPLED = 512
"""Rows whose medians are checked against NumPy."""


def _check_medians(keys: Any, found: Any, nan: bool) -> None:
    outer, _, inner = keys.shape
    places = slice(None, None, max(1, outer * inner // SAMPLED))
    some = keys[places] if inner == 1 else keys[:, :, places]
    answers = found[places] if inner == 1 else found[:, places]
    expected = (np.nanmedian if nan else np.median)(some.get(), axis=1)
    if not np.array_equal(answers.get(), expected, equal_nan=True):
        raise AssertionError(WRONG.format("medians of rows"))


def _check_top(xp: Any, keys: Any, values: Any, places: Any) -> None:
    """Compare places and values with each other, and some rows with NumPy."""
    if not bool(xp.all(xp.take_along_axis(keys, places, 1).view("i4") == values.view("i4"))):
        raise AssertionError(WRONG.format("places of the first keys"))
    outer, _, inner = keys.shape
    step = max(1, outer * inner // SAMPLED)
    some = keys[::step] if inner == 1 else keys[:, :, ::step]
    where = (places[::step] if inner == 1 else places[:, :, ::step]).get()
    some = np.where(np.isnan(host := some.get()), np.inf, host)
    expected = np.argsort(-some, axis=1, kind="stable")[:, : where.shape[1]]
    if not np.array_equal(where, expected):
        raise AssertionError(WRONG.format("first keys of rows"))


def _torch(cell: str, keys: Any, count: int) -> Call:
    torch = import_module("torch")
    given: Any = torch.from_dlpack(keys)
    if cell == "top":
        return lambda: torch.topk(given, count, dim=1)
    return partial(torch.median if cell == "median" else torch.nanmedian, given, dim=1)


def _cupy(cell: str, keys: Any, count: int) -> Call:
    import cupy

    length = keys.shape[1]
    kth = length - count if cell == "top" else length // 2
    return lambda: cupy.partition(keys, kth, axis=1)


def _timed(machine: Machine, calls: dict[str, Call], options: Options) -> dict[str, float]:
    """Return the milliseconds of calls that take turns."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(options.turns):
        for name, call in calls.items():
            found[name].append(machine.ms(call, options.repeats))
    return {name: median(times) for name, times in found.items()}


if __name__ == "__main__":
    main()
