"""The page for teachers says of each lesson what its source says."""

import re
from importlib import import_module

from scripts.lessons.source import FOLDER, Lesson, lessons

PAGE = (FOLDER.parent / "docs" / "teachers.md").read_text(encoding="utf-8")


def exercises(lesson: Lesson) -> int:
    return len(import_module(f"shadersort.lessons.{lesson.module}.exercises").EXERCISES)


def test_the_table_has_the_minutes_and_exercises_of_every_lesson() -> None:
    every = lessons()[1:]
    rows = [
        f"| [{each.head['title']}](../notebooks/{each.name}.ipynb) | {each.head['minutes']} "
        f"| {exercises(each)} |"
        for each in every
    ]
    minutes = sum(int(each.head["minutes"]) for each in every)
    for row in [*rows, f"| all | {minutes} | {sum(map(exercises, every))} |"]:
        assert row in PAGE


def test_courses_last_as_long_as_their_lessons() -> None:
    minutes = {int(each.name[:2]): int(each.head["minutes"]) for each in lessons()[1:]}
    courses = re.findall(r"^\| [A-Z][^|]* \| ([\d, ]+) \| (\d+) \|", PAGE, re.MULTILINE)
    assert len(courses) >= 5
    for numbers, told in courses:
        assert sum(minutes[int(each)] for each in numbers.split(",")) == int(told)


def test_the_capstone_shows_the_rubric_of_the_page() -> None:
    rubric = re.search(r"^\| criterion .*\n(\|.*\n)+", PAGE, re.MULTILINE)
    assert rubric
    (capstone,) = (each for each in lessons()[1:] if each.module == "capstone")
    assert rubric[0] in capstone.text
