"""The command line without matplotlib, and on streams that are closed, full or of ASCII."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shadersort.cli import COMMANDS
from tests.cli.test_cli import names

INSTALL = "pip install 'shadersort[plots]'"


def run_program(*command: str, **env: str) -> tuple[int, str, str]:
    """Run a program; return its exit code and what it printed."""
    env = {**os.environ, **env}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def run_code(code: str, *arguments: str, **env: str) -> tuple[int, str, str]:
    return run_program(sys.executable, "-c", code, *arguments, **env)


@pytest.mark.parametrize("arguments", ["trace x.png --random 16", "demo"])
def test_a_missing_matplotlib_is_named_at_once(arguments: str) -> None:
    code = "import sys; sys.modules['matplotlib'] = None\n"
    code += "from shadersort.__main__ import main; main()"
    said = f"Error: the picture needs matplotlib, which is not installed: {INSTALL}\n"
    assert run_code(code, *arguments.split()) == (1, "", said)
    assert names() == []


TEXTS = (
    "info",
    "estimate 1M",
    "sort numbers.txt",
    "quantiles numbers.txt",
    "frequent é.txt --column 1",
    "frequent é.txt --json",
    "trace é.html --random 16 --device software",
    "demo --device software --picture é.png",
    "--help",
    *(f"{name} --help" for name in COMMANDS),
)


def test_every_text_on_a_stream_of_ascii() -> None:
    """In one process, for speed: characters are escaped."""
    code = (
        "import sys\n"
        "from shadersort.cli import commands, devices, environment\n"
        "devices.KEYS_IN_SOFTWARE = 64\n"
        "environment.escape_unknown_characters()\n"
        "for line in sys.argv[1:]: commands(line.split(), standalone_mode=False)\n"
    )
    Path("é.txt").write_text("/é\n/ü\n" * 3, encoding="utf-8")
    Path("numbers.txt").write_text("1\n2.5\n7\n")
    done, out, said = run_code(code, *TEXTS, PYTHONIOENCODING="ascii")
    assert done == 0, said
    assert all(f" {name} " in out for name in COMMANDS)
    assert r"/\xe9" in out


CLOSED = "Error: the standard input or output is closed\n"
FULL = "Error: No space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "streams", "code", "said"),
    [
        ("quantiles", "<&-", 1, CLOSED),
        ("sort numbers.txt --dtype int64", ">&-", 1, CLOSED),
        ("sort numbers.txt sorted.txt --dtype int64", "<&- >&- 2>&-", 0, ""),
        ("--help", ">/dev/full", 1, FULL),
        ("quantiles numbers.txt --dtype int64", ">/dev/full", 1, FULL),
    ],
)
def test_streams_that_are_closed_or_full(
    arguments: str, streams: str, code: int, said: str
) -> None:
    Path("numbers.txt").write_text("2\n1\n")
    line = f'exec "$0" -m shadersort {arguments} {streams}'
    assert run_program("sh", "-c", line, sys.executable) == (code, "", said)
    assert names() == ["numbers.txt", *([] if code else ["sorted.txt"])]
    assert code or Path("sorted.txt").read_text() == "1\n2\n"


def test_an_interruption_while_options_are_read() -> None:
    """Click itself would say "Aborted!", and exit with 1."""
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from shadersort import cli\n"
        "from shadersort.__main__ import main\n"
        "def parse_args(*arguments): signal.raise_signal(signal.SIGINT)\n"
        "cli.Commands.parse_args = parse_args\n"
        "main()\n"
    )
    assert run_code(code, "info") == (130, "", "Interrupted.\n")
