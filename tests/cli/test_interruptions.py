"""Ctrl-C ends every long command with exit code 130, in silence, and leaves nothing."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import pytest

from shadersort import cli
from shadersort.cli.failures import Interrupted, exit_code
from shadersort.errors import ForeignFile
from tests.soaking import SEED

BEGIN = """
import os, signal, sys, time
from shadersort.__main__ import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored here
begins, waits = int(sys.argv.pop(1)), sys.argv.pop(1) == "waits"

class Begin:
    def find_spec(self, name, path=None, target=None):
        if name == "shadersort.cli":
            arrived, note = [], signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, lambda *told: (arrived.append(told), note(*told)))
            os.close(begins)
            while waits and not arrived:
                time.sleep(0.01)

sys.meta_path.insert(0, Begin())
main()
"""
"""The command line; closing a pipe says that it is being imported. It may wait there for Ctrl-C."""
COMMANDS = {
    "sort": "sort keys.npy sorted.npy --memory 32MiB --device egl",
    "sort a pipe": "sort - sorted.txt --dtype float32 --to text --device egl",
    "sort in software": "sort few.npy sorted.npy --device software",
    "trace page": "trace trace.html --random 256 --device egl",
    "trace picture": "trace trace.png --random 16 --device egl",
    "trace film": "trace trace.gif --random 16 --device software",
    "watch": "watch --random 1024 --frames 30 --screenshot last.png",
    "demo": "demo --device egl --picture demo.png",
    "info": "info",
    "estimate": "estimate 8M",
    "bench": "bench 4096 --device egl --network pbsn",
    "quantiles": "quantiles keys.npy --json",
    "quantiles exactly": "quantiles keys.npy --exact",
    "frequent": "frequent items.txt",
    "heavy": "heavy addresses.txt",
}
"""Every long command; those that draw do so by OpenGL, which a signal has broken before."""
ALL = [pytest.param(name, marks=pytest.mark.slow if name != "sort" else ()) for name in COMMANDS]
"""The commands, of which a plain run interrupts one."""
MOMENTS = 20


class End(NamedTuple):
    """How a command ended."""

    code: int
    said: str
    left: set[str]
    seconds: float  # after the signal


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, display: None) -> Path:
    """A folder with the files that the commands read."""
    folder, rng = tmp_path_factory.mktemp("interrupted"), np.random.default_rng(0)
    (folder / "temporary").mkdir()
    np.save(folder / "keys.npy", rng.random(1 << 19, np.float32))
    np.save(folder / "few.npy", rng.random(1 << 12, np.float32))
    np.savetxt(folder / "items.txt", rng.integers(0, 1000, 200_000), "%d")
    addresses = rng.integers(0, 256, (50_000, 4))
    (folder / "addresses.txt").write_text("\n".join(".".join(map(str, a)) for a in addresses))
    return folder


def end_of(
    folder: Path, name: str, moment: float | None, number: int = signal.SIGINT, wait: str = "no"
) -> End:
    """Send a command a signal, seconds after its begin; if it "waits", it waits for the signal."""
    before, (begun, begins) = set(folder.rglob("*")), os.pipe()
    with (folder / "few.npy").open("rb") as stdin:
        process = subprocess.Popen(
            [sys.executable, "-c", BEGIN, str(begins), wait, *COMMANDS[name].split()],
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder / "temporary")},
            pass_fds=[begins],
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    os.close(begins)
    with os.fdopen(begun) as pipe:
        pipe.read()
    if moment is not None:
        time.sleep(moment)
        process.send_signal(number)
    sent = time.perf_counter()
    try:
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    seconds, left = time.perf_counter() - sent, set(folder.rglob("*")) - before
    for path in left:
        path.unlink()
    return End(process.returncode, said, {path.name for path in left}, seconds)


def assert_clean(end: End, name: str) -> None:
    """The command was done, or ended as Ctrl-C does, and left nothing else."""
    lines = [line for line in end.said.splitlines() if not line.startswith("Note: ")]
    assert (end.code, lines) in ((0, []), (130, ["Interrupted."])), end
    assert end.left <= set(COMMANDS[name].split()), end


@pytest.mark.parametrize("name", ALL)
def test_every_command_ends(name: str, folder: Path) -> None:
    """While it is imported, and while a device opens or the command works."""
    end = end_of(folder, name, 0, wait="waits")
    assert end[:3] == (130, "Interrupted.\n", set())
    assert_clean(end_of(folder, name, 0.3), name)


def test_another_signal_ends_a_command_too(folder: Path) -> None:
    end = end_of(folder, "demo", 2, signal.SIGTERM)
    assert end[:3] == (143, "", set())


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
    "error", [OSError("why"), ForeignFile("why"), SystemError("why")], ids=type
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
    bug = isinstance(error, SystemError) and not interrupted  # its traceback is shown
    with pytest.raises(SystemError if bug else SystemExit) as raised:
        cli.main()
    if not bug:
        code, said = 130 if interrupted else exit_code(error), "Error: why\n"
        assert raised.value.args == (code,)
        assert capsys.readouterr().err == ("Interrupted.\n" if interrupted else said)


@pytest.mark.slow
@pytest.mark.explores
@pytest.mark.parametrize("name", COMMANDS)
def test_random_moments(name: str, folder: Path) -> None:
    whole = end_of(folder, name, None)
    assert_clean(whole, name)
    assert whole.code == 0
    drawn = random.Random(f"{SEED} {name}")
    for _ in range(MOMENTS):
        assert_clean(end_of(folder, name, drawn.uniform(0, whole.seconds)), name)
