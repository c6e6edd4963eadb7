"""What calls on small tensors cost the host, beside PyTorch's: a GPU waits for them.

    python -m bench.tensor_calls --output bench/records/tensor-calls-….json

Times are those until a call returns, while the GPU still works. Ours is also called on the same
keys as an array of CuPy. Every answer is checked before it is timed.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import click
import numpy as np

import modern
from bench.shared.data import WRONG
from bench.shared.machines import WARM, Machine, opened
from bench.shared.options import Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell

Call = Callable[[], Any]

TENSOR, ARRAY = "modern, a tensor", "modern, an array of CuPy"
"""Our calls in a record."""

SHAPES = {"16 x 4096": (16, 4096), "1024 x 32": (1024, 32), "4096 x 512": (4096, 512)}

CLOSE = 1e-6
"""How far other answers may be from NumPy's."""


@command(__doc__)
@repeated("--shape", type=click.Choice(list(SHAPES)), help="default: all")
@option("--repeats", type=int, default=1000, help="of each call; the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened("cuda")
    record = begun("tensor-calls", machine.described())
    tell(record, measurements(machine, options), options.output)


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield every call of every question on every shape."""
    torch = import_module("torch")
    for shape in options.shape or SHAPES:
        keys = np.random.default_rng(1).standard_normal(SHAPES[shape], dtype=np.float32)
        for what, calls in questions(machine, torch, keys).items():
            for call, run in calls.items():
                # PyTorch's quantile does not add the two middle keys, so it rounds otherwise
                close = 0 if call in (TENSOR, ARRAY) else CLOSE
                found, right = values_of(run()), expected(what, keys)
                if found.shape != right.shape or np.abs(found - right).max() > close:
                    raise AssertionError(WRONG.format(f"{what} of {shape} by {call}"))
                us = host_us(machine, run, options.repeats)
                yield {"shape": shape, "what": what, "call": call, "host_us": us}


def questions(machine: Machine, torch: Any, keys: Any) -> dict[str, dict[str, Call]]:
    """Return the calls that answer each question about rows of at least 32 keys."""
    x = torch.from_numpy(keys).cuda()
    array = machine.xp.from_dlpack(x)

    def ours(function: Callable[..., Any], *given: Any) -> dict[str, Call]:
        return {
            TENSOR: partial(function, x, *given, axis=1),
            ARRAY: partial(function, array, *given, axis=1),
        }

    return {
        "select 1": {**ours(modern.select, 0), "torch.min": partial(torch.min, x, 1)},
        "select 8": {**ours(modern.select, 7), "torch.kthvalue": partial(torch.kthvalue, x, 8, 1)},
        "topk 8": {**ours(modern.topk, 8), "torch.topk": partial(torch.topk, x, 8, 1)},
        "median": {**ours(modern.median), "torch.quantile": partial(torch.quantile, x, 0.5, 1)},
    }


def expected(what: str, keys: Any) -> Any:
    """Return the values of an answer, by NumPy."""
    name, _, count = what.partition(" ")
    if name == "median":
        return np.median(keys, axis=1)
    ordered = np.sort(keys, axis=1)
    return ordered[:, int(count) - 1] if name == "select" else ordered[:, : -int(count) - 1 : -1]


def values_of(answer: Any) -> Any:
    """Return the values of an answer on the host; of values and places, these."""
    values = answer[0] if isinstance(answer, tuple) else answer
    return values.get() if hasattr(values, "get") else values.cpu().numpy()


def host_us(machine: Machine, call: Call, repeats: int) -> float:
    """Return the median of the microseconds until a call returns."""
    found = []
    for i in range(WARM + repeats):
        if i % 100 == 0:
            machine.wait()  # the queue of a GPU has an end, at which calls wait
        begun_at = time.perf_counter()
        call()
        found.append(1e6 * (time.perf_counter() - begun_at))
    machine.wait()
    return float(np.median(found[WARM:]))


if __name__ == "__main__":
    main()
