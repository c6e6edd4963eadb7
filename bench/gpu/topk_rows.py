"""First keys of the rows that language models and searches have, beside PyTorch, CUB, FlashInfer.

    python -m bench.gpu.topk_rows --cub libcub_rows.so --output bench/records/topk-rows-….json

Our answers are checked also for their order and the places of equal keys; CUB, built as cub/rows.cu
says, has no order. A peer that is missing, or does not take such rows, has a row that says why.
"""

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

import click

from bench.gpu.cub import CUB
from bench.gpu.rows_grid import TYPES, Question, drawn, rows_of_calls
from bench.gpu.turns import Call
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure
from bench.shared.machines import Machine
from bench.shared.options import PATH, Options, option, repeated
from bench.shared.record import Row

SHAPES = {
    **{(rows, 1 << 17): (1, 50, 1024, 2048) for rows in (1, 8, 64, 512)},
    **{(rows, 1 << 16): (512, 2048) for rows in (1, 64, 1024)},
    **{(16, 1 << 20): (2048,), (4, 50257): (40,), (64, 32000): (1,)},
}
"""Rows and keys in a row, with the numbers of first keys."""

WAYS = {"DeviceTopK row by row": False, "DeviceBatchedTopK": True}
"""CUB's two, and whether they take all rows at once."""


@benchmark("topk-rows", __doc__, repeats=7, turns=3)
@repeated("--dtype", type=click.Choice(TYPES), help="default: both")
@option("--cub", type=PATH, help="a library that is built of bench/gpu/cub/rows.cu")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield every call on every shape."""
    torch: Any = import_module("torch")
    cub = CUB(options.cub)
    for dtype, (shape, counts) in product(options.dtype or TYPES, SHAPES.items()):
        keys = drawn(machine.xp, torch, dtype, shape)
        for k in counts:
            calls: dict[str, Call] = {"torch.topk": partial(torch.topk, keys, k)}
            calls["flashinfer.top_k"] = partial(by_flashinfer, keys, k)
            for name, batched in WAYS.items():
                calls[f"{cub.name}, {name}"] = partial(cub.first_of_rows, batched, keys, k)
            question, checked = Question("topk", k, 1), partial(check, torch, keys, k)
            yield from rows_of_calls(machine, torch, keys, question, calls, options, checked)


def by_flashinfer(keys: Any, k: int) -> Any:
    """Return the first keys and their places by FlashInfer, which compiles its kernel once."""
    return import_module("flashinfer.topk").top_k(keys, k, sorted=True)


def check(torch: Any, keys: Any, k: int, answer: Any) -> None:
    """Raise AssertionError if the answer of a peer is wrong."""
    values, places = answer
    ordered = values.sort(dim=1, descending=True).values
    right = torch.equal(ordered, torch.sort(keys, dim=1, descending=True).values[:, :k])
    right = right and torch.equal(keys.gather(1, places.long()), values)
    ensure(right, f"first {k} of {tuple(keys.shape)}")


if __name__ == "__main__":
    main()
