"""What Sphinx reads, what Colab and Binder open, and what GitHub runs."""

import doctest
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from scripts.site import lessons, links
from scripts.site.__main__ import stage
from scripts.site.lessons import VERDICT, elsewhere, on_site, write
from scripts.site.links import linked
from shadersort.lessons.exercises import verdict

ROOT = Path(__file__).parents[3]
WORKFLOWS = ROOT / ".github" / "workflows"


def cell(*outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": ["f()"], "outputs": list(outputs)}


def lesson(*cells: dict[str, Any]) -> dict[str, Any]:
    title = {"cell_type": "markdown", "metadata": {}, "source": ["# 1 · A lesson\n", "Text."]}
    return {"cells": [title, *cells], "metadata": {}}


PICTURE = {"data": {"image/png": "iVBO"}, "metadata": {"image/png": {"alt": "a quad"}}}
FRAME = {"data": {"text/html": ['<iframe srcdoc="&lt;p&gt;"></iframe>']}, "metadata": {}}


def test_a_picture_says_what_it_shows() -> None:
    shown = on_site(lesson(cell(PICTURE)), "notebooks/01-drawing.ipynb", ())
    assert shown["cells"][1]["metadata"]["mystnb"] == {"image": {"alt": "a quad"}}
    assert shown["cells"][1]["outputs"] == [PICTURE]


def test_a_piece_is_kept_without_its_still() -> None:
    shown = on_site(lesson(cell(PICTURE, FRAME), cell(PICTURE)), "notebooks/01-drawing.ipynb", ())
    assert shown["cells"][1]["outputs"] == [FRAME]
    assert shown["cells"][2]["outputs"] == [PICTURE]


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


def test_the_verdicts_type_is_that_of_the_exercises() -> None:
    assert verdict.MIME == VERDICT


def test_links_into_the_repository() -> None:
    text = "[`a`](../shadersort/shown.py) [b](errata.md#c) [d](#e) [f](https://g.h) [i](../shaders)"
    plain = "`a` [b](errata.md#c) [d](#e) [f](https://g.h) i"
    assert linked(text, "docs/x.md", {"docs/errata.md"}, "") == plain
    there = linked(text, "docs/x.md", {"docs/errata.md"}, "someone/shadersort")
    address = "https://github.com/someone/shadersort/blob/main/shadersort/shown.py"
    assert there.startswith(f"[`a`]({address}) [b](errata.md#c)")


def test_examples() -> None:
    for module in (links, lessons):
        found = doctest.testmod(module)
        assert found.attempted
        assert not found.failed


def test_a_figure_opens_alone() -> None:
    text = "[![Figure 1](figures/a.svg)](figures/a.svg)"
    linked_text = linked(text, "docs/x.md", {"docs/figures/a.svg"})
    assert linked_text == '<a href="../_images/a.svg">![Figure 1](figures/a.svg)</a>'


def test_staging_leaves_what_has_not_changed(tmp_path: Path) -> None:
    stage(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")}
    assert tmp_path / "index.md" in before
    assert tmp_path / "docs" / "errata.md" in before
    (tmp_path / "old.md").write_text("# Old")
    stage(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.*")} == before


def test_notebooks_for_elsewhere_install_the_package_first(tmp_path: Path) -> None:
    write(tmp_path, "someone/shadersort")
    made = [*tmp_path.rglob("*.ipynb")]
    assert len(made) == len([*(ROOT / "notebooks").glob("*.ipynb")])
    for path in made:
        first = json.loads(path.read_text(encoding="utf-8"))["cells"][0]
        assert first["cell_type"] == "code"
        assert "%pip install" in first["source"]
        assert "git+https://github.com/someone/shadersort" in first["source"]
    assert "shadersort[notebooks]" in (tmp_path / "requirements.txt").read_text()


def test_the_installing_cell_is_code() -> None:
    source = elsewhere(lesson(), "someone/shadersort")["cells"][0]["source"]
    compile(re.sub(r"%pip .*", "pass", source), "cell", "exec")


def workflow(name: str) -> dict[Any, Any]:
    text = (WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8")
    loaded: dict[Any, Any] = yaml.safe_load(text)
    return loaded


def test_the_tests_run_on_every_python() -> None:
    job = workflow("test")["jobs"]["test"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    marks = [each.rpartition(" ")[2] for each in project["classifiers"] if "Python :: 3." in each]
    assert job["strategy"]["matrix"]["python-version"] == marks
    assert any(step.get("run", "").startswith("make test") for step in job["steps"])


def test_workflows_may_do_no_more_than_they_need() -> None:
    for name in ("test", "pages"):
        assert workflow(name)["permissions"] == {"contents": "read"}
    jobs = workflow("pages")["jobs"]
    assert "permissions" not in jobs["build"]
    assert jobs["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert jobs["lessons"]["permissions"] == {"contents": "write"}


def test_what_is_published_is_what_make_site_writes() -> None:
    steps = workflow("pages")["jobs"]["build"]["steps"]
    assert any(step.get("run", "").startswith("make site") for step in steps)
    assert any(step.get("with", {}).get("path") == "build/site" for step in steps)
