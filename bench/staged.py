"""What is staged in one read on a GPU: top-k, thresholds, and many ranks, in reads of all keys.

    python -m bench.staged --output bench/records/staged-….json
    python -m bench.staged --n 2^24 --dtype int32 --turns 1

Every answer is checked by a sort of the same keys before it is timed. All calls on the same keys
take turns, and the median turn counts. R is one read of the keys: the time of `max` in the same
turns. Thresholds are in place: the keys are restored before each call, which is not timed. What
CuPy does by a sort, and PyTorch if it is installed, takes turns with ours.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from statistics import median
from typing import Any

import click
import numpy as np

import modern
from bench.modern.calls import LONG, MANY, OF_TORCH
from bench.shared.data import WRONG
from bench.shared.definitions import Definitions
from bench.shared.hostile import draw
from bench.shared.machines import Machine, median_of, opened
from bench.shared.options import COUNT, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.keys import datasets
from shadersort.selection.thresholds import KINDS

TYPES = ("float32", "float64", "int32", "float16")

HOSTILE = (
    "ones",
    "ones-and-twos",
    "sorted",
    "periodic",
    "rounded",
    "nested scales",
    "half NaN",
    "runs",
)
"""Data of float32 from which 101 ranks are selected."""

READ = "max"
"""The call that is one read of the keys."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call whose answer is right, and what is done before it outside of the timed part."""

    run: Callable[[], Any]
    before: Callable[[], Any] = lambda: None


Calls = dict[str, Call]


@command(__doc__)
@option("--n", type=COUNT, default=1 << 28, show_default="2^28", help="number of keys")
@repeated("--dtype", type=click.Choice(TYPES), help="default: all")
@option("--repeats", type=int, default=7, help="of each in a turn; the median counts")
@option("--turns", type=int, default=3, help="of all; the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened("cuda")
    tell(begun("staged", machine.described()), measurements(machine, options), options.output)


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Measure every call on every type, and many ranks of hostile keys."""
    for dtype in options.dtype or TYPES:
        data = "normal" if np.dtype(dtype).kind == "f" else "uniform"
        for group in ("top-k", "threshold", "ranks"):
            yield from _rows(machine, data, dtype, group, options)
        if dtype == "float32":
            for hostile in HOSTILE:
                yield from _rows(machine, hostile, dtype, "hostile", options)


def _rows(machine: Machine, data: str, dtype: str, group: str, options: Options) -> Iterator[Row]:
    """Check the calls of a group, time them, and yield their rows."""
    keys = draw(machine.xp, data, options.n, dtype=dtype, seed=1)
    calls = {READ: Call(lambda: machine.xp.max(keys))}
    calls |= GROUPS[group](machine, keys, Definitions(machine.xp, keys.copy()))
    times = _timed(machine, calls, options)
    for what, ms in times.items():
        head = {"group": group, "data": data, "dtype": dtype, "n": keys.size, "what": what}
        yield {**head, "ms": ms, "reads": ms / times[READ]}


def _timed(machine: Machine, calls: Calls, options: Options) -> dict[str, float]:
    """Return the milliseconds of calls that take turns; a long call has one turn."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for turn, (name, call) in product(range(options.turns), calls.items()):
        if not turn or found[name][0] <= LONG:
            found[name].append(median_of(partial(once, machine, call), options.repeats))
    return {name: median(times) for name, times in found.items()}


def once(machine: Machine, call: Call) -> float:
    """Return the milliseconds of a call, without what is done before it."""
    call.before()
    return machine.timed(call.run)[0]


def top_calls(machine: Machine, keys: Any, definitions: Definitions) -> Calls:
    """Return `topk`, with places and in order; and what others have for it."""
    n, calls = keys.size, Calls()
    for name, k in {"10": 10, "1,000": 1000, "n/1,000": n // 1000}.items():
        if not 0 < k <= n:
            continue
        calls[f"topk {name}"] = Call(partial(modern.topk, keys, k))
        found = calls[f"topk {name}"].run()
        _require(definitions.is_top(found, k, largest=True), f"topk {name} of {keys.dtype}")
        calls |= _topk_of_torch(keys, k, name, definitions)
    return calls | _argpartition(machine, keys, definitions)


def _argpartition(machine: Machine, keys: Any, definitions: Definitions) -> Calls:
    """Return `argpartition` of NumPy or CuPy at n/1,000, with the places of the keys beyond."""
    xp, n = machine.xp, keys.size
    first = n - max(n // 1000, 1)
    what = f"{xp.__name__}.argpartition n/1,000"
    call = Call(partial(xp.argpartition, keys, first))
    top = xp.sort(keys[call.run()[first:]])
    _require(definitions.are_keys(top, np.arange(first, n)), what)
    return {what: call}


def _topk_of_torch(keys: Any, k: int, name: str, definitions: Definitions) -> Calls:
    """Return `torch.topk`, which does not promise which of equal keys it takes, if it is here."""
    if find_spec("torch") is None or keys.dtype.name not in OF_TORCH:
        return {}
    torch: Any = import_module("torch")
    call = Call(partial(torch.topk, torch.as_tensor(keys), k))
    found = definitions.xp.asarray(call.run().values)
    ranks = np.arange(keys.size - 1, keys.size - 1 - k, -1)
    _require(definitions.are_keys(found, ranks), f"torch.topk {name}")
    return {f"torch.topk {name}": call}


def threshold_calls(machine: Machine, keys: Any, definitions: Definitions) -> Calls:
    """Return `threshold` in place, of both kinds; the keys are restored before each call."""
    n, calls = keys.size, Calls()
    changed = machine.xp.empty_like(keys)

    def restore() -> None:
        changed[...] = keys

    shares = {"n/1,000": n // 1000, "n/100": n // 100, "n/2": n // 2}
    for (name, k), kind in product(shares.items(), KINDS):
        what = f"threshold {kind} {name}"
        run = partial(modern.threshold, changed, k, kind=kind, out=changed)
        calls[what] = Call(run, restore)
        restore()
        _require(definitions.is_threshold(run(), k, kind), f"{what} of {keys.dtype}")
    return calls


def rank_calls(machine: Machine, keys: Any, definitions: Definitions) -> Calls:
    """Return `multiselect` of evenly spread ranks; and a partition for one of them."""
    xp, n = machine.xp, keys.size
    what = f"{xp.__name__}.partition n/2"
    partition = Call(partial(xp.partition, keys, n // 2))
    _require(definitions.are_keys(partition.run()[n // 2], n // 2), what)
    return _ranks(keys, definitions, MANY) | {what: partition}


def hostile_calls(machine: Machine, keys: Any, definitions: Definitions) -> Calls:
    """Return `multiselect` of the fewer ranks."""
    return _ranks(keys, definitions, MANY[:1])


def _ranks(keys: Any, definitions: Definitions, counts: tuple[int, ...]) -> Calls:
    calls = Calls()
    for count in counts:
        ranks, what = datasets.ranks("uniform", keys.size, count), f"{count:,} ranks"
        calls[what] = Call(partial(modern.multiselect, keys, ranks))
        _require(definitions.are_keys(calls[what].run(), ranks), f"{what} of {keys.dtype}")
    return calls


GROUPS = {
    "top-k": top_calls,
    "threshold": threshold_calls,
    "ranks": rank_calls,
    "hostile": hostile_calls,
}
"""What takes turns, by name: the calls on some keys, which have been checked."""


def _require(right: bool, what: str) -> None:
    """Raise AssertionError if an answer is wrong."""
    if not right:
        raise AssertionError(WRONG.format(what))


if __name__ == "__main__":
    main()
