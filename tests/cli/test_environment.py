"""The command line without matplotlib, and on streams that cannot encode every character."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shadersort.cli import COMMANDS

SHELL = [sys.executable, "-m", "shadersort"]
WITHOUT_MATPLOTLIB = """
import sys
sys.modules["matplotlib"] = None
from shadersort.__main__ import main
main()
"""
INSTALL = "pip install 'shadersort[plots]'"


def assert_interrupted(code: str, folder: Path) -> None:
    """A program ends as Ctrl-C ends a command."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


@pytest.mark.parametrize("arguments", ["trace x.png --random 16", "demo"])
def test_a_missing_matplotlib_is_named_at_once(arguments: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT_MATPLOTLIB, *arguments.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"Error: the picture needs matplotlib, which is not installed: {INSTALL}\n"
    )
    assert not list(tmp_path.iterdir())


TEXTS = (
    "info geforce-6800-ultra",
    "estimate 1M",
    "bench 64 --device software --seconds 0",
    "sort numbers.txt --share 1",
    "quantiles numbers.txt",
    "frequent é.txt --support 0.1 --column 1",
    "frequent é.txt --support 0.1 --json",
    "trace é.html --random 16 --device software",
    "demo --device software --picture é.png",
    "--help",
    *(f"{name} --help" for name in COMMANDS),
)
"""Commands whose output is checked in every encoding; `watch` has none besides its help."""


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("latin-1", marks=pytest.mark.slow)])
def test_every_text_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    """In one process, for speed. Our own characters are replaced, and others are escaped."""
    code = """
import sys
from shadersort.cli import commands, demo, environment
demo.KEYS_IN_SOFTWARE = 64
environment.take_any_text()
for line in sys.argv[1:]: commands(line.split(), standalone_mode=False)
"""
    (tmp_path / "é.txt").write_text("/é\n/ü\n" * 3, encoding="utf-8")
    (tmp_path / "numbers.txt").write_text("1\n2.5\n7\n")
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-c", code, *TEXTS]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, check=True)
    text = done.stdout.decode(encoding) + done.stderr.decode(encoding)
    assert all(f"Usage: shadersort {name}" in text or f" {name} " in text for name in COMMANDS)
    escaped = set(re.findall(r"\\+[xu][0-9a-f]+", text))
    in_json = {r"\u00e9", r"\u00fc"}
    assert escaped == in_json | ({r"\xe9", r"\xfc"} if encoding == "ascii" else set())


CLOSED = "Error: the standard input or output is closed\n"
FULL = "Error: No space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "streams", "code", "said"),
    [
        ("quantiles", "<&-", 1, CLOSED),
        ("sort numbers.txt --dtype int64 --share 1", ">&-", 1, CLOSED),
        ("sort numbers.txt sorted.txt --dtype int64 --share 1", "<&- >&- 2>&-", 0, ""),
        ("--help", ">/dev/full", 1, FULL),
        ("quantiles numbers.txt --dtype int64", ">/dev/full", 1, FULL),
    ],
)
def test_streams_that_are_closed_or_full(
    arguments: str, streams: str, code: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / "numbers.txt").write_text("2\n1\n")
    line = f'exec "$0" -m shadersort {arguments} {streams}'
    command = ["sh", "-c", line, sys.executable]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)
    sorted_file = tmp_path / "sorted.txt"
    assert sorted_file.exists() == (not code)
    assert code or sorted_file.read_text() == "1\n2\n"


def test_an_interruption_while_options_are_read(tmp_path: Path) -> None:
    """Click itself would say "Aborted!", and exit with 1."""
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from shadersort import cli\n"
        "from shadersort.__main__ import main\n"
        "def parse_args(*arguments): signal.raise_signal(signal.SIGINT)\n"
        "cli.Commands.parse_args = parse_args\n"
        "sys.argv[1:] = ['info']\n"
        "main()\n"
    )
    assert_interrupted(code, tmp_path)
