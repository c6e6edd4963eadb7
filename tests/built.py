"""Folders that are built once, though several processes test at the same time."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return a folder of this test run; the first process that wants it builds it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    base = factory.getbasetemp()
    folder = base.parent / f"{name}-{run}" if run else base / name
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").exists():
            build(folder)
            (folder / "built").touch()
    return folder
