"""Sliders still move when all cells have run: their frames use nothing that later cells change."""

from typing import Any

import pytest

from scripts.lessons.source import Lesson, lessons, notebook
from shadersort.lessons import Frames

WITH_SLIDERS = [lesson for lesson in lessons() if "Frames(" in lesson.text]


@pytest.mark.parametrize("lesson", WITH_SLIDERS, ids=lambda lesson: lesson.name)
def test_sliders_move_after_the_last_cell(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Frames] = []
    begin = Frames.__init__

    def remember(self: Frames, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        shown.append(self)

    monkeypatch.setattr(Frames, "__init__", remember)
    cells = notebook(lesson, "student").cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    exec(compile(code, lesson.name, "exec"), {})
    assert shown
    for frames in shown:
        for number in (0, frames.count - 1):
            assert frames.draw(number).get_axes()
