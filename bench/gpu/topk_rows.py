"""First keys of the rows that language models and searches have, beside PyTorch, CUB, FlashInfer.

    python -m bench.gpu.topk_rows --output bench/records/topk-rows-….json
    python -m bench.gpu.topk_rows --cub libcub_rows.so      # built as bench/gpu/cub_rows.cu says

Every answer is checked before its call is timed, ours also for its order and for the places of
equal keys; CUB's keys come in no order. All calls on the same keys take turns, and the median turn
counts. R is one read of the keys: the time of `torch.amax` of all of them. A peer
that is missing, or does not take such rows, has a row that says why.
"""

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

import click

from bench.gpu.cub import CUB
from bench.gpu.rows_grid import OURS, READ, Question, drawn, in_
from bench.gpu.turns import Call, in_turns
from bench.shared.benchmark import benchmark
from bench.shared.data import WRONG
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
@repeated("--dtype", type=click.Choice(["float32", "bfloat16"]), help="default: both")
@option("--cub", type=PATH, help="a library that is built of bench/gpu/cub_rows.cu")
@option("--peers/--no-peers", default=True, help="without: ours and PyTorch's alone")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield every call on every shape."""
    torch = import_module("torch")
    for dtype, (shape, counts) in product(options.dtype or ("float32", "bfloat16"), SHAPES.items()):
        keys = drawn(machine.xp, torch, dtype, shape)
        for k in counts:
            head = {"dtype": dtype, "rows": shape[0], "length": shape[1], "k": k}
            calls: dict[str, Call] = {READ: partial(torch.amax, keys)}
            for name, call in calls_on(torch, keys, k, options):
                try:
                    check(machine.xp, torch, keys, k, name, call())
                    calls[name] = call
                except (ImportError, OSError, RuntimeError) as error:
                    yield {**head, "call": name, "ms": None, "why": f"{error}"[:200]}
            times = in_turns(machine, calls, options)
            for name, ms in times.items():
                yield {**head, "call": name, "ms": ms, "reads": ms / times[READ]}


def calls_on(torch: Any, keys: Any, k: int, options: Options) -> Iterator[tuple[str, Call]]:
    """Yield what makes our call and those of the peers."""
    yield OURS, Question("topk", k, 1).ours(keys)
    yield "torch.topk", partial(torch.topk, keys, k)
    if options.peers:
        yield "flashinfer.top_k", partial(first_by_flashinfer, keys, k)
        cub = CUB(options.cub)
        for name, batched in WAYS.items():
            yield f"{cub.name}, {name}", partial(cub.first_of_rows, batched, keys, k)


def first_by_flashinfer(keys: Any, k: int) -> Any:
    """Return the first keys and their places by FlashInfer, which compiles its kernel once."""
    return import_module("flashinfer.topk").top_k(keys, k, sorted=True)


def check(xp: Any, torch: Any, keys: Any, k: int, name: str, found: Any) -> None:
    """Raise AssertionError if an answer is wrong."""
    if name == OURS:
        Question("topk", k, 1).check(xp, in_(xp, torch, keys), in_(xp, torch, found))
    values, places = found
    ordered = values.sort(dim=1, descending=True).values
    right = torch.equal(ordered, torch.sort(keys, dim=1, descending=True).values[:, :k])
    if not right or not torch.equal(keys.gather(1, places.long()), values):
        raise AssertionError(WRONG.format(f"{name} of {k} in {tuple(keys.shape)}"))


if __name__ == "__main__":
    main()
