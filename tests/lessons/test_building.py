"""Notebooks are built of their sources, all of them are current, and small enough."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from scripts.lessons import numbers
from scripts.lessons.__main__ import is_current
from scripts.lessons.running import MOST_BYTES, complaints, run
from scripts.lessons.source import FOLDER, BadSource, Lesson, Variant, lessons, notebook, table

MADE = [(lesson, variant) for lesson in lessons() for variant in lesson.variants]
every_notebook = pytest.mark.parametrize(
    ("lesson", "variant"), MADE, ids=[f"{lesson.name} {variant}" for lesson, variant in MADE]
)

SOURCE = '''# 3 · A lesson

**The idea.** One,
in two lines.

**Time.** 5 minutes.

```python
def answer(x):
    """Double it."""
    # solution
    return 2 * x
    # end


print(answer(3))
answer
```

<!-- #region tags=["solution"] -->
Why it is so.
<!-- #endregion -->
'''


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def made(variant: Variant, text: str = SOURCE) -> Any:
    return notebook(Lesson("01-drawing", text), variant)


@every_notebook
def test_a_notebook_is_current(lesson: Lesson, variant: Variant) -> None:
    assert is_current(lesson, variant), "run 'make lessons'"
    committed = read(lesson.path(variant))
    fresh = notebook(lesson, variant)
    of_both = [[(cell.source, cell.id) for cell in each.cells] for each in (committed, fresh)]
    assert of_both[0] == of_both[1]


@every_notebook
def test_a_notebook_opens_with_its_pictures_and_is_small(lesson: Lesson, variant: Variant) -> None:
    path = lesson.path(variant)
    assert path.stat().st_size <= MOST_BYTES
    outputs = [output for cell in read(path).cells for output in cell.get("outputs", [])]
    types = [kind for output in outputs for kind in output.get("data", {})]
    assert "application/vnd.jupyter.widget-view+json" not in types
    if lesson.name != "index":
        assert types.count("image/png") >= 3


def test_no_notebook_is_without_a_source() -> None:
    sources = {lesson.name for lesson in lessons()}
    for path in FOLDER.rglob("*.ipynb"):
        assert path.stem in sources


def test_a_student_gets_dots_and_no_solution() -> None:
    student, solved = made("student"), made("solution")
    assert "...  # your code here" in student.cells[1].source
    assert '"""Double it."""' in student.cells[1].source
    assert "2 * x" not in student.cells[1].source
    assert "    return 2 * x\n" in solved.cells[1].source
    assert len(student.cells) == 3
    assert len(solved.cells) == 4
    for each in (student, solved):
        assert "# solution" not in each.cells[1].source
        assert "# end" not in each.cells[1].source


def test_a_lesson_ends_with_links_to_those_beside_it() -> None:
    every = lessons()[1:]
    for before, lesson, after in zip(every, every[1:], every[2:], strict=False):
        index: dict[Variant, str] = {"student": "](index.ipynb)", "solution": "](../index.ipynb)"}
        for variant, all_lessons in index.items():
            text = read(lesson.path(variant)).cells[-1].source
            assert [f"]({each.name}.ipynb)" in text for each in (before, after)] == [True, True]
            assert all_lessons in text
            assert lesson.name not in text


def test_cells_keep_their_names_where_others_come() -> None:
    more = SOURCE.replace("```python", "```python\n1 + 1\n```\n\n```python")
    names = {cell.id for cell in made("solution").cells}
    assert names < {cell.id for cell in made("solution", more).cells}


def test_a_head_is_read_and_a_bad_one_named() -> None:
    assert Lesson("03-x", SOURCE).head == {
        "title": "3 · A lesson",
        "idea": "One, in two lines.",
        "minutes": "5",
    }
    with pytest.raises(BadSource, match="03-x"):
        _ = Lesson("03-x", SOURCE.replace("Time", "Hours")).head
    with pytest.raises(BadSource, match="in pairs"):
        made("student", SOURCE.replace("    # end\n", ""))


def test_the_index_lists_every_lesson() -> None:
    rows = table().splitlines()[2:]
    assert len(rows) == len(lessons()) - 1
    for row, lesson in zip(rows, lessons()[1:], strict=True):
        assert lesson.head["title"] in row
        assert f"({lesson.name}.ipynb)" in row


def test_a_digest_is_of_source_variant_module_and_records() -> None:
    lesson = Lesson("01-drawing", SOURCE)
    with_record = Lesson("01-drawing", SOURCE + 'record("ladder-nvidia-h200")\n')
    with_other = Lesson("02-networks", SOURCE)
    digests = [each.digest("student") for each in (lesson, with_record, with_other)]
    assert len({*digests, lesson.digest("solution")}) == 4
    missing = Lesson("01-drawing", SOURCE + 'record("no-such-record")\n')
    with pytest.raises(FileNotFoundError):
        missing.digest("student")


def test_a_digest_is_of_all_modules_that_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = tmp_path / "shadersort" / "lessons"
    for folder in ("drawing", "shared", "other"):
        (code / folder).mkdir(parents=True)
    grids = "from shadersort.lessons.shared.grids import (\n    draw_keys,\n)\n"
    (code / "drawing" / "exercises.py").write_text(grids)
    (code / "__init__.py").write_text("from shadersort.lessons.shared.pictures import film\n")
    for name in ("shared/grids", "shared/pictures", "other/steps", "shared/another"):
        (code / f"{name}.py").write_text("1")
    monkeypatch.setattr("scripts.lessons.source.ROOT", tmp_path)
    lesson = Lesson("01-drawing", SOURCE + "from shadersort.lessons.other import steps as s\n")
    digests = {lesson.digest("student")}
    for name in ("drawing/pictures", "shared/grids", "shared/pictures", "other/steps"):
        (code / f"{name}.py").write_text("2")
        digests.add(lesson.digest("student"))
    (code / "shared" / "another.py").write_text("2")
    assert lesson.digest("student") in digests
    monkeypatch.setattr(numbers, "drawing", lambda: {"ms": "1.5"}, raising=False)
    digests.add(lesson.digest("student"))
    assert len(digests) == 6


def test_a_digest_is_of_the_scripts_of_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shadersort" / "lessons").mkdir(parents=True)
    (tmp_path / "shadersort" / "lessons" / "__init__.py").write_text("1")
    script = tmp_path / "shadersort" / "web" / "pieces" / "quad.js"
    script.parent.mkdir(parents=True)
    monkeypatch.setattr("scripts.lessons.source.ROOT", tmp_path)
    piece = SOURCE + "from shadersort.web.pieces import quad_piece\n"
    digests = []
    for text in "12":
        script.write_text(text)
        digests += [Lesson("01-drawing", each).digest("student") for each in (SOURCE, piece)]
    assert digests[0] == digests[2]
    assert digests[1] != digests[3]


def test_running_leaves_what_every_run_leaves(tmp_path: Path) -> None:
    text = SOURCE.replace("answer\n```", "answer(4)\n```")
    one, other = made("solution", text), made("solution", text)
    for each in (one, other):
        run(each, tmp_path)
    assert nbformat.writes(one) == nbformat.writes(other)  # type: ignore[no-untyped-call]
    stream, result = one.cells[1].outputs
    assert (stream.text, result.data["text/plain"]) == ("6\n", "8")
    assert list(complaints(one, "solution", set())) == []


FILM = """
```python
from matplotlib.figure import Figure

from shadersort.lessons import Frames


def draw(number):
    found = Figure()
    found.add_subplot().set_title(titles[number])
    return found


titles = ["one", "two"]
Frames(2, draw, "titles")
```

```python
titles = titles[:1]
```
"""


def test_a_slider_moves_after_the_last_cell(tmp_path: Path) -> None:
    """Its frames use nothing that a later cell changes."""
    spoilt = made("solution", SOURCE + FILM)
    cells = [cell.source for cell in spoilt.cells]
    with pytest.raises(CellExecutionError, match="list index out of range"):
        run(spoilt, tmp_path)
    assert [cell.source for cell in spoilt.cells] == cells


def test_what_is_wrong_with_a_notebook_is_told(tmp_path: Path) -> None:
    text = SOURCE + "\n```python\nimport sys\n\nprint('oh', file=sys.stderr)\nobject()\n```\n"
    text += "\n```python\nfrom shadersort.lessons.drawing.exercises import swapped_halves\n\n"
    text += "swapped_halves.check(lambda width, height: 3)\n```\n"
    spoilt = made("student", text)
    run(spoilt, tmp_path)
    faults = "\n".join(complaints(spoilt, "student", {"swapped_halves", "other"}))
    for word in ("stderr: oh", "memory address", "'wrong', and in the student", "'other'"):
        assert word in faults
