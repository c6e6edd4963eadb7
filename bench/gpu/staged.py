"""What is staged in one read on a GPU: top-k, thresholds and many ranks, in reads of all keys.

    python -m bench.gpu.staged --output bench/records/staged-….json

Thresholds are in place: the keys are restored before each call, which is not timed.
"""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import Any

import click
import numpy as np

import modern
from bench.gpu.methods import MANY
from bench.gpu.turns import Calls, rows_of
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure
from bench.shared.definitions import Definitions
from bench.shared.hostile import draw
from bench.shared.machines import Machine
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from shadersort.keys import datasets

TYPES = ("float32", "float64", "int32", "float16")


@benchmark("staged", __doc__, repeats=7, turns=3)
@option("--n", type=COUNT, default="2^28", help="number of keys")
@repeated("--dtype", type=click.Choice(TYPES), help="default: all")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every call on keys of every type."""
    for dtype in options.dtype or TYPES:
        data = data_of(dtype)
        keys = draw(machine.xp, data, options.n, dtype=dtype, seed=1)
        changed = keys.copy()
        calls: Calls = {("", "max"): partial(machine.xp.max, keys)}
        calls |= our_calls(machine, keys, changed) | _topk_of_torch(keys)
        head = {"data": data, "dtype": dtype, "n": keys.size}
        yield from rows_of(machine, head, calls, options, partial(changed.__setitem__, ..., keys))


def data_of(dtype: str) -> str:
    """Return how keys of a type are distributed."""
    return "normal" if np.dtype(dtype).kind == "f" else "uniform"


def our_calls(machine: Machine, keys: Any, changed: Any) -> Calls:
    """Return our calls; thresholds are of `changed`, which has the same keys at first."""
    definitions, n, calls = Definitions(machine.xp, keys.copy()), keys.size, Calls()

    def checked(group: str, what: str, right: Callable[[Any], bool], call: Any) -> None:
        changed[...] = keys
        ensure(right(call()), f"{what} of {keys.dtype}")
        calls[group, what] = call

    middle = partial(modern.select, keys, n // 2)
    checked("ranks", "select n/2", lambda found: definitions.are_keys(found, n // 2), middle)
    for name, k in counts(n).items():
        top = partial(definitions.is_top, k=k, largest=True)
        checked("top-k", f"topk {name}", top, partial(modern.topk, keys, k))
    shares = {"n/1,000": n // 1000, "n/100": n // 100, "n/2": n // 2}
    for (name, k), kind in product(shares.items(), ("hard", "soft")):
        left = partial(definitions.is_threshold, k=k, kind=kind)
        call = partial(modern.threshold, changed, k, kind=kind, out=changed)
        checked("threshold", f"threshold {kind} {name}", left, call)
    for count in MANY:
        ranks = datasets.ranks("uniform", n, count)
        many = partial(definitions.are_keys, ranks=ranks)
        checked("ranks", f"{count:,} ranks", many, partial(modern.multiselect, keys, ranks))
    return calls


def _topk_of_torch(keys: Any) -> Calls:
    """Return `torch.topk`, which does not promise which of equal keys it takes, if it is here."""
    if find_spec("torch") is None:
        return {}
    torch: Any = import_module("torch")
    tensor = torch.as_tensor(keys)
    return {
        ("top-k", f"torch.topk {name}"): partial(torch.topk, tensor, k)
        for name, k in counts(keys.size).items()
    }


def counts(n: int) -> dict[str, int]:
    """Return how many first keys are asked for, by name."""
    return {"10": 10, "1,000": 1000, "n/1,000": n // 1000}


if __name__ == "__main__":
    main()
