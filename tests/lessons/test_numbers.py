"""The numbers in the text of lessons are computed, and none of them is typed."""

import re

import pytest

from scripts.lessons.source import NUMBER, BadSource, Lesson, lessons, notebook, numbers
from shadersort.drawing.cost.profiles import memory_bandwidth
from shadersort.lessons import record
from shadersort.lessons.hundred.times import recorded_times
from shadersort.lessons.shared.reproduced import then_and_now
from shadersort.lessons.shared.selecting import reads_of


def texts_of(lesson: Lesson) -> list[str]:
    return [cell.source for cell in notebook(lesson, "student").cells]


def test_every_number_is_used_and_every_name_is_a_number() -> None:
    for lesson in lessons():
        assert set(NUMBER.findall(lesson.text)) == set(numbers(lesson)), lesson.name
        assert not any(NUMBER.search(text) for text in texts_of(lesson))
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
        assert 2.5 < sort[-1][at] / cuts[-1][at] < 4.5
    drawn = {row["step"]: row["ms"] for row in steps.where(by="GLSL", keys=1 << 26)}
    assert drawn["nearest"] < drawn["counts"] < drawn["histogram"]
