"""The numbers in lessons are computed from records, and their tables are those of the sources."""

import math
import re
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from scripts.lessons.source import (
    FOLDER,
    NUMBER,
    BadSource,
    Lesson,
    lessons,
    notebook,
    numbers,
    read,
)
from scripts.lessons.teaching import documents, slides
from shadersort.drawing.cost.profiles import memory_bandwidth
from shadersort.lessons import record
from shadersort.lessons.hundred.times import recorded_times
from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.reproduced import PRINTED, lines, table_again, then_and_now
from shadersort.lessons.shared.selecting import reads_of
from shadersort.lessons.shared.speedups import split


def test_every_number_is_used_and_every_name_is_a_number() -> None:
    for lesson in lessons():
        assert set(NUMBER.findall(lesson.text)) == set(numbers(lesson)), lesson.name
        cells = notebook(lesson, "student").cells
        assert not any(NUMBER.search(cell.source) for cell in cells)
    with pytest.raises(BadSource, match="no number is called 'speed'"):
        notebook(Lesson("06-ladder", "# %% [markdown]\n# It takes {{speed}} ms.\n"), "student")


def test_no_number_of_a_record_is_typed() -> None:
    """Numbers of three digits or more; shorter ones may be there for another reason."""
    for lesson in lessons()[1:]:
        for name, value in numbers(lesson).items():
            if len(re.findall(r"\d", value)) >= 3:
                typed = re.search(rf"(?<![\d.,]){re.escape(value)}(?![\d,]|\.\d)", lesson.text)
                assert not typed, f"{lesson.name}: write {{{{{name}}}}} in place of {value}"


def test_records_agree_with_the_words_of_lessons() -> None:
    """Comparisons that the text of lessons 7 to 14 states without a number."""
    modern, steps = record("modern-nvidia-h200"), record("steps-nvidia-h200")

    def fastest(distribution: str, *methods: str) -> str:
        return min(methods, key=lambda method: reads_of(modern, method, distribution))

    iterative = ("golden", "brent-min", "bisection", "brent-root", "cutting-plane")
    assert max(reads_of(modern, each) for each in iterative) < reads_of(modern, "sort")
    assert fastest("uniform", *iterative) == "cutting-plane"
    data = ("uniform", "normal", "sorted", "ones", "ones-and-twos", "bucket-killer")
    bins = {each: fastest(each, "radix", "bucket", "randomized") for each in data}
    assert bins == {each: "radix" if each == "ones" else "randomized" for each in data}
    few, many = (
        record("one-read-nvidia-h200").where(n=n, dtype="float32", what="select n/2")
        for n in (1 << 20, 1 << 28)
    )
    reads = {row["data"]: row["reads"] for row in many}
    assert all(reads[each] < reads_of(modern, "randomized", each) for each in data)
    assert 4e3 * (1 << 20) / memory_bandwidth("H200").value < few[0]["ms"] / 2
    then, now = recorded_times(record("reproduce-nvidia-h200"))
    gains = [each["sort-choose", 101] / each["bucket-multi", 101] for each in (then, now)]
    assert gains[0] < gains[1]
    again = record("reproduce-nvidia-h200")
    ways = ("sort-choose", "cutting-plane")
    sort, cuts = (then_and_now(again, "beliakov-2011-1", each, part="total") for each in ways)
    for at in (1, 2):  # in the paper, and now
        assert sort[0][at] < cuts[0][at]
        assert sort[-1][at] > 1.5 * cuts[-1][at]
    drawn = {row["step"]: row["ms"] for row in steps.where(by="GLSL", keys=1 << 26)}
    assert drawn["nearest"] < drawn["counts"] < drawn["histogram"]


# papers' tables beside what was measured; a speed-up as a product

CARD = "Tesla C2050 (Beliakov 2011)"


def row(method: str, n: int, paper: float, measured: float | None, **more: Any) -> dict[str, Any]:
    of = {"method": method, "part": "total", "n": n}
    return {"table": "t", "of": of, "paper": paper, "measured": measured, "n": n, **more}


def a_record(*rows: dict[str, Any]) -> Record:
    return Record("reproduce-x", "NVIDIA H200", "2026-11-22", "…", rows)


OLD = a_record(row("radix", 8, 4.0, 2.0), row("radix", 16, 10.0, 2.5), row("radix", 32, 20.0, None))
NEW = a_record(
    row("radix", 8, 4.0, 3.0, variant="as printed", label="radix, as printed"),
    row("radix", 8, 4.0, 2.0, variant="improved", label="radix, improved"),
    row("radix", 16, 10.0, 5.0, variant="as printed", label="radix, as printed"),
    row("radix", 16, 10.0, 2.5, variant="improved", label="radix, improved"),
)


@pytest.mark.parametrize("again", [OLD, NEW])
def test_rows_without_a_variant_are_improved(again: Record) -> None:
    assert then_and_now(again, "t", "radix", part="total") == [(8, 4.0, 2.0), (16, 10.0, 2.5)]
    assert not lines(again, "t", method="radix", part="copy")
    assert not lines(again, "u")


def test_a_variant_is_never_mixed_with_another() -> None:
    assert then_and_now(NEW, "t", "radix", variant=PRINTED) == [(8, 4.0, 3.0), (16, 10.0, 5.0)]
    assert not then_and_now(OLD, "t", "radix", variant=PRINTED)


def test_every_column_of_a_record_is_shown() -> None:
    assert table_again(OLD, "t", "then").head == ("method", "2³", "2⁴", "2⁵")
    assert table_again(OLD, "t", "then").rows == (
        ("radix, improved", "4.0 → 2.0", "10 → 2.5", "20 → –"),
    )
    assert table_again(NEW, "t", "then").rows == (
        ("radix, as printed", "4.0 → 3.0", "10 → 5.0"),
        ("radix, improved", "4.0 → 2.0", "10 → 2.5"),
    )


def test_times_of_wrong_answers_are_marked() -> None:
    wrong = row("radix", 8, 4.0, 3.0, variant=PRINTED, why="2 of 9 answers: AnswerRefuted")
    shown = table_again(a_record(wrong), "t", "then")
    assert shown.rows == (("radix, as printed", "4.0 → 3.0*"),)
    assert shown.caption.endswith("(*: some of the answers are wrong)")


def test_the_factors_of_a_speed_up_have_the_product_that_was_measured() -> None:
    of_new, of_old = (split(10.0, each, 2.5, then=CARD, now="NVIDIA H200") for each in (5.0, None))
    assert (of_new.total, of_new.algorithm) == (4.0, 2.0)
    assert of_new.bandwidth == of_old.bandwidth == pytest.approx(4800 / 144)
    assert of_new.bandwidth * 2.0 * of_new.rest == pytest.approx(4.0)
    assert of_old.algorithm is None
    assert of_old.bandwidth * of_old.rest == pytest.approx(4.0)


# the course

EVERY = {each.module: each for each in lessons()[1:]}
PAGE = (FOLDER.parent / "docs" / "teachers.md").read_text(encoding="utf-8")


def test_the_course_knows_every_lesson_and_exercise() -> None:
    assert [*read("course")["lessons"]] == [*read("questions")] == [*EVERY]
    for number, (module, lesson) in enumerate(EVERY.items()):
        exercises = import_module(f"shadersort.lessons.{module}.exercises").EXERCISES
        assert lesson.about["points"].keys() == {each.name for each in exercises}
        assert 2 <= len(lesson.about["objectives"]) <= 4
        assert {*lesson.about["needs"]} <= {*[*EVERY][:number]}
        named = {*lesson.about.get("pauses", ()), *lesson.about.get("more", ())}
        assert named <= lesson.sections.keys()
        assert max(lesson.parts.values()) <= 60, f"{lesson.name} needs a pause more in course.toml"


def test_minutes_follow_from_words_lines_cells_and_exercises() -> None:
    text = (
        f"# 2 · A\n\n**The idea.** B.\n\n{'word ' * 600}\n\n## C\n\n```python\nx = 1\ny = 2\n```\n"
    )
    text += "\n```python\n# solution\nz = 3\n# end\nlesson.sorts.check(sorts)\n```\n"
    found = Lesson("02-networks", text).sections
    assert found["C"] == pytest.approx((3 / 12 + 2 * 0.5, 5))
    assert found[""] == pytest.approx((605 / 120, 0))
    assert Lesson("02-networks", text).parts == {"": 15}


def test_a_class_of_ninety_minutes_leaves_time_for_questions() -> None:
    taken = read("course")["class"]
    minutes = (
        EVERY[each["lesson"]].sections[name][0] for each in taken for name in each["sections"]
    )
    assert sum(minutes) <= 80


def test_what_teachers_get_is_current() -> None:
    for path, text in documents("student").items():
        assert path.read_text(encoding="utf-8") == text, "run 'make lessons'"


@pytest.mark.parametrize("module", EVERY)
def test_questions_have_answers_whose_numbers_are_right(module: str) -> None:
    names = {"np": np, "math": math, "ss": ss}
    for kind in ("class", "exam"):
        asked = read("questions")[module][kind]
        assert len(asked) == 5
        for each in asked:
            assert each["text"].strip()
            assert each["answer"].strip()
            assert eval(each.get("proof", "True"), names), each


def test_slides_have_every_picture_and_question() -> None:
    page = slides(EVERY["networks"])
    assert page.count("<img ") == 8
    for each in read("questions")["networks"]["class"]:
        assert each["answer"].split()[0] in page
    assert not re.search(r"(src|href)=.(?!data:)", page)


def test_the_capstone_shows_the_rubric_of_the_page() -> None:
    rubric = re.search(r"^\| criterion .*\n(\|.*\n)+", PAGE, re.MULTILINE)
    assert rubric
    (capstone,) = (each for each in lessons()[1:] if each.module == "capstone")
    assert rubric[0] in capstone.text
