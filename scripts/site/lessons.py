"""The notebooks of the lessons, as the site shows them, and as Colab and Binder open them.

`python -m scripts.site.lessons FOLDER` writes those that Colab and Binder open. It needs no
package, and `repository` of `site/conf.py`; `.github/workflows/pages.yml` pushes the folder to a
branch of the repository.
"""

import json
import re
import sys
from collections.abc import Container, Iterator
from html import escape, unescape
from pathlib import Path, PurePosixPath
from typing import Any

from scripts.site.films import scrubber
from scripts.site.links import REPOSITORY, ROOT, linked

DRAWING = ("01-", "02-", "03-")
"""Lessons about what the page "sort your own keys" shows."""

BRANCH = "lessons"
"""The branch with the notebooks that Colab and Binder open: see `.github/workflows/pages.yml`."""

PACKAGE = "shadersort[{extra}] @ git+https://github.com/{repository}"
"""What pip installs the package from."""

INSTALL = f"""\
# On Colab and Binder this cell installs the package; it takes about a minute.
import importlib.util

if importlib.util.find_spec("shadersort") is None:
    %pip install --quiet "{PACKAGE}"
"""

VERDICT = "application/vnd.shadersort.verdict+json"
"""The type of the data in which an exercise says how it went."""

FRAME = re.compile(r'(<iframe title="([^"]*)"[^>]*?)height="(\d+)"')
HEIGHTS = json.loads((ROOT / "site" / "frames.json").read_text(encoding="utf-8"))
"""By the title of a frame: its height in a column of the site, on a wide and on a narrow screen."""

Notebook = dict[str, Any]


def on_site(notebook: Notebook, page: str, pages: Container[str]) -> Notebook:
    """Return a notebook as the site shows it: with links that work, and each picture once."""
    *cells, last = notebook["cells"]
    if "[all lessons](" not in "".join(last["source"]):  # the theme leads to the next page, too
        cells.append(last)
    shown = [_shown(cell, page, pages) for cell in cells]
    title, _, rest = shown[0]["source"].partition("\n")
    shown[0]["source"] = f"{title}\n\n{_doors(page, pages)}\n{rest}"
    hidden = {"nosearch": True, "orphan": True} if "/solutions/" in page else {}
    return notebook | {"cells": shown, "metadata": notebook["metadata"] | hidden}


def _shown(cell: dict[str, Any], page: str, pages: Container[str]) -> dict[str, Any]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return cell | {"source": linked(text, page, pages)}
    outputs = list(_shown_outputs(cell["outputs"]))
    pictures = [each for each in outputs if "image/png" in each.get("data", {})]
    said = "; ".join(each["metadata"]["image/png"]["alt"] for each in pictures)
    image = {"mystnb": {"image": {"alt": said}}} if pictures else {}
    return cell | {"source": text, "outputs": outputs, "metadata": cell["metadata"] | image}


def _shown_outputs(outputs: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield outputs without verdicts, and without the pictures that stand in for a frame.

    Frames have the heights of their pages, and films have become scrubbers.
    """
    data = [each.get("data", {}) for each in outputs]
    framed = any("<iframe" in "".join(each.get("text/html", "")) for each in data)
    for output, kinds in zip(outputs, data, strict=True):
        if not (framed and "image/png" in kinds and "text/html" not in kinds):
            kept = {kind: each for kind, each in kinds.items() if kind != VERDICT}
            if "text/html" in kept:
                kept["text/html"] = FRAME.sub(_fitted, "".join(kept["text/html"]))
            elif film := scrubber(kept.get("image/png", ""), output.get("metadata", {})):
                kept = {"text/html": film}
            yield output | {"data": kept} if kinds else output


def _fitted(frame: re.Match[str]) -> str:
    """Return the beginning of a frame with the heights of its page, in a wide and a narrow column.

    A page that `site/frames.json` does not know keeps what its piece says.
    """
    wide, narrow = HEIGHTS.get(unescape(frame[2]), [frame[3]] * 2)
    return f'{frame[1]}height="{wide}" data-narrow="{narrow}"'


def _doors(page: str, pages: Container[str]) -> str:
    """Return the links under the title: other ways to read this lesson, or to try it."""
    path = PurePosixPath(page)
    if path.parent.name == "solutions":
        doors = {"With exercises to solve": f"../{path.stem}.html"}
    else:
        here = "../lite/lab/index.html?path=" + path.name
        doors = {"Run this lesson" if path.name[0].isdigit() else "Run the lessons": here}
        doors |= {"Download": f"../lite/files/{path.name}"}
        doors |= {f"Open in {where}": to for where, to in openers(path.name).items()}
        if f"notebooks/solutions/{path.name}" in pages:
            doors["Solutions"] = f"solutions/{path.stem}.html"
        if path.name[0].isdigit():
            doors["How to run a lesson"] = "index.html"
    if path.name.startswith(DRAWING):
        doors["Sort your own keys by drawing"] = "../" * page.count("/") + "sort.html"
    saves = {"Download": " download"}
    links = " · ".join(
        f'<a href="{escape(to)}"{saves.get(what, "")}>{what}</a>' for what, to in doors.items()
    )
    return f'<p class="doors">{links}</p>\n' if links else ""


def openers(notebook: str, repository: str = REPOSITORY) -> dict[str, str]:
    """Return the addresses at which a notebook runs without an installation, by their names.

    Examples
    --------
    >>> openers("01-drawing.ipynb", "someone/shadersort")["Colab"]
    'https://colab.research.google.com/github/someone/shadersort/blob/lessons/01-drawing.ipynb'
    """
    if not repository:
        return {}
    return {
        "Colab": f"https://colab.research.google.com/github/{repository}/blob/{BRANCH}/{notebook}",
        "Binder": f"https://mybinder.org/v2/gh/{repository}/{BRANCH}?labpath={notebook}",
    }


def write_elsewhere(folder: Path, install: str) -> None:
    """Write the notebooks with a first cell, which installs the package where it is missing."""
    cell: dict[str, Any] = {"cell_type": "code", "id": "install", "metadata": {}, "outputs": []}
    cell |= {"execution_count": None, "source": install.rstrip()}
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        made: Notebook = json.loads(path.read_text(encoding="utf-8"))
        made["cells"].insert(0, cell)
        text = json.dumps(made, ensure_ascii=False, indent=1)
        (folder / path.name).write_text(text, encoding="utf-8")


def write(folder: Path, repository: str) -> None:
    """Write the notebooks that install the package first, and what Binder reads, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_elsewhere(folder, INSTALL.format(extra="plots", repository=repository))
    package = PACKAGE.format(extra="notebooks", repository=repository)
    (folder / "requirements.txt").write_text(f"{package}\n")
    (folder / "apt.txt").write_text("libegl1\nlibgl1\nlibgl1-mesa-dri\n")  # OpenGL, no display


if __name__ == "__main__":
    if not REPOSITORY:
        sys.exit("set `repository` in site/conf.py to its owner and name on GitHub")
    write(Path(sys.argv[1]), REPOSITORY)
