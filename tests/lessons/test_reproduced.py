"""Papers' tables beside what was measured, with one variant or two; a speed-up as a product."""

from typing import Any

import pytest

from shadersort.lessons.shared.records import Record
from shadersort.lessons.shared.reproduced import PRINTED, lines, table_again, then_and_now
from shadersort.lessons.shared.speedups import split

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
