"""Options that several benchmarks share, and the commands that take them."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import click

from shadersort.cli.options import key_count

Options = SimpleNamespace
"""What a command was given: each option by its name."""

Function = TypeVar("Function", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)

option, argument = click.option, click.argument


class _Count(click.ParamType[int]):
    """A number of keys."""

    name = "count"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read 1000, 1e8, 2^26 or 256M."""
        return value if isinstance(value, int) else key_count(value)


COUNT = _Count()


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


def repeated(name: str, **more: Any) -> Callable[[Function], Function]:
    """Return an option that may be given several times."""
    return option(name, multiple=True, **more)


device_option = option("--device", default="auto", help="auto, egl, window or software")
output_option = option(
    "--output", "--record", type=PATH, help="record the measurements in this file"
)
