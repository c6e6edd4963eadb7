"""What a record says about itself."""

import subprocess
from pathlib import Path

from bench.shared.record import commit_of


def test_a_commit_is_marked_if_code_was_changed(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        who = ("-c", "user.name=n", "-c", "user.email=e@example.com")
        command = ["git", "-C", str(tmp_path), *who, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    assert commit_of(tmp_path) is None
    git("init", "--quiet")
    code, result = tmp_path / "code.py", tmp_path / "bench" / "records" / "a.json"
    result.parent.mkdir(parents=True)
    code.write_text("1")
    result.write_text("{}")
    git("add", ".")
    git("commit", "--quiet", "--message", "both")
    commit = git("rev-parse", "HEAD")
    assert commit_of(result.parent) == commit
    result.write_text("[]")
    (result.parent / "new.json").write_text("[]")
    assert commit_of(result.parent) == commit
    code.write_text("2")
    assert commit_of(result.parent) == f"{commit}-dirty"
