"""Builds the site into `build/site`: `python -m scripts.site`, or `make site`.

Sphinx builds the pages from a folder that `staging.py` fills; any warning is an error. The page
that sorts a reader's own keys is added as it is.
"""

import subprocess
import sys
from pathlib import Path

from scripts.site.links import ROOT
from scripts.site.staging import OWN, stage
from shadersort.web.sort_page import sort_page, write_films

BUILD = ROOT / "build"
SITE = BUILD / "site"


def build(site: Path, work: Path) -> None:
    """Build the site into a folder; another one keeps what makes the next time faster."""
    pages = work / "site-pages"
    stage(pages)
    options = ["--fail-on-warning", "--keep-going", "--quiet", "--jobs", "auto"]
    folders = ["--conf-dir", str(ROOT / OWN), "--doctree-dir", str(work / "site-doctrees")]
    sphinx = [sys.executable, "-m", "sphinx", *options, *folders, str(pages), str(site)]
    subprocess.run(sphinx, cwd=ROOT, check=True)
    (site / "sort.html").write_text(sort_page("films", home="index.html"), encoding="utf-8")
    write_films(site / "films")


if __name__ == "__main__":
    try:
        build(SITE, BUILD)
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
    print(f"The site is in {SITE.relative_to(ROOT)}: open {SITE.relative_to(ROOT)}/index.html")
