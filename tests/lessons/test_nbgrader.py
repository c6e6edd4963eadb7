"""The lessons as assignments: a test accepts the solution and no blank, and so does nbgrader."""

import csv
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scripts.lessons.nbgrader import BEGIN, END, assignment, write_course
from scripts.lessons.source import BadSource, Lesson, lessons
from tests.lessons.test_exercises import module_of

NBGRADER = os.environ.get("NBGRADER")
with_nbgrader = pytest.mark.nbgrader
every_lesson = pytest.mark.parametrize("lesson", lessons()[1:], ids=lambda lesson: lesson.name)


def graded(cells: list[Any]) -> list[tuple[Any, Any]]:
    """Each answer of an assignment, with its test, which is the next cell."""
    return [
        (cell, test)
        for cell, test in pairwise(cells)
        if cell.metadata.get("nbgrader", {}).get("solution")
    ]


@every_lesson
def test_an_assignment_has_every_exercise_with_a_test_of_its_points(lesson: Lesson) -> None:
    made = assignment(lesson)
    pairs = graded(made.cells)
    names = [each.name for each in module_of(lesson).EXERCISES]
    assert sorted(cell.metadata.nbgrader.grade_id for cell, _ in pairs) == sorted(names)
    for cell, test in pairs:
        about = test.metadata.nbgrader
        points = lesson.about["points"][cell.metadata.nbgrader.grade_id]
        assert (about.grade, about.locked, about.points) == (True, True, points)
        assert about.grade_id == f"test_{cell.metadata.nbgrader.grade_id}"
        assert cell.source.count(BEGIN) == cell.source.count(END) == 1
    marked = [cell for cell in made.cells if BEGIN in cell.source]
    assert len(marked) == len(pairs)
    ids = [cell.id for cell in made.cells]
    assert len(set(ids)) == len(ids)
    links = "".join(cell.source for cell in made.cells if cell.cell_type == "markdown")
    assert "index.ipynb" not in links
    assert "](../" in links


def test_a_source_that_cannot_be_graded_is_refused() -> None:
    lesson = lessons()[2]
    two = lesson.text.replace("lesson.sorts.check(sorts)", "lesson.sorts.check(sorts)\n" * 2)
    with pytest.raises(BadSource, match="one answer"):
        assignment(Lesson(lesson.name, two))
    with pytest.raises(BadSource, match="does not import"):
        assignment(Lesson(lesson.name, lesson.text.replace("exercises as lesson", "exercises")))


@with_nbgrader
@every_lesson
def test_nbgrader_gives_solutions_all_points(lesson: Lesson, tmp_path: Path) -> None:
    write_course(tmp_path)
    run(tmp_path, "generate_assignment", lesson.name, "--create")
    name = f"{lesson.name}/{lesson.name}.ipynb"
    source, release = (
        (tmp_path / kind / name).read_text("utf-8") for kind in ("source", "release")
    )
    assert BEGIN not in release
    grades = graded_by_nbgrader(tmp_path, lesson, {"solved": source, "blank": release})
    assert grades == {"solved": float(sum(lesson.about["points"].values())), "blank": 0.0}


def graded_by_nbgrader(course: Path, lesson: Lesson, of: dict[str, str]) -> dict[str, float]:
    """The points of students, by what each of them hands in."""
    for student, notebook in of.items():
        path = course / "submitted" / student / lesson.name / f"{lesson.name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(notebook, encoding="utf-8")
    run(course, "autograde", lesson.name, "--create")
    run(course, "export", "--to", "grades.csv")
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student_id"]: float(row["raw_score"]) for row in csv.DictReader(file)}


def run(course: Path, *arguments: str) -> None:
    """Run nbgrader in the folder of a course, with the kernel of these tests."""
    kernel = course / "jupyter" / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True, exist_ok=True)
    start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    about = {"argv": start, "display_name": "Python 3", "language": "python"}
    kernel.write_text(json.dumps(about), encoding="utf-8")
    beside = os.pathsep.join([str(Path(str(NBGRADER)).parent), os.environ["PATH"]])
    around = os.environ | {"JUPYTER_PATH": str(course / "jupyter"), "PATH": beside}
    command = [str(NBGRADER), *arguments]
    done = subprocess.run(command, cwd=course, env=around, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
