"""Commands of the benchmarks, as tests run them."""

import click
from click.testing import CliRunner

from bench.shared.options import Options


def options_of(command: click.Command, words: str) -> Options:
    """Return what a command line gives to the function of a command."""
    return Options(**command.make_context("bench", words.split()).params)


def run(command: click.Command, words: str, code: int = 0) -> str:
    """Run a command line that ends with this exit code; return what it printed."""
    result = CliRunner().invoke(command, words.split())
    assert result.exit_code == code, result.output
    return result.output
