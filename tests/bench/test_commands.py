"""The commands that the records name still exist and take these options."""

import importlib
import json
import shlex

import click

from bench.shared.record import RECORDS
from tests.bench.helpers import options_of, run


def command_of(module: str) -> click.Command:
    """The command that `python -m` runs."""
    found = importlib.import_module(module)
    if hasattr(found, "__path__"):
        found = importlib.import_module(f"{module}.__main__")
    assert isinstance(found.main, click.Command)
    return found.main


def test_the_commands_of_the_records_are_understood() -> None:
    for path in RECORDS.glob("*.json"):
        python, option, module, *words = shlex.split(json.loads(path.read_text())["command"])
        assert (python, option) == ("python", "-m")
        options_of(command_of(module), shlex.join(words))


def test_every_command_has_help() -> None:
    for name in ("report", "readme", "table", "chip", "overhead", "steps", "external"):
        assert "Usage" in run(command_of(f"bench.{name}"), "--help")
