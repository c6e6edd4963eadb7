"""The processes of one run compile each kernel once."""

import os
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from typing import Any

import pytest


@pytest.fixture(scope="session", autouse=True)
def kernels_compiled_once(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Share the machine code of kernels: most of the time of tests on a GPU is that of NVRTC."""
    if "PYTEST_XDIST_WORKER" not in os.environ or request.config.getoption("-m") != "gpu":
        yield
        return
    compiling = import_module("modern.launching.compiling")
    machine_code = compiling.machine_code
    folder = tmp_path_factory.getbasetemp().parent / "kernels"
    folder.mkdir(exist_ok=True)

    def shared(*given: Any) -> bytes:
        name = sha256(repr(given).encode()).hexdigest()
        known, mine = folder / name, folder / f"{name}-{os.getpid()}"
        if not known.exists():
            mine.write_bytes(machine_code(*given))
            mine.rename(known)
        return known.read_bytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "machine_code", shared)
        yield
