"""The numbers in the text of lessons are computed, and none of them is typed."""

import re

import pytest

from scripts.lessons.source import NUMBER, BadSource, Lesson, lessons, notebook, numbers


def texts_of(lesson: Lesson) -> list[str]:
    return [cell.source for cell in notebook(lesson, "student").cells]


def test_every_number_is_used_and_every_name_is_a_number() -> None:
    for lesson in lessons():
        assert set(NUMBER.findall(lesson.text)) == set(numbers(lesson)), lesson.name
        assert not any(NUMBER.search(text) for text in texts_of(lesson))
    with pytest.raises(BadSource, match="no number is called 'speed'"):
        notebook(Lesson("06-ladder", "# %% [markdown]\n# It takes {{speed}} ms.\n"), "student")


def test_numbers_are_written_where_their_names_are() -> None:
    for lesson in lessons()[1:]:
        written = " ".join(texts_of(lesson))
        for name, value in numbers(lesson).items():
            assert value in written, f"{lesson.name}: {name}"
    assert re.search(r"It takes\s+1\.29\s+seconds", " ".join(texts_of(lessons()[6])))


def test_no_number_of_a_record_is_typed() -> None:
    """Numbers of three digits or more; shorter ones may be there for another reason."""
    for lesson in lessons()[1:]:
        for name, value in numbers(lesson).items():
            if len(re.findall(r"\d", value)) >= 3:
                typed = re.search(rf"(?<![\d.,]){re.escape(value)}(?![\d,]|\.\d)", lesson.text)
                assert not typed, f"{lesson.name}: write {{{{{name}}}}} in place of {value}"
