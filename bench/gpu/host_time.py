"""What a call on a GPU costs the host, beside PyTorch's: the time until it returns.

    python -m bench.gpu.host_time --output bench/records/host-time-….json

The GPU still works when a call returns, and nothing waits for it. The ratio is to `torch.kthvalue`
on 1,024 keys in the same run.
"""

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

import click
import numpy as np

import modern
from bench.gpu.turns import Call
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure
from bench.shared.machines import WARM, Machine, seconds
from bench.shared.options import Options, repeated
from bench.shared.record import Row

SHAPES = {
    "1,024": (1 << 10,),
    "65,536": (1 << 16,),
    "16,777,216": (1 << 24,),
    "1,024 x 1,024": (1 << 10, 1 << 10),
}

QUESTIONS: dict[str, tuple[Any, ...]] = {
    "select": (100,),
    "median": (),
    "topk": (8,),
    "quantile": (0.25,),
    "multiselect": ([1, 100, 900],),
    "nanmedian": (),
    "nanquantile": (0.25,),
}
"""The functions that are called, and what they get beside the keys."""


@benchmark("host-time", __doc__, repeats=500)
@repeated("--shape", type=click.Choice(list(SHAPES)), help="default: all")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield every call of every question on every shape."""
    torch = import_module("torch")
    small = torch.randn(SHAPES["1,024"], device="cuda")
    peer = host_us(machine, partial(torch.kthvalue, small, 100), options.repeats)
    head = {"shape": "1,024", "what": "select", "call": "torch.kthvalue"}
    yield {**head, "host_us": peer, "ratio": 1.0}
    for shape in options.shape or SHAPES:
        keys = np.random.default_rng(1).standard_normal(SHAPES[shape], dtype=np.float32)
        tensor = torch.from_numpy(keys).cuda()
        given = {"a tensor": tensor, "an array of CuPy": machine.xp.asarray(keys)}
        for (what, more), (kind, x) in product(QUESTIONS.items(), given.items()):
            call = partial(getattr(modern, what), x, *more, axis=-1)
            found, right = call(), getattr(modern, what)(keys, *more, axis=-1)
            if what == "topk":
                found, right = found[0], right[0]
            same = np.array_equal(machine.xp.asnumpy(found), right)
            ensure(same, f"{what} of {keys.shape}")
            us = host_us(machine, call, options.repeats)
            row = {"shape": shape, "what": what, "call": f"modern, {kind}"}
            yield {**row, "host_us": us, "ratio": us / peer}


def host_us(machine: Machine, call: Call, repeats: int) -> float:
    """Return the median of the microseconds until a call returns."""
    found = []
    for i in range(WARM + repeats):
        if i % 100 == 0:
            machine.wait()  # the queue of a GPU has an end, at which calls wait
        found.append(1e6 * seconds(call))
    machine.wait()
    return float(np.median(found[WARM:]))


if __name__ == "__main__":
    main()
