"""The page for teachers: its tables come from the sources, and its courses have lessons."""

import pytest

from scripts.lessons import teaching
from scripts.lessons.source import Lesson, lessons
from scripts.lessons.teaching import COURSES, PAGE, SECTION, SECTIONS, earlier, written

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_tables_are_computed_from_the_sources() -> None:
    assert [found[2] for found in SECTION.finditer(TEXT)] == list(SECTIONS)
    assert written(TEXT) == TEXT, "run 'make lessons'"


def test_other_sources_make_other_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    def longer() -> list[Lesson]:
        return [
            Lesson(each.name, each.text.replace("**Time.** ", "**Time.** 1")) for each in lessons()
        ]

    before = {name: list(rows()) for name, rows in SECTIONS.items()}
    monkeypatch.setattr(teaching, "lessons", longer)
    for name, rows in SECTIONS.items():
        assert list(rows()) != before[name]


def test_every_lesson_is_in_the_table_and_every_course_has_lessons() -> None:
    rows = list(SECTIONS["lessons"]())
    assert len(rows) == 2 + len(lessons()[1:]) + 1
    for lesson in lessons()[1:]:
        assert sum(f"({'../notebooks/'}{lesson.name}.ipynb)" in row for row in rows) == 1
    modules = {lesson.module for lesson in lessons()[1:]}
    for course in COURSES.values():
        assert set(course) <= modules


def test_a_lesson_is_named_in_words_by_a_link_or_as_one_of_two() -> None:
    text = "Lesson 2, lessons 4 to 6 and [this](03-x.ipynb); lesson 9 and [that](08-y.ipynb)."
    assert earlier(Lesson("08-x", text)) == {2, 3, 4, 6}
