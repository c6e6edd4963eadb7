"""Ctrl-C ends every long command with exit code 130, in silence, and leaves nothing."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.interrupting import COMMANDS, assert_clean, ended, write_inputs
from tests.soaking import SEED

FEW = ("sort", "trace picture", "watch", "quantiles")
"""Commands for a plain run: one of each kind."""
MOMENTS = (0.02, 0.3, 0.9)
"""Seconds: while it is imported, while a device opens, while it works or has ended."""
PARTS = 10


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, display: None) -> Path:
    folder = tmp_path_factory.mktemp("interrupted")
    write_inputs(folder)
    return folder


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("moment", MOMENTS)
def test_some_moments(name: str, moment: float, folder: Path) -> None:
    assert_clean(ended(folder, name, moment))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_ends(name: str, folder: Path) -> None:
    """While it is imported."""
    end = ended(folder, name, 0, waits=True)
    assert_clean(end)
    assert (end.code, end.said, end.left) == (130, "Interrupted.\n", [])


def test_little_is_imported_before_interruptions_are_noted() -> None:
    code = "import sys; before = set(sys.modules); import shadersort.__main__; "
    code += "print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    few = {"importlib", "importlib._bootstrap", "importlib._bootstrap_external", "warnings"}
    others = {name for name in done.stdout.split() if not name.startswith("shadersort")}
    assert others <= few


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", COMMANDS)
def test_500_random_moments(name: str, part: int, folder: Path) -> None:
    """In parts, which several processes may run."""
    whole = ended(folder, name, None)
    assert_clean(whole)
    assert whole.code == 0
    drawn = random.Random(f"{SEED} {part}")
    for _ in range(500 // PARTS):
        moment = drawn.uniform(0, whole.seconds)
        end = ended(folder, name, moment)
        assert_clean(end)
