"""The notebooks of the lessons, as the site shows them, and as Colab and Binder open them.

`python -m scripts.site.lessons FOLDER` writes those that Colab and Binder open. It needs no
package, and the environment variable GITHUB_REPOSITORY; `.github/workflows/pages.yml` pushes the
folder to a branch of the repository.
"""

import json
import sys
from collections.abc import Container
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any

from scripts.site.links import ROOT, linked
from scripts.site.repository import REPOSITORY, openers, requirement

DRAWING = ("01-", "02-", "03-")
"""Lessons about what the page "sort your own keys" shows."""

INSTALL = """\
# On Colab and Binder this cell installs the package; it takes about a minute.
import importlib.util

if importlib.util.find_spec("shadersort") is None:
    %pip install --quiet "{requirement}"
"""

VERDICT = "application/vnd.shadersort.verdict+json"
"""The type of the data in which an exercise says how it went."""

Notebook = dict[str, Any]


def on_site(notebook: Notebook, page: str, pages: Container[str]) -> Notebook:
    """Return a notebook as the site shows it: with links that work, and each picture once."""
    shown = [_shown(cell, page, pages) for cell in notebook["cells"]]
    title, _, rest = shown[0]["source"].partition("\n")
    shown[0]["source"] = f"{title}\n\n{_doors(page, pages)}\n{rest}"
    hidden = {"nosearch": True, "orphan": True} if "/solutions/" in page else {}
    metadata = notebook["metadata"] | hidden
    return notebook | {"cells": shown, "metadata": metadata}


def _shown(cell: dict[str, Any], page: str, pages: Container[str]) -> dict[str, Any]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return cell | {"source": linked(text, page, pages)}
    outputs = [_without_verdict(each) for each in _without_stills(cell["outputs"])]
    said = [each["metadata"]["image/png"]["alt"] for each in outputs if _has(each, "image/png")]
    image = {"mystnb": {"image": {"alt": "; ".join(said)}}} if said else {}
    return cell | {"source": text, "outputs": outputs, "metadata": cell["metadata"] | image}


def _without_stills(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return outputs without the pictures that stand in for a frame beside them."""
    framed = any(_framed(each) for each in outputs)
    return [each for each in outputs if not (framed and _still(each))]


def _without_verdict(output: dict[str, Any]) -> dict[str, Any]:
    """Return an output without what only the tests of the lessons read."""
    if "data" not in output:
        return output
    return output | {"data": {mime: it for mime, it in output["data"].items() if mime != VERDICT}}


def _framed(output: dict[str, Any]) -> bool:
    return "<iframe" in "".join(output.get("data", {}).get("text/html", ""))


def _still(output: dict[str, Any]) -> bool:
    return _has(output, "image/png") and not _has(output, "text/html")


def _has(output: dict[str, Any], mime: str) -> bool:
    return mime in output.get("data", {})


def _doors(page: str, pages: Container[str]) -> str:
    """Return the links under the title: other ways to read this lesson, or to try it."""
    path = PurePosixPath(page)
    if path.parent.name == "solutions":
        doors = {"With exercises to solve": f"../{path.stem}.html"}
    else:
        doors = {f"Open in {where}": to for where, to in openers(path.name).items()}
        if f"notebooks/solutions/{path.name}" in pages:
            doors["Solutions"] = f"solutions/{path.stem}.html"
        if path.name[0].isdigit():
            doors["How to run a lesson"] = "index.html"
    if path.name.startswith(DRAWING):
        doors["Sort your own keys by drawing"] = "../" * page.count("/") + "sort.html"
    links = " · ".join(f'<a href="{escape(to)}">{what}</a>' for what, to in doors.items())
    return f'<p class="doors">{links}</p>\n' if links else ""


def elsewhere(notebook: Notebook, repository: str) -> Notebook:
    """Return a notebook whose first cell installs the package where it is missing."""
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "install",
        "metadata": {},
        "outputs": [],
        "source": INSTALL.format(requirement=requirement("plots", repository)).rstrip(),
    }
    return notebook | {"cells": [cell, *notebook["cells"]]}


def write(folder: Path, repository: str) -> None:
    """Write the notebooks that install the package first, and what Binder reads, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        notebook = elsewhere(json.loads(path.read_text(encoding="utf-8")), repository)
        text = json.dumps(notebook, ensure_ascii=False, indent=1)
        (folder / path.name).write_text(text, encoding="utf-8")
    (folder / "requirements.txt").write_text(requirement("notebooks", repository) + "\n")
    (folder / "apt.txt").write_text("libegl1\nlibgl1\nlibgl1-mesa-dri\n")  # OpenGL, no display


if __name__ == "__main__":
    if not REPOSITORY:
        sys.exit("set GITHUB_REPOSITORY to the repository's owner and name on GitHub")
    write(Path(sys.argv[1]), REPOSITORY)
