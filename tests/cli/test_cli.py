"""The command line: its help, its errors and exit codes, and what it reports of devices."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

import shadersort as ss
from shadersort import cli
from shadersort.cli import COMMANDS, commands, devices
from shadersort.cli.failures import EXIT_CODES
from shadersort.errors import DeviceUnavailable, OutOfDeviceMemory
from shadersort.keys.types import Keys

SHELL = [sys.executable, "-m", "shadersort"]


def run(*arguments: object, stdin: bytes = b"") -> Result:
    result = CliRunner().invoke(commands, [str(each) for each in arguments], input=stdin)
    if not isinstance(result.exception, SystemExit | None):
        raise result.exception
    return result


def report(*arguments: object, stdin: bytes = b"") -> Any:
    result = run(*arguments, "--json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def npy(keys: Keys) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, keys)
    return buffer.getvalue()


def text(keys: Keys) -> bytes:
    return "".join(f"{key}\n" for key in keys.tolist()).encode()


def names() -> list[str]:
    """What the working directory has in it."""
    return sorted(path.name for path in Path().iterdir())


def assert_refused(result: Result, code: int, *words: str) -> None:
    """One line says why, on the standard error, and nothing is on the standard output."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert all(word in line for word in words), line


def test_help_names_every_command_and_exit_code() -> None:
    text = run("--help").stdout
    assert all(f"\n  {name} " in text for name in COMMANDS)
    assert all(f"{code}  {what}" in text for code, what in EXIT_CODES.items())
    assert ss.__version__ in run("--version").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command(name: str) -> None:
    """Every option has a word, the page names it, and the examples can be typed."""
    text = run(name, "--help").stdout
    assert "--debug" in text
    assert max(map(len, text.splitlines())) <= 100
    command = commands.get_command(click.Context(commands), name)
    assert command
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert [each.name for each in options if not each.help] == []
    said = {word for each in options for word in (*each.opts, *each.secondary_opts)}
    page = Path(__file__).parents[2].joinpath("docs", "command-line.md").read_text("utf-8")
    assert {word for word in said if word.startswith("--") and f"`{word}`" not in page} == set()
    lines = re.split(r"\n| \| ", command.epilog or "")
    examples = [shlex.split(line) for line in lines if line.startswith("shadersort ")]
    assert len(examples) >= 2
    for _, called, *arguments in examples:
        assert called == name
        assert command.make_context(name, arguments, parent=click.Context(commands)).params


def test_help_needs_no_graphics() -> None:
    code = (
        "import sys; from shadersort.cli import commands\n"
        "commands(['--help'], standalone_mode=False)\n"
        "print({'moderngl', 'glfw', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"


def test_info_lists_devices_and_sheets() -> None:
    found = report("info")
    assert found["devices"] == [asdict(each) for each in ss.devices()]
    blend = found["profiles"]["geforce-6800-ultra"]["cycles_per_blend"]["float16"]
    assert (blend["value"], blend["unit"]) == (6.5, "cycles")
    text = " ".join(run("info").stdout.split())
    assert all(each["detail"].split()[0] in text for each in found["devices"])
    assert "core clock 400,000,000 Hz the paper, section 3.3" in text
    assert "SIGMOD 2005" in text


def test_estimates() -> None:
    rows = report("estimate", "8M", "1,000", "--method", "blend", "--method", "fragment")
    ways = [(row["keys"], row["method"]) for row in rows]
    assert ways == list(product((1 << 23, 1000), ("blend", "fragment")))
    for row in rows:
        cost = ss.estimate(row["keys"], method=row["method"])
        assert row.items() >= {**asdict(cost), "seconds": cost.seconds}.items()
    keys = [row["keys"] for row in report("estimate", "1e6", "2^20", "1.5K", "--method", "auto")]
    assert keys == [1_000_000, 1 << 20, 1536]
    assert re.search(r"8,388,608\b.*\b1,323\b", run("estimate", "2^23").stdout, re.DOTALL)
    assert_refused(run("estimate", "1.5"), 2, "not a number of keys")


def test_what_a_card_cannot_draw_is_listed() -> None:
    arguments = ("estimate", "8M", "--method", "blend", "--method", "compute")
    possible, impossible = report(*arguments)
    assert "passes" in possible
    assert "no compute shaders: use --method auto" in impossible["impossible"]
    assert "Not possible: geforce-6800-ultra has no compute" in run(*arguments).stdout
    assert_refused(run("estimate", "8M", "--method", "compute"), 1, "no compute shaders")
    assert_refused(run("estimate", "128M"), 1, "textures of at most 4096")


def test_a_benchmark() -> None:
    options = ("--device", "software", "--network", "bitonic", "--method", "fused")
    found = report("bench", 256, "2^6", *options)
    assert [row["keys"] for row in found["rows"]] == [256, 64]
    assert found["device"] == "software"
    assert all(row["sort_ms"] > 0 and row["numpy_ms"] > 0 for row in found["rows"])
    assert "np.sort ms" in run("bench", 256, *options).stdout
    assert_refused(run("bench", 100, *options), 2, "100 is no power of two")


def test_errors_become_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for error, words in (
        (DeviceUnavailable("no such device"), "no such device"),
        (OutOfDeviceMemory("too much"), "too much"),
        (MemoryError(), "not enough memory"),
        (PermissionError(13, "Permission denied", "x.npy"), "x.npy: Permission denied"),
        (ModuleNotFoundError("No module named 'scipy'", name="scipy"), "scipy"),
    ):

        @click.command()
        def info(error: Exception = error) -> None:
            raise error

        found = type("module", (), {"info": info})
        monkeypatch.setattr(cli, "import_module", lambda name, found=found: found)
        assert_refused(run("info"), 1, words)
        for arguments in (["--debug", "info"], ["info", "--debug"]):
            assert CliRunner().invoke(commands, arguments).exception is error


def test_a_pipe_that_closes(tmp_path: Path) -> None:
    np.save(tmp_path / "keys.npy", np.arange(100_000, dtype=np.int32))
    command = [*SHELL, "sort", "keys.npy", "--to", "text", "--device", "software"]
    read_end, write_end = os.pipe()
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=write_end, stderr=subprocess.PIPE, text=True
    )
    os.close(write_end)
    assert os.read(read_end, 4) == b"0\n1\n"
    os.close(read_end)
    _, complaint = process.communicate()
    assert (process.returncode, complaint) == (141, "")


def test_the_demonstration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "KEYS_IN_SOFTWARE", 1 << 8)
    picture = tmp_path / "demo.png"
    said = ("demo", "--device", "software", "--picture", picture)
    assert "256 random float32 keys" in run(*said).stdout
    before = picture.read_bytes()
    assert before.startswith(b"\x89PNG")
    assert_refused(run(*said), 4, "--force")
    assert picture.read_bytes() == before
    assert run(*said, "--force").exit_code == 0
