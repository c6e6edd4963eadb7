"""The command of a benchmark: it opens what is measured, and tells the rows of the record."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any

import click

from bench.shared.machines import Host, Machine, opened
from bench.shared.options import Options, command, option, output_option
from bench.shared.record import Row, begun, tell
from shadersort import Device, open_device


def on_machine(options: Options) -> AbstractContextManager[Machine]:
    """Open the machine that the options name, or the GPU."""
    return nullcontext(opened(getattr(options, "device", "cuda")))


def on_host(options: Options) -> AbstractContextManager[Machine]:
    """Measure NumPy."""
    return nullcontext(Host())


def on_device(options: Options) -> AbstractContextManager[Device]:
    """Open the device that draws."""
    return open_device(options.device)


Measure = Callable[[Any, Options], Iterator[Row]]


def benchmark(
    name: str,
    doc: str | None,
    *,
    on: Callable[[Options], AbstractContextManager[Any]] = on_machine,
    repeats: int = 0,
    turns: int = 0,
) -> Callable[[Measure], click.Command]:
    """Make a command of what yields the rows of a record; it may have options of its own.

    The function gets what `on` opens, and the options.
    """

    def made(measure: Measure) -> click.Command:
        @output_option
        @option("--turns", type=int, default=turns, hidden=not turns, help="of all calls")
        @option("--repeats", type=int, default=repeats, hidden=not repeats, help="of a call")
        @wraps(measure)
        def main(options: Options) -> None:
            with on(options) as target:
                tell(begun(name, target, options.output), measure(target, options), options.output)

        return command(doc)(main)

    return made
