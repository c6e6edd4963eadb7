"""Notebooks are built of their sources, all of them are current, and small enough."""

from typing import Any

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from scripts.lessons.__main__ import is_current
from scripts.lessons.running import complaints, run, run_both, verdicts
from scripts.lessons.source import FOLDER, BadSource, Lesson, Variant, lessons, notebook

MOST_BYTES = 700_000  # the most bytes of a notebook's file

every_notebook = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)

SOURCE = '''# 3 · A lesson

**The idea.** One,
in two lines.

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


def made(variant: Variant, text: str = SOURCE) -> Any:
    return notebook(Lesson("01-drawing", text), variant)


@every_notebook
def test_a_notebook_is_current_and_small_and_opens_with_its_pictures(lesson: Lesson) -> None:
    assert is_current(lesson, "student"), "run 'make lessons'"
    path = lesson.path("student")
    assert path.stat().st_size <= MOST_BYTES
    cells = nbformat.read(path, as_version=4).cells  # type: ignore[no-untyped-call]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
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


def test_a_head_is_read_and_a_bad_one_named() -> None:
    assert Lesson("03-x", SOURCE).head == {
        "title": "3 · A lesson",
        "idea": "One, in two lines.",
    }
    with pytest.raises(BadSource, match="03-x"):
        _ = Lesson("03-x", SOURCE.replace("The idea", "Time")).head
    with pytest.raises(BadSource, match="in pairs"):
        made("student", SOURCE.replace("    # end\n", ""))


def test_a_digest_is_of_source_variant_module_and_records() -> None:
    lesson = Lesson("01-drawing", SOURCE)
    with_record = Lesson("01-drawing", SOURCE + 'record("ladder-nvidia-h200")\n')
    with_other = Lesson("02-networks", SOURCE)
    digests = [each.digest("student") for each in (lesson, with_record, with_other)]
    assert len({*digests, lesson.digest("solution")}) == 4
    missing = Lesson("01-drawing", SOURCE + 'record("no-such-record")\n')
    with pytest.raises(FileNotFoundError):
        missing.digest("student")


@pytest.mark.slow
def test_running_leaves_what_every_run_leaves() -> None:
    text = SOURCE.replace("answer\n```", "answer(4)\n```")
    one, other = made("solution", text), made("solution", text)
    for each in (one, other):
        run(each)
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


@pytest.mark.slow
def test_a_slider_moves_after_the_last_cell() -> None:
    """Its frames use nothing that a later cell changes."""
    spoilt = made("solution", SOURCE + FILM)
    cells = [cell.source for cell in spoilt.cells]
    with pytest.raises(CellExecutionError, match="list index out of range"):
        run(spoilt)
    assert [cell.source for cell in spoilt.cells] == cells


@pytest.mark.slow
def test_what_is_wrong_with_a_notebook_is_told() -> None:
    text = SOURCE + "\n```python\nimport sys\n\nprint('oh', file=sys.stderr)\nobject()\n```\n"
    text += "\n```python\nfrom shadersort.lessons.drawing.exercises import swapped_halves\n\n"
    text += "swapped_halves.check(lambda width, height: 3)\n```\n"
    spoilt = made("student", text)
    run(spoilt)
    faults = "\n".join(complaints(spoilt, "student", {"swapped_halves", "other"}))
    for word in ("stderr: oh", "memory address", "'wrong', and in the student", "'other'"):
        assert word in faults


WITH_EXERCISE = '''
```python
import os

from shadersort.lessons.cost import exercises as lesson
```

```python
def scaled(seconds, base, sizes):
    """Predict."""
    # solution
    return "solved"
    # end


lesson.scaled.check(scaled)
```

```python
print(os.getpid(), {})
```
'''


@pytest.mark.parametrize(("printed", "together"), [("3", True), ("scaled(1, 2, 3)", False)])
def test_both_notebooks_run_together(printed: str, together: bool) -> None:
    """The solved cell runs first, and what follows with dots, where no cell uses an answer."""
    text = WITH_EXERCISE.replace("{}", printed)
    student, solved = made("student", SOURCE + text), made("solution", SOURCE + text)
    run_both(student, solved, {"scaled"})
    assert [*verdicts(student)] == [("scaled", "not yet")]
    assert [*verdicts(solved)] == [("scaled", "wrong")]
    said, said_solved = (
        next(cell for cell in each.cells if "getpid" in cell.source).outputs[0].text.split()
        for each in (student, solved)
    )
    assert (said[0] == said_solved[0]) == together
    assert (said[1], said_solved[1]) == (("3", "3") if together else ("None", "solved"))
