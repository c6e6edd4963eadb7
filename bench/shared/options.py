"""Options that several benchmarks share, and the commands that take them."""

from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from shadersort.cli.options import key_count

Options = SimpleNamespace
"""What a command was given: each option by its name."""

PATH = click.Path(path_type=Path)

option = click.option

COUNT = key_count
"""The type of a number of keys: 1000, 1e8, 2^26 or 256M."""


def command(doc: str | None) -> Callable[[Callable[[Options], None]], click.Command]:
    """Make a command of a function that takes its options as one value.

    `doc` is the docstring of the function's module, and the help of the command.
    """

    def made(run: Callable[[Options], None]) -> click.Command:
        @wraps(run)
        def called(**given: Any) -> None:
            run(Options(**given))

        paragraphs = (doc or "").strip().split("\n\n")
        text = "\n\n".join(f"\b\n{paragraph}" for paragraph in paragraphs)
        return click.command(help=text, context_settings={"show_default": True})(called)

    return made


repeated = partial(option, multiple=True)
"""An option that may be given several times."""

device_option = option("--device", default="auto", help="auto, egl, window or software")
output_option = option(
    "--output", "--record", type=PATH, help="record the measurements in this file"
)
