"""The command line: what it reports, its exit codes, and its manners."""

import json
import os
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
from shadersort.cli import COMMANDS, commands, demo
from shadersort.cli.failures import EXIT_CODES
from shadersort.errors import DeviceUnavailable, OutOfDeviceMemory

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


def names() -> list[str]:
    """What the working directory has in it."""
    return sorted(path.name for path in Path().iterdir())


def assert_refused(result: Result, code: int, *words: str) -> None:
    """One line says why, on the standard error, and nothing is on the standard output."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert all(word in line for word in words), line
    assert "Traceback" not in result.stderr


def test_help_names_every_command_and_exit_code() -> None:
    text = run("--help").stdout
    assert all(f"\n  {name} " in text for name in COMMANDS)
    assert all(f"{code}  {what}" in text for code, what in EXIT_CODES.items())
    assert ss.__version__ in run("--version").stdout
    for name in COMMANDS:
        result = run(name, "--help")
        assert result.exit_code == 0
        assert "--debug" in result.stdout
        assert max(map(len, result.stdout.splitlines())) <= 100


def test_help_needs_no_graphics() -> None:
    code = (
        "import sys; from shadersort.cli import commands\n"
        "commands(['--help'], standalone_mode=False)\n"
        "print({'moderngl', 'glfw', 'matplotlib', 'rich'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] in ("set()", "{'rich'}")


def test_info_lists_devices_and_sheets() -> None:
    found = report("info")
    assert found["devices"] == [asdict(each) for each in ss.devices()]
    usable = [each for each in found["devices"] if each["usable"]]
    assert all(each["max_texture_size"] > 0 for each in usable)
    opengl = {each["kind"]: bool(each["opengl"]) for each in usable}
    assert opengl.items() >= {"egl": True, "software": False}.items()
    blend = found["profiles"]["geforce-6800-ultra"]["cycles_per_blend"]["float16"]
    assert (blend["value"], blend["unit"]) == (6.5, "cycles")
    assert list(found["profiles"]) == list(ss.PROFILES)
    text = run("info").stdout
    assert all(each["detail"].split()[0] in text for each in found["devices"])


def test_info_on_one_sheet_has_its_sources() -> None:
    text = " ".join(run("info", "geforce-6800-ultra").stdout.split())
    assert "400,000,000 Hz the paper, section 3.3" in text
    assert "SIGMOD 2005" in text
    assert list(report("info", "geforce-6800-ultra")["profiles"]) == ["geforce-6800-ultra"]


def test_estimates() -> None:
    rows = report("estimate", "8M", "1000", "--method", "blend", "--method", "fragment")
    asked = [(row["keys"], row["method"]) for row in rows]
    assert asked == list(product((1 << 23, 1000), ("blend", "fragment")))
    for row in rows:
        cost = ss.estimate(row["keys"], method=row["method"])
        assert {name: row[name] for name in asdict(cost)} == asdict(cost)
        assert row["seconds"] == cost.seconds
    (row,) = report("estimate", "1000", "--method", "auto")
    assert row["method"] == "blend"  # what was priced, not what was asked for
    (merged,) = report("estimate", "1000", "--merge", "device")
    assert (row["merge"], merged["merge"]) == ("host", "device")
    assert merged["passes"] == ss.estimate(1000, merge="device").passes > row["passes"]
    text = run("estimate", "2^23").stdout
    assert "8,388,608" in text
    assert "1,323" in text


def test_what_a_card_cannot_draw_is_listed() -> None:
    arguments = ("estimate", "8M", "--method", "blend", "--method", "compute")
    possible, impossible = report(*arguments)
    assert "passes" in possible
    assert "no compute shaders: use --method auto" in impossible["impossible"]
    assert "Not possible: geforce-6800-ultra has no compute" in run(*arguments).stdout
    assert_refused(run("estimate", "8M", "--method", "compute"), 1, "no compute shaders")
    assert_refused(run("estimate", "128M"), 1, "textures of at most 4096")


def test_an_unknown_profile_lists_those_that_exist() -> None:
    for command in ("estimate 8", "info", "sort", "trace x.png", "bench 8"):
        option = () if command == "info" else ("--profile",)
        result = run(*command.split(), *option, "voodoo")
        assert_refused(result, 2, "'voodoo' is not", *ss.PROFILES)


def test_a_benchmark() -> None:
    options = ("--device", "software", "--seconds", 0, "--network", "bitonic")
    found = report("bench", 256, "2^6", *options)
    assert [row["keys"] for row in found["rows"]] == [n for n in (256, 64) for _ in ss.METHODS]
    assert found["device"] == "software"
    assert all(row["sort_ms"] > 0 and row["numpy_ms"] > 0 for row in found["rows"])
    card = ("--profile", "geforce-6800-ultra")
    rows = report("bench", 256, *options, *card)["rows"]
    ways = {row["method"]: row for row in rows}
    drawn = {name: ways[name].get("dtype") for name in ("blend", "fragment", "kipfer")}
    assert drawn == {"blend": "float16", "fragment": "float32", "kipfer": "float32"}
    assert "at most 4 textures at once" in ways["fused"]["impossible"]
    assert "no compute shaders" in ways["compute"]["impossible"]
    text = run("bench", 256, *options, *card).stdout
    assert "np.sort ms" in text
    assert "Not possible: geforce-6800-ultra has no compute" in text
    assert_refused(run("bench", 100, *options), 2, "100 is no power of two")
    assert_refused(run("bench", 8, *options, "--method", "blend", "--dtype", "int32"), 3, "floats")


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


def test_the_module_and_the_pipe_that_closes(tmp_path: Path) -> None:
    np.save(tmp_path / "keys.npy", np.arange(100_000, dtype=np.int32))
    command = [*SHELL, "sort", "keys.npy", "--to", "text", "--device", "software", "--share", "1"]
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
    monkeypatch.setattr(demo, "KEYS", 1 << 10)
    monkeypatch.setattr(demo, "KEYS_IN_SOFTWARE", 1 << 8)
    for kind, keys in (("egl", "1,024"), ("software", "256")):
        picture = tmp_path / f"{kind}.png"
        text = run("demo", "--device", kind, "--picture", picture).stdout
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert f"{keys} random float32 keys" in text
        assert "Sorting on" in text
        before = picture.read_bytes()
        assert_refused(run("demo", "--device", kind, "--picture", picture), 4, "--force")
        assert picture.read_bytes() == before
        assert run("demo", "--device", kind, "--picture", picture, "--force").exit_code == 0
