"""The command line, `shadersort COMMAND`: one file a command, imported when it is called."""

import signal
import sys
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import click

from shadersort import __version__
from shadersort.cli.environment import (
    repeat_lost_interruptions,
    replace_closed_streams,
    take_any_text,
)
from shadersort.cli.failures import DEBUG, EXIT_CODES, Interrupted, reported_in_one_line
from shadersort.drawing.signals import INTERRUPTED, held_signals

__all__ = ["COMMANDS", "Commands", "Interrupted", "commands", "main"]

COMMANDS = (
    "info",
    "sort",
    "quantiles",
    "frequent",
    "heavy",
    "estimate",
    "trace",
    "watch",
    "bench",
    "demo",
)
"""Each name is a module of this package with a click command of the same name: `info.info`."""


class Commands(click.Group):
    """The group of all commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, and give it the option --debug that the group has."""
        if cmd_name not in COMMANDS:
            return None
        with held_signals:  # code in C that is interrupted in an import may report another error
            command = getattr(import_module(f"{__name__}.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        if DEBUG not in command.params:
            command.params.append(DEBUG)
        return command

    def make_context(self, *arguments: Any, **others: Any) -> click.Context:
        """Read the options; those that print something, such as --help, may fail in doing so."""
        with reported_in_one_line():
            return super().make_context(*arguments, **others)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an expected error becomes one line and an exit code."""
        with reported_in_one_line(ctx):
            return super().invoke(ctx)


commands = Commands(
    name="shadersort",
    help="Sort by drawing, as on a graphics card of 2005.",
    epilog="\b\nExit codes:\n" + "\n".join(f"{c:>5}  {what}" for c, what in EXIT_CODES.items()),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    params=[DEBUG],
)
click.version_option(__version__, prog_name="shadersort")(commands)


def main() -> None:
    """Run the command line; end the process with its exit code."""
    replace_closed_streams()
    take_any_text()
    repeat_lost_interruptions()
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        commands(prog_name="shadersort")
    except Interrupted:
        _end_interrupted()
    except Exception:
        if not Interrupted.raised:
            raise
        _end_interrupted()  # what was interrupted may have raised another error in its place


def _interrupt(number: int, frame: FrameType | None) -> None:
    Interrupted.raised = True
    raise Interrupted(INTERRUPTED)


def _end_interrupted() -> NoReturn:
    click.echo("Interrupted.", err=True)
    sys.exit(INTERRUPTED)


def _leave(number: int, frame: FrameType | None) -> None:
    """End the process as Ctrl-C does: files are closed, and no part of an output is left."""
    sys.exit(128 + number)
