"""Where the time of a call on a GPU goes: every launch of it, in reads of all keys.

    python -m bench.launches --output bench/records/launches-….json
    python -m bench.launches --n 2^26 --dtype float64

CUDA events enclose each kernel that the package launches. The whole call is timed on its own, as
those events take time, too. What is left of it are pauses: the host where the device waits for it,
and what CuPy does. Every answer is checked by a sort of the same keys first. The median of some
calls counts. R is one read of the keys: the time of `max`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from unittest.mock import patch

import click
import numpy as np

import modern
from bench.shared.data import WRONG
from bench.shared.definitions import Definitions
from bench.shared.hostile import draw
from bench.shared.machines import Machine, median_of, opened
from bench.shared.options import COUNT, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from bench.staged import READ, Call, Calls, once, rank_calls, threshold_calls, top_calls

CALL = "the whole call"
"""The row of a call, beside those of its launches."""

DTYPES = ("float32", "float64", "int32")

OURS = ("select", "topk", "threshold hard", "101", "1,001")
"""What the names of our own calls begin with."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A kernel between two events."""

    name: str
    kernel: Any
    event: Callable[[], Any]
    seen: list[tuple[str, Any, Any]]

    @property
    def ptr(self) -> Any:
        """The address of the kernel."""
        return self.kernel.ptr

    def __call__(self, *args: Any, **options: Any) -> None:
        """Launch the kernel."""
        begin, end = self.event(), self.event()
        begin.record()
        self.kernel(*args, **options)
        end.record()
        self.seen.append((self.name, begin, end))


@contextmanager
def watched(event: Callable[[], Any]) -> Iterator[list[tuple[str, Any, Any]]]:
    """Yield a list that gets the name of each kernel launched meanwhile, and two events."""
    from modern.launching.launch import Launcher

    seen: list[tuple[str, Any, Any]] = []
    plain = Launcher.kernel

    def kernel(launcher: Launcher, name: str, **macros: int) -> Watched:
        return Watched(name, plain(launcher, name, **macros), event, seen)

    with patch.object(Launcher, "kernel", kernel):
        yield seen


@command(__doc__)
@option("--n", type=COUNT, default=1 << 28, show_default="2^28", help="number of keys")
@repeated("--dtype", type=click.Choice(DTYPES), help="default: all")
@option("--repeats", type=int, default=9, help="of each call; the median counts")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened("cuda")
    tell(begun("launches", machine.described()), measurements(machine, options), options.output)


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield the launches of every call, type by type."""
    for dtype in options.dtype or DTYPES:
        data = data_of(dtype)
        keys = draw(machine.xp, data, options.n, dtype=dtype, seed=1)
        read = machine.ms(partial(machine.xp.max, keys), options.repeats)
        for what, call in our_calls(machine, keys).items():
            for launch, ms in launches(machine, call, options.repeats):
                head = {"data": data, "dtype": dtype, "n": keys.size, "what": what}
                yield {**head, "launch": launch, "ms": ms, "reads": ms / read}
        yield {**head, "what": READ, "launch": CALL, "ms": read, "reads": 1.0}


def data_of(dtype: str) -> str:
    """Return how keys of a type are distributed."""
    return "normal" if np.dtype(dtype).kind == "f" else "uniform"


def our_calls(machine: Machine, keys: Any) -> Calls:
    """Return our calls, whose answers are right."""
    definitions, middle = Definitions(machine.xp, keys.copy()), keys.size // 2
    select = partial(modern.select, keys, middle)
    if not definitions.are_keys(select().reshape(1), np.array([middle])):
        raise AssertionError(WRONG.format(f"select of {keys.dtype}"))
    calls = {"select n/2": Call(select)}
    for group in (top_calls, threshold_calls, rank_calls):
        calls |= group(machine, keys, definitions)
    return {what: call for what, call in calls.items() if what.startswith(OURS)}


def launches(machine: Machine, call: Call, repeats: int) -> list[tuple[str, float]]:
    """Return the launches of a call in their order, and the call: each with its milliseconds."""
    event: Any = machine.xp.cuda.Event
    names: list[str] = []
    times: list[list[float]] = []
    for _ in range(1 + repeats):  # the first one is not counted
        call.before()
        machine.wait()
        with watched(event) as seen:
            call.run()
            machine.wait()
        names = [name for name, _, _ in seen]
        times.append([machine.xp.cuda.get_elapsed_time(begin, end) for _, begin, end in seen])
    counted = times[1:]
    medians = np.median(np.array(counted), axis=0) if counted else times[0]
    each = [(name, float(ms)) for name, ms in zip(names, medians, strict=True)]
    return [*each, (CALL, median_of(partial(once, machine, call), repeats))]


if __name__ == "__main__":
    main()
