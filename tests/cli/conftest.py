from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def working_directory(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """An empty one; the system's folder for temporary files is left as it was."""
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.chdir(tmp_path)
    yield
    assert list(temporary.iterdir()) == []
