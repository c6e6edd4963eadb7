"""docs/algorithms.md has a row for every selection method and every summary there is."""

import re
from pathlib import Path

import shadersort.streams
from shadersort.selection import METHODS
from shadersort.selection.printed import PRINTED

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([\w./-]+/[\w./-]*)`", TEXT))
"""What stands between backticks and has a slash: files and folders."""


def test_every_method_of_selection_has_its_row() -> None:
    folder = ROOT / "shadersort" / "selection" / "methods"
    files = {path.relative_to(ROOT).as_posix() for path in folder.rglob("[a-z]*.py")}
    assert files - {"shadersort/selection/methods/searches/search.py"} <= NAMED
    stems = {Path(file).stem for file in files}
    assert {name.replace("-", "_") for name in METHODS} - stems == TOGETHER


TOGETHER = {"brent_root", "brent_min", "radix_inplace"}
"""Methods that share the file of their paper."""


def test_every_method_as_printed_has_its_row() -> None:
    finds = [find for method in PRINTED.values() for find in (method.one, method.many) if find]
    homes = {find.__module__ for find in finds}
    assert {f"{home.replace('.', '/')}.py" for home in homes} <= NAMED


def test_every_summary_has_its_row() -> None:
    for name in shadersort.streams.__all__:
        defined = getattr(shadersort.streams, name)
        module = getattr(defined, "__module__", "")
        if isinstance(defined, type) and "sorters" not in module and module != "builtins":
            assert f"{module.replace('.', '/')}.py" in NAMED, name


def test_every_row_has_every_column() -> None:
    columns = 0  # of the table that the line before is in
    for line in TEXT.splitlines():
        if not line.startswith("|"):
            columns = 0
        elif not line.startswith("|---"):
            columns = columns or len(line.split(" | "))
            assert len(line.split(" | ")) == columns, line
            assert columns in (2, 4, 6, 9), line
