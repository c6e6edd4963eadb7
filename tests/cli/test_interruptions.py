"""Ctrl-C ends every long command with exit code 130, in silence, and leaves nothing."""

import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from shadersort import cli
from shadersort.cli.failures import Interrupted, exit_code
from shadersort.errors import ForeignFile
from tests.cli.interrupting import COMMANDS, assert_clean, ended, write_inputs
from tests.soaking import SEED

ALL = [pytest.param(name, marks=pytest.mark.slow if name != "sort" else ()) for name in COMMANDS]
"""The commands, of which a plain run interrupts one."""
MOMENTS = 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, display: None) -> Path:
    folder = tmp_path_factory.mktemp("interrupted")
    write_inputs(folder)
    return folder


@pytest.mark.parametrize("name", ALL)
def test_every_command_ends(name: str, folder: Path) -> None:
    """While it is imported, and while a device opens or the command works."""
    end = ended(folder, name, 0, waits=True)
    assert_clean(end)
    assert (end.code, end.said, end.left) == (130, "Interrupted.\n", [])
    assert_clean(ended(folder, name, 0.3))


@pytest.fixture
def fresh_signals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Signals as a new process has them, for `cli.main`."""
    numbers = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
    before = list(map(signal.getsignal, numbers))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for once_a_process in ("replace_closed_streams", "escape_unknown_characters"):
        monkeypatch.setattr(cli, once_a_process, lambda: None)
    monkeypatch.setattr("sys.unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(Interrupted, "raised", False)
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("fresh_signals")
@pytest.mark.parametrize("interrupted", [True, False])
@pytest.mark.parametrize(
    "error", [OSError("a library"), ForeignFile("a library"), SystemError("a library")], ids=type
)
def test_an_error_in_place_of_an_interruption(
    error: Exception,
    interrupted: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As code in C may raise it, or a library that takes every error for its own."""

    def fail(*arguments: object) -> None:
        try:
            if interrupted:
                signal.raise_signal(signal.SIGINT)
        finally:
            raise error

    command = cli.commands.get_command(click.Context(cli.commands), "info")
    assert command
    monkeypatch.setattr(command, "invoke", fail)
    monkeypatch.setattr("sys.argv", ["shadersort", "info"])
    code, said = 130 if interrupted else exit_code(error), "Error: a library\n"
    if isinstance(error, SystemError) and not interrupted:  # a bug: its traceback is shown
        with pytest.raises(SystemError):
            cli.main()
        return
    with pytest.raises(SystemExit) as raised:
        cli.main()
    assert raised.value.code == code
    assert capsys.readouterr().err == ("Interrupted.\n" if interrupted else said)


@pytest.mark.slow
@pytest.mark.explores
@pytest.mark.parametrize("name", COMMANDS)
def test_random_moments(name: str, folder: Path) -> None:
    whole = ended(folder, name, None)
    assert_clean(whole)
    assert whole.code == 0
    drawn = random.Random(f"{SEED} {name}")
    for _ in range(MOMENTS):
        assert_clean(ended(folder, name, drawn.uniform(0, whole.seconds)))
