"""Ctrl-C ends every long command with exit code 130, in silence, and leaves nothing."""

import random
import signal
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from shadersort import cli
from shadersort.cli.failures import exit_code
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
    before = [signal.getsignal(number) for number in numbers]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for once_a_process in (
        "replace_closed_streams",
        "take_any_text",
        "repeat_lost_interruptions",
    ):
        monkeypatch.setattr(cli, once_a_process, lambda: None)
    monkeypatch.setattr(cli.Interrupted, "raised", False)
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def fail_instead(error: Exception, *, interrupted: bool) -> None:
    """Raise an error, maybe in place of an interruption.

    As code in C may, or a library that takes every error for its own.
    """
    try:
        if interrupted:
            signal.raise_signal(signal.SIGINT)
    finally:
        raise error


@pytest.mark.usefixtures("fresh_signals")
@pytest.mark.parametrize("interrupted", [True, False])
def test_another_error_in_place_of_an_interruption(
    interrupted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(prog_name: str) -> None:
        fail_instead(SystemError("a result with an exception set"), interrupted=interrupted)

    monkeypatch.setattr(cli, "commands", fail)
    with pytest.raises(SystemExit if interrupted else SystemError) as raised:
        cli.main()
    assert (str(raised.value), capsys.readouterr().err) == (
        ("130", "Interrupted.\n") if interrupted else ("a result with an exception set", "")
    )


@pytest.mark.usefixtures("fresh_signals")
@pytest.mark.parametrize("interrupted", [True, False])
@pytest.mark.parametrize("error", [OSError("a library"), ForeignFile("a library")], ids=type)
def test_an_expected_error_in_place_of_an_interruption(
    error: Exception,
    interrupted: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command line shows such an error in one line, but not if it was interrupted before."""

    def fail(ctx: click.Context) -> None:
        fail_instead(error, interrupted=interrupted)

    command = cli.commands.get_command(click.Context(cli.commands), "info")
    assert command
    monkeypatch.setattr(command, "invoke", fail)
    monkeypatch.setattr("sys.argv", ["shadersort", "info"])
    with pytest.raises(SystemExit) as raised:
        cli.main()
    code, said = (
        (130, "Interrupted.\n") if interrupted else (exit_code(error), "Error: a library\n")
    )
    assert (raised.value.code, capsys.readouterr().err) == (code, said)


@pytest.mark.slow
@pytest.mark.explores
@pytest.mark.parametrize("name", COMMANDS)
def test_random_moments(name: str, folder: Path) -> None:
    whole = ended(folder, name, None)
    assert_clean(whole)
    assert whole.code == 0
    drawn = random.Random(f"{SEED} {name}")
    for _ in range(MOMENTS):
        moment = drawn.uniform(0, whole.seconds)
        end = ended(folder, name, moment)
        assert_clean(end)
