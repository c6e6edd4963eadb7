"""The source of a lesson: Markdown with blocks of Python, from which both notebooks are made.

The format is jupytext's "md": each block of Python becomes a cell. Lines between `# solution` and
`# end`, in GLSL between `// solution` and `// end`, are the solution of an exercise; the student's
notebook has dots instead. Text tagged "solution" is in the solved notebook only. `{{name}}` in a
text becomes a number that the module `numbers` computes from records. What a lesson teaches and
needs, and its pauses, come from `course.toml`. `notebooks/README.md` says how a source is written.

A lesson's minutes follow from its text. A student reads 120 words or 12 lines of code in a minute,
takes half a minute for what a cell shows, and 5, 10 or 20 minutes for an exercise of 1, 2 or 3
points.
"""

import hashlib
import math
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import jupytext
import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from scripts.lessons import numbers as computed

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
INDEX = "index"
"""The notebook with the table of all lessons."""

FORMAT = 3
"""Raise this number when this module makes other notebooks: then all are built again."""

WORDS, LINES, CELL, EXERCISE = 120, 12, 0.5, {1: 5, 2: 10, 3: 20}
FILES = FileSystemLoader(Path(__file__).parent / "templates")
TEMPLATES = Environment(loader=FILES, undefined=StrictUndefined, trim_blocks=True)
TEMPLATES.filters["at"] = lambda name, table: table[name]

Variant = Literal["student", "solution"]

BLANK = "...  # your code here"
NUMBER = re.compile(r"\{\{(\w+)\}\}")
"""The name of a number of a lesson, which its value replaces."""
BESIDE = re.compile(r"\]\((?=\.\./|[\w-]+\.ipynb)")
"""The beginning of a link to another lesson or to another folder."""
SOLUTION = re.compile(r"^( *)(#|//) solution\n(.*?)^\1\2 end\n?", re.MULTILINE | re.DOTALL)
HEAD = re.compile(
    r"^# (?P<title>\d+ · .+)\n\n\*\*The idea\.\*\* (?P<idea>(?:.+\n)+?)\n", re.MULTILINE
)
CHECK = re.compile(r"^lesson\.(\w+)\.check\(\1\)$", re.MULTILINE)
"""A cell that checks the answer of an exercise, which has the exercise's name."""
SECTION = re.compile(r"^## (.+)\n", re.MULTILINE)
BLOCK = re.compile(r"^```(\w*).*\n((?:.*\n)*?)```$", re.MULTILINE)
HIDDEN = re.compile(
    r'^(?:<!-- #region|```python) tags=\["solution"\].*\n(?:.*\n)*?(?:<!-- #end.*|```)$',
    re.MULTILINE,
)
"""What only the solved notebook has."""
RECORD = re.compile(r"\brecord\(\s*[\"']([\w.-]+)[\"']")


class BadSource(Exception):
    """A source does not have the form of a lesson."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One source: a lesson, or the index of all."""

    name: str  # of its file, and of its notebooks: "01-drawing"
    text: str  # of the source

    @property
    def module(self) -> str:
        """The name of its package in `shadersort.lessons`: "drawing" for "01-drawing"."""
        return self.name.split("-", 1)[1].replace("-", "_")

    def path(self, variant: Variant) -> Path:
        """Return the path of a notebook."""
        return FOLDER / ("solutions" if variant == "solution" else "") / f"{self.name}.ipynb"

    @property
    def head(self) -> dict[str, str]:
        """The title and the idea of the first cell."""
        found = HEAD.search(self.text)
        if not found:
            raise BadSource(
                f"{self.name}: the first cell says '# N · title' and '**The idea.** …', each "
                "followed by an empty line"
            )
        return {name: " ".join(value.split()) for name, value in found.groupdict().items()}

    @property
    def about(self) -> dict[str, Any]:
        """What the course says of this lesson."""
        about: dict[str, Any] = read("course")["lessons"].get(self.module, {})
        return about

    @property
    def sections(self) -> dict[str, tuple[float, float]]:
        """The minutes of each section: to read and run, and for exercises. The first is ''."""
        pieces = ["", *SECTION.split(HIDDEN.sub("", SOLUTION.sub("", self.text)))]
        return {
            title: self._minutes(text, self.about.get("more", {}).get(title, 0))
            for title, text in zip(pieces[::2], pieces[1::2], strict=True)
        }

    def _minutes(self, text: str, more: float) -> tuple[float, float]:
        blocks = BLOCK.findall(text)
        words = len(re.findall(r"\b\w\S*", BLOCK.sub("", text)))
        lines = sum(bool(line.strip()) for _, code in blocks for line in code.splitlines())
        cells = sum(language == "python" for language, _ in blocks)
        points = self.about.get("points", {})
        exercises = sum(EXERCISE[points.get(each, 1)] for each in CHECK.findall(text))
        return words / WORDS + lines / LINES + cells * CELL, more + exercises

    @property
    def parts(self) -> dict[str, int]:
        """The minutes of each part by the section with which it begins, rounded up to five."""
        found, at = {"": 0.0}, ""
        for title, minutes in self.sections.items():
            at = title if title in self.about.get("pauses", ()) else at
            found[at] = found.get(at, 0) + sum(minutes)
        return {title: 5 * math.ceil(minutes / 5) for title, minutes in found.items()}

    @property
    def minutes(self) -> int:
        """The minutes of the whole lesson."""
        return sum(self.parts.values())

    @property
    def whole(self) -> str:
        """The source, and what the course adds to it: the rest of the head, and the pauses."""
        head = HEAD.search(self.text)
        if not head:
            return self.text
        end = head.end()
        text = self.text[:end] + rendered("head.md", lesson=self) + self.text[end:]
        for title in [*self.parts][1:]:
            pause = rendered("pause.md", minutes=self.parts[title], title=title)
            text = text.replace(f"\n## {title}\n", f"\n{pause}")
        return text

    def digest(self, variant: Variant) -> str:
        """Return the hash of what a notebook is made from: its text, package and records."""
        around = rendered("table.md" if self.name == INDEX else "way.md", lesson=self)
        parts = [str(FORMAT), variant, around, self.whole, repr(numbers(self))]
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


@cache
def read(name: str) -> dict[str, Any]:
    """Return a file of data: the course, or its questions."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def rendered(template: str, **values: Any) -> str:
    """Return a template with the course and its lessons filled in."""
    every = {each.module: each for each in lessons()[1:]}
    return TEMPLATES.get_template(template).render(course=read("course"), lessons=every, **values)


def notebook(lesson: Lesson, variant: Variant, change: Callable[[str], str] = str) -> Any:
    """Return the notebook of a lesson before it is run, made from its source after a change."""
    made: Any = jupytext.reads(change(lesson.whole), fmt="md")
    cells = [
        cell
        for cell in made.cells
        if variant == "solution" or "solution" not in cell.metadata.get("tags", [])
    ]
    if lesson.name != INDEX:
        cells.append(nbformat.v4.new_markdown_cell(rendered("way.md", lesson=lesson)))  # type: ignore[no-untyped-call]
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
        return {"lessons": rendered("table.md")}
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
