"""Rows of every shape on a GPU: keys of one rank and first keys, beside PyTorch and CuPy.

    python -m bench.gpu.rows_grid --output bench/records/rows-grid-….json

From 2^4 rows to as many as leave 2^4 keys in each, along the last axis and along the first. The
keys are normal; CuPy has no bfloat16. Every call is the public one, on a tensor of PyTorch, and
takes the 1st, the 64th or the middle key, or as many first keys. PyTorch and CuPy have several
calls for each question; each is a row, and one that fails has a row that says why.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import product
from math import prod
from typing import Any

import click
import numpy as np

import modern
from bench.gpu.turns import Call, in_turns
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure
from bench.shared.machines import Machine
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row

OURS, READ = "modern", "torch.amax of all keys"
"""The calls of a row of the record that are no peers."""

TYPES = ("float32", "bfloat16")


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
            return partial(modern.select, keys, self.count - 1, axis=self.axis)
        return partial(modern.topk, keys, self.count, axis=self.axis)

    def peers(self, xp: Any, torch: Any, keys: Any) -> dict[str, Call]:
        """Return the calls of PyTorch and CuPy that answer the question."""
        select, length, axis = self.what == "select", keys.shape[self.axis], self.axis
        calls: dict[str, Call] = {
            "torch.topk": partial(torch.topk, keys, self.count, dim=axis, largest=not select),
            "torch.sort": partial(torch.sort, keys, dim=axis, descending=not select),
        }
        if select:
            calls["torch.kthvalue"] = partial(torch.kthvalue, keys, self.count, dim=axis)
        if select and self.count == (length + 1) // 2:
            calls["torch.median"] = partial(torch.median, keys, dim=axis)
        if self.count == 1:
            calls["torch.min, max"] = partial(torch.min if select else torch.max, keys, axis)
        if keys.dtype == torch.float32:
            array, kth = xp.from_dlpack(keys), self.count - 1 if select else length - self.count
            calls["cupy.partition"] = partial(xp.partition, array, kth, axis=axis)
            calls["cupy.sort"] = partial(xp.sort, array, axis=axis)
        return calls

    def check(self, torch: Any, keys: Any, answer: Any) -> None:
        """Raise AssertionError unless an answer is right: of equal keys those first in place."""
        select = self.what == "select"
        ordered = torch.sort(keys, stable=True, dim=self.axis, descending=not select)
        if select:
            right = torch.equal(ordered.values.select(self.axis, self.count - 1), answer)
        else:
            right = all(
                torch.equal(expected.narrow(self.axis, 0, self.count), found)
                for expected, found in zip(ordered, answer, strict=True)
            )
        ensure(right, f"{self.name} of {keys.shape} along {self.axis}")


@benchmark("rows-grid", __doc__, repeats=3, turns=1)
@option("--keys", type=COUNT, default="2^28", help="of every shape")
@repeated("--rows", type=COUNT, help="numbers of rows (default: 2^4, 2^8 and so on)")
@repeated("--dtype", type=click.Choice(TYPES), help="default: both")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield every call of every question on every shape, along both axes."""
    torch, bits = import_module("torch"), options.keys.bit_length()
    sizes = options.rows or [1 << power for power in range(4, bits - 4, 4)]
    for dtype, rows, axis in product(options.dtype or TYPES, sizes, (1, 0)):
        length = options.keys // rows
        keys = drawn(machine.xp, torch, dtype, (rows, length)[:: 1 if axis else -1])
        counts = sorted({1, min(64, length // 2), length // 2})
        for what, count in product(("select", "topk"), counts):
            question = Question(what, count, axis)
            peers = question.peers(machine.xp, torch, keys)
            yield from rows_of_calls(machine, torch, keys, question, peers, options)


def drawn(xp: Any, torch: Any, dtype: str, shape: tuple[int, ...]) -> Any:
    """Return a tensor of normal keys."""
    keys = xp.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    return torch.from_dlpack(keys).to(getattr(torch, dtype))


def rows_of_calls(
    machine: Machine,
    torch: Any,
    keys: Any,
    question: Question,
    peers: Mapping[str, Call],
    options: Options,
    check: Callable[[Any], None] = lambda answer: None,
) -> Iterator[Row]:
    """Check our call, try the peers' and check their answers, and yield the rows of all."""
    length, ours = keys.shape[question.axis], question.ours(keys)
    dtype, count = str(keys.dtype).partition(".")[2], prod(keys.shape) // length
    head = {"dtype": dtype, "rows": count, "length": length, "axis": question.axis}
    head |= {"what": question.name, "k": question.count}
    question.check(torch, keys, ours())
    calls: dict[str, Call] = {READ: partial(torch.amax, keys), OURS: ours}
    for name, call in peers.items():
        try:
            check(call())
            calls[name] = call
        except AssertionError:
            raise
        except Exception as error:  # out of memory, not installed, or not supported
            yield {**head, "call": name, "ms": None, "why": f"{error}"[:200]}
            machine.xp.get_default_memory_pool().free_all_blocks()
            torch.cuda.empty_cache()
    times = in_turns(machine, calls, options)
    for name, ms in times.items():
        yield {**head, "call": name, "ms": ms, "reads": ms / times[READ]}


if __name__ == "__main__":
    main()
