"""The command line, `shadersort COMMAND`: `docs/command-line.md` describes how it is built."""

import sys
from importlib import import_module
from typing import Any

import click

from shadersort import __version__
from shadersort.cli.environment import (
    escape_unknown_characters,
    handle_signals,
    replace_closed_streams,
)
from shadersort.cli.failures import DEBUG, EXIT_CODES, Interrupted, report_errors
from shadersort.drawing.signals import INTERRUPTED, held_signals

__all__ = ["COMMANDS", "Commands", "commands", "main"]

COMMANDS = {
    "info": "devices",
    "sort": "sort",
    "quantiles": "quantiles",
    "frequent": "counts",
    "heavy": "counts",
    "estimate": "ways",
    "trace": "pictures",
    "watch": "pictures",
    "bench": "ways",
    "demo": "devices",
}
"""The commands, and the module of this package that has each; it is imported when it is needed."""


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
            command = getattr(import_module(f"{__name__}.{COMMANDS[cmd_name]}"), cmd_name)
        assert isinstance(command, click.Command)
        if DEBUG not in command.params:
            command.params.append(DEBUG)
        return command

    def make_context(self, *arguments: Any, **others: Any) -> click.Context:
        """Read the options; those that print something, such as --help, may fail in doing so."""
        with report_errors():
            return super().make_context(*arguments, **others)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; an expected error becomes one line and an exit code."""
        with report_errors(ctx):
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
    escape_unknown_characters()
    handle_signals()
    try:
        commands(prog_name="shadersort")
    except (Exception, Interrupted):  # what was interrupted may have raised another error
        if not Interrupted.raised:
            raise
        click.echo("Interrupted.", err=True)
        sys.exit(INTERRUPTED)
