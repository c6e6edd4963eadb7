"""Every link of the pages and notebooks leads to a file, and every file that pages name exists."""

import json
import re
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).parents[3]
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for pattern in ("*.md", "docs/*.md", "notebooks/*.md", "notebooks/**/*.ipynb")
    for path in ROOT.glob(pattern)
    if ".ipynb_checkpoints" not in path.parts
}
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"`((?:bench|docs|modern|notebooks|scripts|shaders|shadersort)/[\w./-]*)`")


def text_of(path: Path) -> str:
    """The text of a page; of a notebook, its text cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(each["source"]) for each in cells if each["cell_type"] == "markdown")


def test_links_lead_somewhere() -> None:
    assert {"README.md", "docs/reproduced.md", "notebooks/01-drawing.ipynb"} <= set(PAGES)
    for page, path in PAGES.items():
        links = [link for link in LINK.findall(text_of(path)) if "://" not in link]
        files = [unquote(link.partition("#")[0]) for link in links]
        assert not [file for file in files if file and not (path.parent / file).exists()], page


def test_named_files_exist() -> None:
    for page in ("README.md", "docs/algorithms.md", "CHANGELOG.md"):
        named = NAMED.findall(text_of(PAGES[page]))
        assert not [name for name in named if not (ROOT / name).exists()], page
