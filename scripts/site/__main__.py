"""Builds the site into `build/site`: `python -m scripts.site`, or `make site`.

Sphinx builds the pages from a folder that `stage` fills with the pages of `site/`, the documents
and the lessons; any warning is an error. Two pages are added as they are: the first one, on which
two GPUs sort a reader's keys, and the one that shows each pass of a drawn sort.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from scripts.site.lessons import on_site
from scripts.site.links import PARTS, ROOT, head, linked
from scripts.site.lite import build_lite
from scripts.site.report import divide
from shadersort.lessons.exercises.kernels.page import TITLE as KERNELS
from shadersort.lessons.exercises.kernels.page import kernels_page
from shadersort.web.sort_page import TITLE, sort_page, write_films
from shadersort.web.two_page import MOST_TEXELS, two_page

BUILD = ROOT / "build"
SITE = BUILD / "site"
PATTERNS = (
    *("README.md", "CHANGELOG.md", "docs/*.md", "docs/*.png", "docs/*.svg"),
    *("bench/records/*.json", "notebooks/README.md", "notebooks/*.ipynb"),
    *(["notebooks/solutions/*.ipynb"] if os.environ.get("SOLUTIONS") else []),
)
"""What the pages are made of; solved notebooks only for teachers: `make site SOLUTIONS=1`."""

OWN = ROOT / "site"
PAGES = [path for path in OWN.rglob("*.md") if path.parent != PARTS]
ICON = '<link rel="icon" href="_static/favicon.svg">'
LINKS = {
    "notebooks/index.html": "The lessons",
    "sort.html": TITLE,
    "kernels.html": KERNELS,
    "guide.html": "The guide",
    "docs/reproduced.html": "The report",
    "api/index.html": "The reference",
    "contents.html": "All pages, and a search",
}
"""Where the first page leads."""

HOME = {"index.html": "← shadersort"}

REPORT = BUILD / "report"
"""Where `make report` writes the report with its figures, which the site shows."""


def build(site: Path, work: Path, pyodide: str = "") -> None:
    """Build the site into a folder; another one keeps what makes the next time faster.

    `pyodide` is a folder with Pyodide's files, or their address, if not the public one.
    """
    build_lite(site, work, pyodide)
    pages = work / "site-pages"
    stage(pages)
    options = ["--fail-on-warning", "--keep-going", "--quiet", "--jobs", "auto"]
    folders = ["--conf-dir", str(OWN), "--doctree-dir", str(work / "site-doctrees")]
    sphinx = [sys.executable, "-m", "sphinx", *options, *folders, str(pages), str(site)]
    subprocess.run(sphinx, cwd=ROOT, check=True)
    made = (site / folder for folder in ("api", "docs", "notebooks"))
    for path in (path for folder in made for path in folder.rglob("*.html")):
        # Sphinx leaves pages whose file is gone
        if not any((pages / path.relative_to(site)).parent.glob(f"{path.stem}.*")):
            path.unlink()
    own = {"sort.html": sort_page("films", links=HOME), "kernels.html": kernels_page(HOME)}
    own["index.html"] = two_page("films", links=LINKS)
    for name, text in own.items():
        whole = text.replace("<style>", f"{ICON}\n{head('shadersort')}<style>", 1)
        (site / name).write_text(whole, encoding="utf-8")
    write_films(site / "films", MOST_TEXELS)


def stage(folder: Path) -> None:
    """Fill the folder. Files that have not changed are left alone, so Sphinx reads only others."""
    files = {
        path.relative_to(ROOT).as_posix(): path for each in PATTERNS for path in ROOT.glob(each)
    }
    drawn = [*REPORT.glob("*.md"), *REPORT.glob("figures/*.svg")]
    files |= {f"docs/{path.relative_to(REPORT).as_posix()}": path for path in drawn}
    staged = {name: _content(name, files) for name in files}
    for name, text in divide(staged["docs/reproduced.md"].decode()).items():
        staged[f"docs/{name}"] = text.encode()
    staged["docs/reproduced.md"] += (PARTS / "report.md").read_bytes()
    staged |= {path.relative_to(OWN).as_posix(): path.read_bytes() for path in PAGES}
    for name, content in staged.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in staged:
            path.unlink()


def _content(name: str, files: Mapping[str, Path]) -> bytes:
    """Return a file as the site has it."""
    content = files[name].read_bytes()
    if name.endswith(".md"):
        return linked(content.decode(), name, files).encode()
    if name.endswith(".ipynb"):
        return json.dumps(on_site(json.loads(content), name, files)).encode()
    return content


if __name__ == "__main__":
    try:
        build(SITE, BUILD, *sys.argv[1:2])
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
    print(f"The site is in {SITE.relative_to(ROOT)}: open {SITE.relative_to(ROOT)}/index.html")
