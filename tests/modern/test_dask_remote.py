"""A scheduler and a worker that other processes have started: a client reaches them by address."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import modern
from shadersort import errors

arrays: Any = import_module("dask.array")
distributed: Any = import_module("distributed")

ROOT = Path(__file__).parents[2]
SECONDS = 30
"""Enough for processes to start, on a machine with other work."""


def start(of: ExitStack, name: str, *words: str) -> None:
    """Start a command of Dask in a process of its own; it ends with the stack."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--no-dashboard", *words]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=ROOT, stdout=quiet, stderr=quiet)
    of.callback(process.wait)
    of.callback(process.kill)


def written(file: Path) -> dict[str, str]:
    """A file of JSON that another process is about to write: for a moment it is there and empty."""
    until = time.monotonic() + SECONDS
    while True:
        try:
            found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
            return found
        except (FileNotFoundError, json.JSONDecodeError):
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler that has one worker."""
    file = tmp_path_factory.mktemp("remote") / "scheduler.json"
    with ExitStack() as of:
        start(of, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        address = written(file)["address"]
        start(of, "worker", address, "--nthreads", "1", "--no-nanny")
        yield address


def test_a_scheduler_that_is_reached_by_its_address(remote: str) -> None:
    with distributed.Client(remote) as client:
        client.wait_for_workers(1, timeout=SECONDS)
        x = arrays.random.default_rng(1).normal(size=(300, 200), chunks=(70, 200))
        keys = x.compute()
        assert modern.median(x, axis=None) == np.median(keys)
        found = modern.quantile(x, [0.1, 0.9], axis=None)
        np.testing.assert_array_equal(found, np.quantile(keys, [0.1, 0.9]))
        rows = modern.median(x, axis=1).compute()
        np.testing.assert_array_equal(rows, np.median(keys, axis=1))
        assert client.scheduler_info()["address"] == remote
        x = client.persist(x)
        distributed.wait(x)
    with pytest.raises(errors.ClusterUnavailable, match="its client is closed"):
        modern.median(x, axis=None)
