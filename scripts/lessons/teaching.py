"""The tables of `docs/teachers.md`, computed from the sources of the lessons.

`python -m scripts.lessons build` writes them anew.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType

from scripts.lessons.source import ROOT, Lesson, lessons

PAGE = ROOT / "docs" / "teachers.md"
SECTION = re.compile(r"(<!-- (\w+): computed -->\n).*?(<!-- end -->)", re.DOTALL)
NAMED = re.compile(r"\b[Ll]essons? (\d+)(?: (?:to|and) (\d+))?|\]\((\d\d)-")
"""Where a text names a lesson, or two."""

COURSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Sorting by drawing": ("drawing", "networks", "by_drawing", "four_sorts"),
        "Then and now": ("drawing", "networks", "by_drawing", "cost", "ladder"),
        "Streams": ("quantiles", "frequent", "sliding"),
        "Selection": ("median", "buckets", "adversary", "hundred"),
        "What selection is for": ("median", "buckets", "line", "sparse"),
    }
)
"""Shorter courses, by the modules of their lessons."""


def number(lesson: Lesson) -> int:
    """Return the number of a lesson."""
    return int(lesson.name[:2])


def earlier(lesson: Lesson) -> set[int]:
    """Return the numbers of the earlier lessons that a lesson names.

    Examples
    --------
    >>> earlier(Lesson("05-cost", "Lesson 3 ends so; [lesson 6](06-ladder.ipynb) goes on."))
    {3}
    """
    found = (each for names in NAMED.findall(lesson.text) for each in names if each)
    return {int(each) for each in found if int(each) < number(lesson)}


def exercises(lesson: Lesson) -> int:
    """Return how many exercises a lesson has."""
    return len(import_module(f"shadersort.lessons.{lesson.module}.exercises").EXERCISES)


def _told(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers))) or "none"


def _lessons() -> Iterator[str]:
    """Yield the table of all lessons."""
    every = lessons()[1:]
    yield "| lesson | minutes | exercises | comes back to lessons | lessons that come back to it |"
    yield "|---|--:|--:|---|---|"
    for lesson in every:
        later = {number(each) for each in every if number(lesson) in earlier(each)}
        link = f"[{lesson.head['title']}](../notebooks/{lesson.name}.ipynb)"
        cells = (link, lesson.head["minutes"], exercises(lesson), _told(earlier(lesson)))
        yield f"| {' | '.join(map(str, cells))} | {_told(later)} |"
    yield f"| all | {_minutes(every)} | {sum(map(exercises, every))} | | |"


def _courses() -> Iterator[str]:
    """Yield the table of shorter courses."""
    by_module = {lesson.module: lesson for lesson in lessons()[1:]}
    yield "| course | lessons | minutes | comes back to other lessons |"
    yield "|---|---|--:|---|"
    for name, modules in COURSES.items():
        chosen = [by_module[module] for module in modules]
        own = {number(lesson) for lesson in chosen}
        others = set().union(*map(earlier, chosen)) - own
        yield f"| {name} | {_told(own)} | {_minutes(chosen)} | {_told(others)} |"


def _minutes(some: list[Lesson]) -> int:
    return sum(int(lesson.head["minutes"]) for lesson in some)


SECTIONS: Mapping[str, Callable[[], Iterator[str]]] = MappingProxyType(
    {"lessons": _lessons, "courses": _courses}
)


def written(text: str) -> str:
    """Return the text of the page with its tables computed anew."""
    return SECTION.sub(
        lambda found: f"{found[1]}{chr(10).join(SECTIONS[found[2]]())}\n{found[3]}", text
    )


def refresh() -> None:
    """Write the tables of the page anew."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
