"""Every link of the pages and notebooks to a file leads to one."""

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/*.md", "notebooks/*.md", "notebooks/**/*.ipynb")
    for path in ROOT.glob(pattern)
    if ".ipynb_checkpoints" not in path.parts
)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def text_of(path: Path) -> str:
    """What a page says; of a notebook, its text cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(each["source"]) for each in cells if each["cell_type"] == "markdown")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    links = [link for link in LINK.findall(text_of(path)) if "://" not in link]
    files = [unquote(link.partition("#")[0]) for link in links]
    assert not [file for file in files if file and not (path.parent / file).exists()]


def test_there_are_such_pages() -> None:
    assert {"README.md", "docs/reproduced.md", "notebooks/01-drawing.ipynb"} <= set(PAGES)
