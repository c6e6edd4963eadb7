"""The lessons as assignments for nbgrader: `python -m scripts.lessons nbgrader FOLDER`.

Each lesson is an assignment. A cell with an exercise is an answer, whose solution nbgrader removes;
behind it stands a test that calls the lesson's own checker and counts the points of the exercise.
nbgrader itself is not needed here.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from scripts.lessons.running import MOST_SECONDS
from scripts.lessons.source import CHECK, INDEX, SOLUTION, BadSource, Lesson, lessons, notebook

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
"""The lines between which nbgrader removes a solution."""

EXERCISES = re.compile(r"^from (shadersort\.lessons\.\w+) import exercises as lesson$", re.M)
LINK = re.compile(r"\]\((\d\d-[\w-]+)\.ipynb")
NO_INDEX = re.compile(rf"\[all lessons\]\({INDEX}\.ipynb\)( \| )?")

TEST = """\
# The autograder's test of `{exercise}`. The checker's words are the feedback.
from {package} import exercises as lesson

verdict = lesson.{exercise}.check({exercise})
assert verdict.passed, verdict
"""

CONFIG = f"""\
# Settings of nbgrader for the lessons of shadersort.
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "shadersort"
c.ClearSolutions.code_stub = {{"python": "..."}}  # the checkers take dots for a blank
c.Execute.timeout = {MOST_SECONDS}
"""


def write_course(folder: Path) -> list[Path]:
    """Write the settings and every lesson into a folder of a course; return the notebooks."""
    written = []
    for lesson in lessons()[1:]:
        path = folder / "source" / lesson.name / f"{lesson.name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = nbformat.writes(assignment(lesson))  # type: ignore[no-untyped-call]
        path.write_text(text + "\n", encoding="utf-8")
        written.append(path)
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    return written


def assignment(lesson: Lesson) -> Any:
    """Return a lesson as an assignment, with its solutions between nbgrader's marks."""
    made = notebook(lesson, "student", marked)
    package = EXERCISES.search(lesson.text)
    if not package:
        raise BadSource(f"{lesson.name} does not import its exercises as `lesson`")
    made.cells = [new for cell in made.cells for new in _graded(lesson, cell, package[1])]
    return made


def marked(text: str) -> str:
    r"""Return the source of a lesson with nbgrader's marks around its solutions.

    Examples
    --------
    >>> print(marked("    # solution\n    return 2\n    # end\n"), end="")
        ### BEGIN SOLUTION
        return 2
        ### END SOLUTION
    """

    def changed(found: re.Match[str]) -> str:
        start = found[1] if found[2] == "#" else f"{found[1]}// "
        return f"{start}{BEGIN}\n{found[3]}{start}{END}\n"

    return SOLUTION.sub(changed, text)


def _graded(lesson: Lesson, cell: Any, package: str) -> Iterator[Any]:
    """Yield a cell of an assignment, and its test if it checks an answer."""
    if cell.cell_type == "markdown":
        cell.source = LINK.sub(r"](../\1/\1.ipynb", NO_INDEX.sub("", cell.source))
    yield cell
    checks = CHECK.findall(cell.source) if cell.cell_type == "code" else []
    if not checks:
        return
    if len(checks) > 1 or BEGIN not in cell.source:
        raise BadSource(f"{lesson.name}: a cell has one answer, with a solution, and checks it")
    (exercise,) = checks
    cell.metadata["nbgrader"] = _metadata(exercise)
    test = TEST.format(package=package, exercise=exercise).rstrip()
    graded = nbformat.v4.new_code_cell(test, id=f"test-{exercise}".replace("_", "-"))  # type: ignore[no-untyped-call]
    points = lesson.about["points"][exercise]
    graded.metadata["nbgrader"] = _metadata(f"test_{exercise}", points)
    yield graded


def _metadata(name: str, points: int = 0) -> dict[str, Any]:
    """Return what nbgrader reads of a cell: an answer, or a test with points that is locked."""
    about = {"schema_version": 3, "grade_id": name, "cell_type": "code", "task": False}
    about |= {"solution": not points, "grade": bool(points), "locked": bool(points)}
    return about | {"points": points} if points else about
