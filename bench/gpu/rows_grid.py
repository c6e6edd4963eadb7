"""Rows of every shape on a GPU: keys of one rank and first keys, beside PyTorch and CuPy.

    python -m bench.gpu.rows_grid --output bench/records/rows-grid-….json
    python -m bench.gpu.rows_grid --keys 2^20 --rows 2^8

From 2^4 rows to as many as leave 2^4 keys in each, along the last axis and along the first. The
keys are normal; CuPy has no bfloat16. Every call is the public one, on a tensor of PyTorch, and
takes the 1st, the 64th or the middle key, or as many first keys. PyTorch and CuPy have several
calls for each question; each is a row, and one that fails is said and left out. Every answer of
ours is checked on the GPU before it is timed. All calls of a shape are timed one after the other.
R is one read of the keys: the time of `torch.amax` of all of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import prod
from typing import Any

import click
import numpy as np

import modern
from bench.gpu.turns import Call
from bench.shared.benchmark import benchmark
from bench.shared.data import WRONG
from bench.shared.machines import Machine
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row

OURS, READ = "modern", "torch.amax of all keys"
"""The calls of a row of the record that are no peers."""

SLOW = 20
"""Milliseconds of a call that is timed only once."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of rows along an axis: the key of a rank, or the first keys."""

    what: str
    count: int
    axis: int

    @property
    def name(self) -> str:
        """The question in a row of the record."""
        return f"{self.what} {self.count}"

    def ours(self, keys: Any) -> Call:
        """Return our call."""
        if self.what == "select":
            return lambda: modern.select(keys, self.count - 1, axis=self.axis)
        return lambda: modern.topk(keys, self.count, axis=self.axis)

    def of_torch(self, torch: Any, keys: Any) -> dict[str, Call]:
        """Return the calls of PyTorch that answer the question."""
        select, length = self.what == "select", keys.shape[self.axis]
        calls: dict[str, Call] = {
            "torch.topk": partial(torch.topk, keys, self.count, dim=self.axis, largest=not select),
            "torch.sort": partial(torch.sort, keys, dim=self.axis, descending=not select),
        }
        if select:
            calls["torch.kthvalue"] = partial(torch.kthvalue, keys, self.count, dim=self.axis)
        if select and self.count == (length + 1) // 2:
            calls["torch.median"] = partial(torch.median, keys, dim=self.axis)
        if self.count == 1:
            calls["torch.min, max"] = partial(torch.min if select else torch.max, keys, self.axis)
        return calls

    def of_cupy(self, cupy: Any, keys: Any) -> dict[str, Call]:
        """Return the calls of CuPy that answer the question."""
        select, length = self.what == "select", keys.shape[self.axis]
        kth = self.count - 1 if select else length - self.count
        return {
            "cupy.partition": lambda: cupy.partition(keys, kth, axis=self.axis),
            "cupy.sort": lambda: cupy.sort(keys, axis=self.axis),
        }

    def check(self, xp: Any, keys: Any, answer: Any) -> None:
        """Raise AssertionError unless an answer is right; all are arrays of `xp`."""
        check = are_keys if self.what == "select" else are_first
        if not check(xp, keys, answer, self.count, self.axis):
            raise AssertionError(WRONG.format(f"{self.name} of {keys.shape} along {self.axis}"))


def are_keys(xp: Any, keys: Any, found: Any, count: int, axis: int) -> bool:
    """Return whether these are the keys at a place, from 1, of all rows."""
    value = xp.expand_dims(found, axis)
    below, upto = (keys < value).sum(axis=axis), (keys <= value).sum(axis=axis)
    return bool(((below < count) & (count <= upto)).all())


def are_first(xp: Any, keys: Any, found: tuple[Any, Any], count: int, axis: int) -> bool:
    """Return whether these are the largest keys in order, of equal keys those first in place."""
    values, places = (xp.moveaxis(part, axis, -1) for part in found)
    rows = xp.moveaxis(keys, axis, -1)
    if values.shape != places.shape or values.shape[-1] != count:
        return False
    later, tied = values[..., 1:] < values[..., :-1], values[..., 1:] == values[..., :-1]
    ordered = later | (tied & (places[..., 1:] > places[..., :-1]))
    last, place = values[..., -1:], places[..., -1:]
    taken = (rows > last) | ((rows == last) & (xp.arange(rows.shape[-1]) <= place))
    same = xp.take_along_axis(rows, places, -1) == values
    return bool(ordered.all() and same.all() and (taken.sum(axis=-1) == count).all())


@benchmark("rows-grid", __doc__, repeats=3)
@option("--keys", type=COUNT, default=1 << 28, show_default="2^28", help="of every shape")
@repeated("--rows", type=COUNT, help="numbers of rows (default: 2^4, 2^8 and so on)")
@repeated("--dtype", type=click.Choice(["float32", "bfloat16"]), help="default: both")
@option("--peers/--no-peers", default=True, help="without: our calls alone")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield every call of every question on every shape, along both axes."""
    torch = import_module("torch")
    for dtype in options.dtype or ("float32", "bfloat16"):
        for rows in options.rows or powers(options.keys):
            for axis in (1, 0):
                shape = (rows, options.keys // rows)[:: 1 if axis else -1]
                keys = drawn(machine.xp, torch, dtype, shape)
                yield from of_shape(machine, torch, keys, axis, options)


def powers(keys: int) -> list[int]:
    """Return numbers of rows: 2^4, 2^8 and so on, while each row has 2^4 keys or more."""
    return [1 << power for power in range(4, keys.bit_length() - 4, 4)]


def drawn(xp: Any, torch: Any, dtype: str, shape: tuple[int, ...]) -> Any:
    """Return a tensor of normal keys."""
    keys = xp.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    return torch.from_dlpack(keys).to(getattr(torch, dtype))


def of_shape(machine: Machine, torch: Any, keys: Any, axis: int, options: Options) -> Iterator[Row]:
    """Yield every call of every question on some keys."""
    length = keys.shape[axis]
    read = of_call(machine, partial(torch.amax, keys), options.repeats)
    head = {
        "dtype": str(keys.dtype).partition(".")[2],
        "rows": prod(keys.shape) // length,
        "length": length,
        "axis": axis,
    }
    for what in ("select", "topk"):
        for count in sorted({1, min(64, length // 2), length // 2}):
            question = Question(what, count, axis)
            times = {READ: read, **timed(machine, torch, question, keys, options)}
            for call, ms in times.items():
                row = {**head, "what": question.name, "call": call}
                yield {**row, "ms": ms, "reads": ms / read}


def timed(
    machine: Machine, torch: Any, question: Question, keys: Any, options: Options
) -> dict[str, float]:
    """Return the milliseconds of our call, which is right, and of the peers'."""
    xp, ours = machine.xp, question.ours(keys)
    exact = xp.from_dlpack(keys.float())
    question.check(xp, exact, in_(xp, torch, ours()))
    peers = question.of_torch(torch, keys) if options.peers else {}
    if options.peers and keys.dtype == torch.float32:
        peers |= question.of_cupy(xp, exact)
    found = {OURS: of_call(machine, ours, options.repeats)}
    for name, call in peers.items():
        try:
            found[name] = of_call(machine, call, options.repeats)
        except Exception as error:  # out of memory, or not supported
            print(f"{name} has no {question.name} of {tuple(keys.shape)}: {error!r:.200}")
            xp.get_default_memory_pool().free_all_blocks()
            torch.cuda.empty_cache()
    return found


def of_call(machine: Machine, call: Call, repeats: int) -> float:
    """Return the median time of a call that has run before; of a slow one, the second time."""
    first, _ = machine.timed(call)
    return float(np.median([machine.timed(call)[0] for _ in range(1 if first > SLOW else repeats)]))


def in_(xp: Any, torch: Any, answer: Any) -> Any:
    """Return tensors as arrays of the machine; those of 16 bits as float32, which holds them."""
    if isinstance(answer, tuple):
        return tuple(in_(xp, torch, part) for part in answer)
    return xp.from_dlpack(answer.float() if answer.is_floating_point() else answer)


if __name__ == "__main__":
    main()
