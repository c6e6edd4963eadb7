"""`shadersort sort`: outputs that exist, full disks, interruptions; no output is half-written."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tests.cli.test_cli import SHELL, assert_refused, names, run
from tests.cli.test_sort import ON_CPU, content, folder

__all__ = ["folder"]


def test_an_output_that_exists() -> None:
    np.save("keys.npy", np.array([2, 1], "f4"))
    Path("x.npy").write_bytes(b"old")
    assert_refused(run("sort", "keys.npy", "x.npy", *ON_CPU), 4, "x.npy exists", "--force")
    assert Path("x.npy").read_bytes() == b"old"
    assert_refused(run("sort", "keys.npy", ".", "--force", *ON_CPU), 4, "not a file")
    assert run("sort", "keys.npy", "x.npy", "--force", *ON_CPU).exit_code == 0
    assert run("sort", "keys.npy", "keys.npy", "--force", *ON_CPU).exit_code == 0
    for name in ("keys.npy", "x.npy"):
        assert np.load(name).tolist() == [1, 2]


def test_words_that_are_written() -> None:
    """As the page on formats says."""
    for words, lines in ((b"1e+06\n.5\n", "0.5\n1000000.0\n"), (b"007\n+6\n", "6\n7\n")):
        assert run("sort", *ON_CPU, stdin=words).stdout == lines


def test_commands_that_are_wrong() -> None:
    np.save("keys.npy", np.array([2, 1], "f4"))
    for arguments, words in (
        ("--network bubble", "'bubble' is not one of 'pbsn', 'bitonic'"),
        ("--method magic", "'magic' is not one of 'blend'"),
        ("--device vulkan", "'vulkan' is not one of 'auto'"),
        ("--memory lots", "not 'lots'"),
        ("--memory 1MiB", "is too little"),
        ("--share 2", "from 0 to 1"),
        ("--dtype float33", "no type of keys"),
        ("--offset 4", "--offset is for raw inputs, and keys.npy is npy"),
    ):
        result = run("sort", "keys.npy", "x.npy", *ON_CPU, *arguments.split())
        assert_refused(result, 2, words)
    assert_refused(run("sort", "keys.npy", "no/x.npy"), 1, "there is no such folder")
    for suffix in ("npy.gz", "npz", "parquet", "arrow", "jsonl", "txt.zst"):
        refused = run("sort", "keys.npy", f"x.{suffix}")
        assert_refused(refused, 2, f"no .{suffix.split('.')[-1]}", "--to")
    for given in (["no/"], ["-o", "no/"]):
        assert_refused(run("sort", "keys.npy", *given), 2, "no/ is the name of a folder")
    assert names() == ["keys.npy"]


def test_bytes_are_not_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from shadersort.cli import key_files

    np.save("keys.npy", np.array([2, 1], "f4"))
    terminal = type("Terminal", (), {"isatty": lambda self: True, "flush": lambda self: None})
    monkeypatch.setattr(key_files, "sys", type("sys", (), {"stdout": terminal()}))
    assert_refused(run("sort", "keys.npy", *ON_CPU), 2, "terminal", "--to text")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_leaves_nothing(number: signal.Signals, code: int) -> None:
    """In the middle of the output, when a part of it has been written."""
    np.save("keys.npy", np.arange(1000, dtype=np.float32))
    script = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # it may be ignored here
        "from shadersort.sorting.external import pipeline\n"
        "from shadersort.cli import main\n"
        "def stall(numbers, dtype):\n"
        "    print('merging', flush=True)\n"
        "    time.sleep(60)\n"
        "pipeline.keys_of_sorted = stall\n"
        "sys.argv[1:] = 'sort keys.npy x.npy --share 1'.split()\n"
        "main()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "merging\n"
    assert len(names()) == 2
    time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate()
    assert process.returncode == code
    assert said.strip() == ("Interrupted." if number == signal.SIGINT else "")
    assert names() == ["keys.npy"]


def test_progress_is_for_terminals() -> None:
    np.save("keys.npy", np.arange(1000, dtype=np.float32))
    master, terminal = os.openpty()
    command = [*SHELL, "sort", "keys.npy", *ON_CPU]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, check=True)
    os.close(terminal)
    shown = b""
    with suppress(OSError):  # all has been read
        while part := os.read(master, 1 << 16):
            shown += part
    os.close(master)
    assert b"merged" in shown
    assert done.stdout == content(np.arange(1000, dtype=np.float32), "npy")
