"""The commands that the records name still exist and take these options."""

import importlib
import json
import re
import runpy
import shlex
import sys
from pathlib import Path

import click
import pytest

import bench
from bench.shared.record import RECORDS
from tests.bench.helpers import options_of


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


def commands() -> list[str]:
    """The modules of the benchmarks that have a command."""
    found = []
    for each in sorted(Path(bench.__path__[0]).rglob("*.py")):
        if re.search(r"^def main\(options", each.read_text(encoding="utf-8"), re.MULTILINE):
            found.append(".".join(each.relative_to(RECORDS.parents[1]).with_suffix("").parts))
    return found


def test_there_are_commands() -> None:
    assert {"bench.launches", "bench.readme", "bench.report.__main__"} <= set(commands())


@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
@pytest.mark.parametrize("module", commands())
def test_every_command_runs_and_has_help(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module(module, run_name="__main__")
    assert "Usage" in capsys.readouterr().out
