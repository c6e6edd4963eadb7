"""What teachers get of the course's data: tables and a graph, questions with answers, slides."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from markdown_it import MarkdownIt

from scripts.lessons.source import FOLDER, ROOT, Lesson, Variant, lessons, read, rendered

TABLE = re.compile(r"(<!-- course: (\w+) -->\n).*?(?=<!-- end -->)", re.DOTALL)
"""A table of a document, which the template of this name writes."""
MINUTES = re.compile(r"A lesson takes \d+ to \d+ minutes")
GUESS = re.compile(
    r"^(\*\*Guess.*?)(?:<details><summary>Look</summary>(.*?)</details>|\Z)",
    re.MULTILINE | re.DOTALL,
)
REMEMBER = re.compile(r"^## What to remember\n((?:.*\n)*\|.*\n)", re.MULTILINE)


def documents(variant: Variant) -> dict[Path, str]:
    """Return what goes with the notebooks: documents from the course's data, or the questions."""
    if variant == "solution":
        page = FOLDER / "solutions" / "questions.md"
        return {page: rendered("questions.md", questions=read("questions"))}
    page, readme = ROOT / "docs" / "teachers.md", ROOT / "README.md"
    text, first = (each.read_text(encoding="utf-8") for each in (page, readme))
    filled = TABLE.sub(lambda found: found[1] + rendered(f"{found[2]}.md"), text)
    minutes = [each.minutes for each in lessons()[1:]]
    first = MINUTES.sub(f"A lesson takes {min(minutes)} to {max(minutes)} minutes", first)
    graph = rendered("graph.svg", places=_places())
    return {page: filled, readme: first, page.with_name("lessons.svg"): graph}


def _places() -> dict[str, tuple[int, int]]:
    """Return the column and the row of each lesson in the graph: right of what it needs."""
    found: dict[str, tuple[int, int]] = {}
    for lesson in lessons()[1:]:
        needs = [found[each] for each in lesson.about["needs"]]
        columns = [column for column, _ in needs] or [-1]
        row = max((row for _, row in needs or found.values()), default=-1) + (not needs)
        between = range(min(columns) + 1, max(columns) + 2)  # a line runs through these
        while any((column, row) in found.values() for column in between):
            row += 1
        found[lesson.module] = between[-1], row
    return found


def slides(lesson: Lesson) -> str:
    """Return a lesson's slides: one page of HTML that needs no other file."""
    notebook = nbformat.read(lesson.path("student"), as_version=4)  # type: ignore[no-untyped-call]
    html = MarkdownIt("commonmark").enable("table").render
    asked = read("questions")[lesson.module]["class"]
    shown = [*_slides(notebook.cells), *({"heading": "A question"} | each for each in asked)]
    return rendered("slides.html", lesson=lesson, slides=shown, html=html)


def _slides(cells: list[Any]) -> Iterator[dict[str, str]]:
    """Yield pictures, guesses with their answers, and what to remember, with their headings."""
    heading = ""
    for cell in cells:
        if cell.cell_type == "markdown":
            heading = [heading, *re.findall(r"^## (.+)$", cell.source, re.MULTILINE)][-1]
            for guess, answer in GUESS.findall(cell.source):
                yield {"heading": heading, "text": guess, "answer": answer}
            for text in REMEMBER.findall(cell.source + "\n"):
                yield {"heading": heading, "text": text}
        for output in cell.get("outputs", []):
            if picture := output.get("data", {}).get("image/png"):
                caption = output.metadata["image/png"]["alt"]
                yield {"heading": heading, "text": caption, "picture": picture}
