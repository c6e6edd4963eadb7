"""Long commands, interrupted at some moment: how each has to end."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

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

PATIENCE = 60
"""Seconds after which a process is taken for one that hangs."""

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
OUTPUTS = {word for line in COMMANDS.values() for word in line.split()[1:] if "." in word}
"""The files that commands read or write."""


@dataclass(frozen=True)
class Ended:
    """How a command ended, and how long after the signal."""

    code: int
    said: str
    left: list[str]
    seconds: float


def write_inputs(folder: Path) -> None:
    """Write the files that the commands read."""
    rng = np.random.default_rng(0)
    np.save(folder / "keys.npy", rng.random(1 << 19, np.float32))
    np.save(folder / "few.npy", rng.random(1 << 12, np.float32))
    items = rng.integers(0, 1000, 200_000)
    (folder / "items.txt").write_text("\n".join(map(str, items)))
    addresses = rng.integers(0, 256, (50_000, 4))
    (folder / "addresses.txt").write_text("\n".join(".".join(map(str, a)) for a in addresses))


def ended(folder: Path, name: str, moment: float | None, *, waits: bool = False) -> Ended:
    """Run a command in a folder with inputs; interrupt it so many seconds after its begin.

    If it `waits`, its import goes on when the signal has arrived.
    """
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    before = _names(folder)
    begun, begins = os.pipe()
    wait = "waits" if waits else "goes on"
    with (folder / "few.npy").open("rb") as stdin:
        process = subprocess.Popen(
            [sys.executable, "-c", BEGIN, str(begins), wait, *COMMANDS[name].split()],
            cwd=folder,
            env={**os.environ, "TMPDIR": str(temporary)},
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
        process.send_signal(signal.SIGINT)
    sent = time.perf_counter()
    try:
        _, said = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    seconds = time.perf_counter() - sent
    left = sorted(_names(folder) - before)
    for name in left:
        (folder / name).unlink()
    return Ended(process.returncode, said, left, seconds)


def assert_clean(end: Ended) -> None:
    """Assert that a command was done, or ended as Ctrl-C does, and that it left nothing else."""
    lines = [line for line in end.said.splitlines() if not line.startswith("Note: ")]
    assert (end.code, lines) in ((0, []), (130, ["Interrupted."])), end
    assert set(end.left) <= OUTPUTS, end


def _names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
