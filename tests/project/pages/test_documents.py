"""The documents name all that there is, lead somewhere, and their examples give what they say."""

import doctest
import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

import modern
import shadersort
from shadersort import streams
from shadersort.selection import METHODS
from shadersort.selection.printed import PRINTED

ROOT = Path(__file__).parents[3]
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for pattern in ("*.md", "docs/*.md", "notebooks/*.md", "notebooks/**/*.ipynb")
    for path in ROOT.glob(pattern)
    if ".ipynb_checkpoints" not in path.parts
}
LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE = re.compile(r"`((?:bench|docs|modern|notebooks|scripts|shaders|shadersort)/[\w./-]*)`")


def text_of(page: str) -> str:
    """The text of a page; of a notebook, its text cells."""
    text = PAGES[page].read_text(encoding="utf-8")
    if page.endswith(".md"):
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(each["source"]) for each in cells if each["cell_type"] == "markdown")


ALGORITHMS = text_of("docs/algorithms.md")


def test_links_lead_somewhere() -> None:
    assert {"README.md", "docs/reproduced.md", "notebooks/01-drawing.ipynb"} <= set(PAGES)
    for page, path in PAGES.items():
        links = [link for link in LINK.findall(text_of(page)) if "://" not in link]
        files = [unquote(link.partition("#")[0]) for link in links]
        assert not [file for file in files if file and not (path.parent / file).exists()], page


@pytest.mark.parametrize("page", ["README.md", "docs/algorithms.md", "CHANGELOG.md"])
def test_named_files_exist(page: str) -> None:
    assert not [name for name in FILE.findall(text_of(page)) if not (ROOT / name).exists()]


@pytest.mark.parametrize(("page", "examples"), [("errata", 80), ("selection-calls", 7)])
def test_the_examples_hold(page: str, examples: int) -> None:
    path = str(PAGES[f"docs/{page}.md"])
    found = doctest.testfile(path, module_relative=False, encoding="utf-8")
    assert found.attempted > examples
    assert found.failed == 0


@pytest.mark.parametrize("package", [shadersort, modern, streams], ids=lambda each: each.__name__)
def test_every_public_name_has_its_policy_of_threads(package: object) -> None:
    table = re.findall(r"^\| `.*", text_of("docs/threads.md"), re.MULTILINE)
    named = set(re.findall(r"`(?:modern\.)?(\w+)`", "\n".join(table)))
    assert set(package.__all__) - named == set()  # type: ignore[attr-defined]


def test_every_call_of_selection_has_its_row() -> None:
    rows = text_of("docs/selection-calls.md").split("\n## ")[0]
    calls = set(re.findall(r"^\|[^|]*\| `(\w+)\(", rows, re.MULTILINE))
    names = "select multiselect argselect median nanmedian quantile nanquantile topk sort"
    assert set(names.split()) <= calls


def test_every_algorithm_has_its_row() -> None:
    """Methods of selection, as printed too, and summaries: by the files that hold them."""
    methods = (ROOT / "shadersort" / "selection" / "methods").rglob("[a-z]*.py")
    files = {path.relative_to(ROOT).as_posix() for path in methods if path.stem != "search"}
    together = {"brent-root", "brent-min", "radix-inplace"}  # in the file of their paper
    stems = {Path(file).stem.replace("_", "-") for file in files}
    assert set(METHODS) - stems == together
    defined = [getattr(streams, name) for name in streams.__all__]
    summaries = [
        each for each in defined if isinstance(each, type) and "sorters" not in each.__module__
    ]
    printed = [find for each in PRINTED.values() for find in (each.one, each.many) if find]
    homes = {each.__module__ for each in (*summaries, *printed)} - {"builtins"}
    files |= {f"{home.replace('.', '/')}.py" for home in homes}
    assert files - set(FILE.findall(ALGORITHMS)) == set()


def test_every_row_has_every_column() -> None:
    for table in re.findall(r"(?:^\|.*\n)+", ALGORITHMS, re.MULTILINE):
        (columns,) = {len(row.split(" | ")) for row in table.splitlines() if row[:4] != "|---"}
        assert columns in (2, 4, 6, 9), table
