"""The source of a lesson: Markdown with blocks of Python, from which both notebooks are made.

The format is jupytext's "md": each block of Python becomes a cell. Lines between `# solution` and
`# end`, in GLSL between `// solution` and `// end`, are the solution of an exercise; the student's
notebook has dots instead. Text tagged "solution" is in the solved notebook only. `{{name}}` in a
text becomes a number that the module `numbers` computes from records. `notebooks/README.md` says
how a source is written.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import jupytext
import nbformat

from scripts.lessons import numbers as computed

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
INDEX = "index"
"""The notebook with the table of all lessons."""

FORMAT = 2
"""Raise this number when this module makes other notebooks: then all are built again."""

Variant = Literal["student", "solution"]

BLANK = "...  # your code here"
NUMBER = re.compile(r"\{\{(\w+)\}\}")
"""The name of a number of a lesson, which its value replaces."""
BESIDE = re.compile(r"\]\((?=\.\./|[\w-]+\.ipynb)")
"""The beginning of a link to another lesson or to another folder."""
SOLUTION = re.compile(r"^( *)(#|//) solution\n(.*?)^\1\2 end\n?", re.MULTILINE | re.DOTALL)
HEAD = re.compile(
    r"^# (?P<title>\d+ · .+)\n\n\*\*The idea\.\*\* (?P<idea>(?:.+\n)+?)\n"
    r"\*\*Time\.\*\* (?P<minutes>\d+) minutes\.",
    re.MULTILINE,
)
CHECK = re.compile(r"^lesson\.(\w+)\.check\(\1\)$", re.MULTILINE)
"""A cell that checks the answer of an exercise, which has the exercise's name."""
RECORD = re.compile(r"\brecord\(\s*[\"']([\w.-]+)[\"']")


class BadSource(Exception):
    """A source does not have the form of a lesson."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One source: a lesson, or the index of all.

    Attributes
    ----------
    name
        The name of its file, and of its notebooks: "01-drawing".
    text
        The text of the source.
    """

    name: str
    text: str

    @property
    def module(self) -> str:
        """The name of its package in `shadersort.lessons`: "drawing" for "01-drawing"."""
        return self.name.split("-", 1)[1].replace("-", "_")

    def path(self, variant: Variant) -> Path:
        """Return the path of a notebook."""
        return FOLDER / ("solutions" if variant == "solution" else "") / f"{self.name}.ipynb"

    @property
    def head(self) -> dict[str, str]:
        """The title, idea and minutes of the first cell."""
        found = HEAD.search(self.text)
        if not found:
            raise BadSource(
                f"{self.name}: the first cell says '# N · title', '**The idea.** …' and "
                "'**Time.** N minutes.', each followed by an empty line"
            )
        return {name: " ".join(value.split()) for name, value in found.groupdict().items()}

    def digest(self, variant: Variant) -> str:
        """Return the hash of what a notebook is made from: its text, package and records."""
        around = table() if self.name == INDEX else way(self)
        parts = [str(FORMAT), variant, around, self.text, repr(numbers(self))]
        if self.name != INDEX:
            package = ROOT / "shadersort" / "lessons" / self.module
            parts += (path.read_text("utf-8") for path in sorted(package.glob("*.py")))
            for name in sorted(set(RECORD.findall("".join(parts)))):
                parts.append((ROOT / "bench" / "records" / f"{name}.json").read_text("utf-8"))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def lessons() -> list[Lesson]:
    """Return every lesson in order, the index first."""
    paths = sorted((FOLDER / "sources").glob("[0-9]*.md"))
    paths.insert(0, FOLDER / "sources" / f"{INDEX}.md")
    return [Lesson(path.stem, path.read_text(encoding="utf-8")) for path in paths]


def table() -> str:
    """Return the table of the lessons, in Markdown."""
    rows = ["| lesson | the idea | minutes |", "|---|---|--:|"]
    for lesson in lessons()[1:]:
        title, idea, minutes = lesson.head.values()
        rows.append(f"| [{title}]({lesson.name}.ipynb) | {idea} | {minutes} |")
    return "\n".join(rows)


def way(lesson: Lesson) -> str:
    """Return links to the previous and the next lesson and to the index, in Markdown."""
    every = lessons()[1:]
    at = [each.name for each in every].index(lesson.name)
    links = [f"[all lessons]({INDEX}.ipynb)"]
    if at > 0:
        links.insert(0, f"← [{every[at - 1].head['title']}]({every[at - 1].name}.ipynb)")
    if at + 1 < len(every):
        links.append(f"[{every[at + 1].head['title']}]({every[at + 1].name}.ipynb) →")
    return "---\n" + " | ".join(links)


def notebook(lesson: Lesson, variant: Variant) -> Any:
    """Return the notebook of a lesson before it is run. Equal lessons give equal notebooks."""
    made: Any = jupytext.reads(lesson.text, fmt="md")
    cells = [
        cell
        for cell in made.cells
        if variant == "solution" or "solution" not in cell.metadata.get("tags", [])
    ]
    if lesson.name != INDEX:
        cells.append(nbformat.v4.new_markdown_cell(way(lesson)))  # type: ignore[no-untyped-call]
    for cell in cells:
        if cell.cell_type == "code":
            cell.source = _written(lesson, cell.source, variant == "solution")
            cell.metadata.pop("tags", None)
        else:
            cell.source = NUMBER.sub(lambda found: _number(lesson, found[1]), cell.source)
            if variant == "solution":  # it stands one folder deeper
                cell.source = BESIDE.sub("](../", cell.source)
    for cell, name in zip(cells, _names(cells), strict=True):
        cell.id = name
    made.cells = cells
    made.nbformat, made.nbformat_minor = 4, 5
    made.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "shadersort": {"source": f"{lesson.name}.md", "digest": lesson.digest(variant)},
    }
    return made


@cache
def numbers(lesson: Lesson) -> dict[str, str]:
    """Return the numbers of a lesson's text by name; for the index, the table of lessons."""
    if lesson.name == INDEX:
        return {"lessons": table()}
    found: dict[str, str] = getattr(computed, lesson.module, dict)()
    return found


def _number(lesson: Lesson, name: str) -> str:
    known = numbers(lesson)
    if name not in known:
        raise BadSource(f"{lesson.name}: no number is called {name!r}: use {', '.join(known)}")
    return known[name]


def _written(lesson: Lesson, code: str, solved: bool) -> str:
    """Return a cell's code with its solution, or with dots instead."""

    def replaced(found: re.Match[str]) -> str:
        return found[3] if solved else f"{found[1]}{BLANK.replace('#', found[2])}\n"

    written = SOLUTION.sub(replaced, code + "\n").rstrip("\n")
    if re.search(r"^ *(#|//) (solution|end)$", written, re.MULTILINE):
        raise BadSource(f"{lesson.name}: '# solution' and '# end' stand at one depth, in pairs")
    return written


def _names(cells: list[Any]) -> Iterator[str]:
    """Yield names of cells by their text, so that a cell keeps its name when others change."""
    seen: dict[str, int] = {}
    for cell in cells:
        name = hashlib.sha256(cell.source.encode()).hexdigest()[:8]
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name}-{seen[name]}"
