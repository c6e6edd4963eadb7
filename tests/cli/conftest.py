from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty one."""
    monkeypatch.chdir(tmp_path)
