"""What Sphinx reads, what Colab and Binder open, what GitHub runs, and what setup looks for."""

import json
import re
import tomllib
from base64 import b64decode, b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

import yaml
from PIL import Image

from scripts.site.lessons import VERDICT, on_site, write
from scripts.site.links import linked
from shadersort.lessons.exercises import verdict
from shadersort.lessons.shared.pictures import film
from shadersort.lessons.shared.style import subplots
from tests.web.browser import NAMES

ROOT = Path(__file__).parents[3]


def cell(*outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": ["f()"], "outputs": list(outputs)}


def lesson(*cells: dict[str, Any]) -> dict[str, Any]:
    title = {"cell_type": "markdown", "metadata": {}, "source": ["# 1 · A lesson\n", "Text."]}
    return {"cells": [title, *cells], "metadata": {}}


PICTURE = {"data": {"image/png": "iVBO"}, "metadata": {"image/png": {"alt": "a quad"}}}
FRAME = {"data": {"text/html": '<iframe srcdoc="&lt;p&gt;"></iframe>'}, "metadata": {}}


def test_a_picture_says_what_it_shows_unless_a_piece_stands_for_it() -> None:
    cells = (cell(PICTURE, FRAME), cell(PICTURE))
    shown = on_site(lesson(*cells), "notebooks/01-drawing.ipynb", ())["cells"]
    assert [each["outputs"] for each in shown[1:]] == [[FRAME], [PICTURE]]
    assert shown[2]["metadata"]["mystnb"] == {"image": {"alt": "a quad"}}
    assert verdict.MIME == VERDICT, "the type that the site leaves out"


def test_a_film_becomes_a_strip_and_the_row_of_links_is_left_to_the_theme() -> None:
    figures = [subplots(width=2.0, height=1.0) for _ in range(2)]
    figures[1][1][0].plot([1, 2])
    png = film((figure for figure, _ in figures), "lines").png
    moving = {"image/png": b64encode(png).decode()}
    output = {"data": moving, "metadata": {"image/png": {"alt": "<lines>"}}}
    links = {"cell_type": "markdown", "metadata": {}, "source": ["---\n", "[all lessons](i.ipynb)"]}
    _, shown = on_site(lesson(cell(output), links), "notebooks/01-drawing.ipynb", ())["cells"]
    (html,) = shown["outputs"][0]["data"].values()
    assert 'data-frames="2" data-pace="700"' in html
    assert 'alt="&lt;lines&gt;"' in html
    strip = Image.open(BytesIO(b64decode(html.split("base64,")[1].split('"')[0])))
    single = Image.open(BytesIO(png))
    assert strip.size == (single.width, 2 * single.height)


def test_lessons_lead_to_their_solutions_and_to_the_sort_page() -> None:
    solution = "notebooks/solutions/01-drawing.ipynb"
    first, alone = (
        on_site(lesson(), "notebooks/01-drawing.ipynb", pages)["cells"][0]["source"]
        for pages in ((solution,), ())
    )
    assert first.startswith("# 1 · A lesson\n\n<p")
    assert 'href="solutions/01-drawing.html"' in first
    assert "solutions/" not in alone
    assert 'href="../sort.html"' in first
    solved = on_site(lesson(), "notebooks/solutions/04-four-sorts.ipynb", ())
    assert 'href="../04-four-sorts.html"' in solved["cells"][0]["source"]
    assert "sort.html" not in solved["cells"][0]["source"].replace("four-sorts.html", "")
    assert solved["metadata"]["nosearch"] is True


def test_links_into_the_repository() -> None:
    text = "[`a`](../shadersort/shown.py) [b](errata.md#c) [d](#e) [f](https://g.h) [i](../shaders)"
    plain = "`a` [b](errata.md#c) [d](#e) [f](https://g.h) i"
    assert linked(text, "docs/x.md", {"docs/errata.md"}, "") == plain
    there = linked(text, "docs/x.md", {"docs/errata.md"}, "someone/shadersort")
    address = "https://github.com/someone/shadersort/blob/main/shadersort/shown.py"
    assert there.startswith(f"[`a`]({address}) [b](errata.md#c)")
    figure = linked("[![1](figures/a.svg)](figures/a.svg)", "docs/x.md", {"docs/figures/a.svg"})
    assert figure == '<a href="../_images/a.svg">![1](figures/a.svg)</a>', "it opens alone"


def test_notebooks_for_elsewhere_install_the_package_first(tmp_path: Path) -> None:
    write(tmp_path, "someone/shadersort")
    made = [*tmp_path.rglob("*.ipynb")]
    assert len(made) == len([*(ROOT / "notebooks").glob("*.ipynb")])
    for path in made:
        first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]
        assert first["cell_type"] == "code"
        assert "git+https://github.com/someone/shadersort" in first["source"]
        code, installs = re.subn(r"%pip install .*", "pass", first["source"])
        assert installs == 1
        compile(code, "cell", "exec")
    assert "shadersort[notebooks]" in (tmp_path / "requirements.txt").read_text()


def test_the_container_gets_what_it_copies() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    copied = re.findall(r"^COPY (?:--\S+ )?(.+) \S+$", text, re.MULTILINE)
    names = {name for each in copied for name in each.split()}
    assert all((ROOT / name).exists() for name in names)
    kept = (ROOT / ".containerignore").read_text(encoding="utf-8").splitlines()
    assert {f"!{name}" for name in names} == {line for line in kept if line[0] == "!"}


def test_the_tests_run_on_every_python() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    workflow: dict[str, Any] = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    job = workflow["jobs"]["test"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    marks = [each.rpartition(" ")[2] for each in project["classifiers"] if "Python :: 3." in each]
    assert job["strategy"]["matrix"]["python-version"] == marks
    assert any(step.get("run", "").startswith("make test") for step in job["steps"])


def test_setup_looks_for_the_browsers_that_the_tests_start() -> None:
    text = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
    assert f"\nchromium_names=({' '.join(NAMES)})\n" in text
