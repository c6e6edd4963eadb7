"""Ctrl-C ends every long command with exit code 130, in silence, and leaves nothing."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shadersort import cli
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


@pytest.mark.parametrize("interrupted", [True, False])
def test_another_error_in_place_of_an_interruption(
    interrupted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As code in C may raise, or a library that takes every error for its own."""

    def fail(prog_name: str) -> None:
        try:
            if interrupted:
                signal.raise_signal(signal.SIGINT)
        finally:
            raise SystemError("a result with an exception set")

    numbers = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
    before = [signal.getsignal(number) for number in numbers]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for once_a_process in ("take_any_text", "repeat_lost_interruptions"):
        monkeypatch.setattr(cli, once_a_process, lambda: None)
    monkeypatch.setattr(cli, "commands", fail)
    monkeypatch.setattr(cli.Interrupted, "raised", False)
    try:
        with pytest.raises(SystemExit if interrupted else SystemError) as raised:
            cli.main()
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    assert (str(raised.value), capsys.readouterr().err) == (
        ("130", "Interrupted.\n") if interrupted else ("a result with an exception set", "")
    )


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
