"""Options that benchmarks share."""

import argparse
from pathlib import Path

import click

from shadersort.cli.options import key_count

__all__ = ["add_record", "command_line", "keys"]


def command_line(module: str, doc: str | None) -> argparse.ArgumentParser:
    """Return a parser for a module's options; its help is what the module says of itself."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def keys(text: str) -> int:
    """Read a number of keys: 1000, 2^26 or 256M."""
    try:
        return key_count(text)
    except click.BadParameter as error:
        raise argparse.ArgumentTypeError(error.message) from None


def add_record(options: argparse.ArgumentParser) -> None:
    """Add the options that write a record, and read one."""
    add = options.add_argument
    add("--output", "--record", type=Path, help="record the measurements in this file")
    add("--read", type=Path, help="measure nothing, and print this record")
