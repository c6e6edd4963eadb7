"""Builds and checks the notebooks of the lessons.

`build` makes and runs the students' notebooks whose sources have changed, and fills in the page for
teachers; `build --solved` makes the solved ones and the questions with their answers, which are not
part of the repository. `check` runs all of both kinds, and checks the verdict of each exercise.
`nbgrader` writes the lessons as assignments for nbgrader, `slides` as slides.
"""

import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import nbformat
from nbclient.exceptions import CellExecutionError

from scripts.lessons.nbgrader import write_course
from scripts.lessons.running import complaints, run, run_both
from scripts.lessons.source import INDEX, BadSource, Lesson, Variant, lessons, notebook
from scripts.lessons.teaching import documents, slides

AT_ONCE = 2
"""The number of notebooks that run at the same time."""


@click.group(help=__doc__)
def main() -> None:
    """Build and check the notebooks of the lessons."""


@main.command()
@click.argument("names", nargs=-1)
@click.option("--solved", is_flag=True, help="Build the solved notebooks instead.")
@click.option("--force", is_flag=True, help="Build unchanged notebooks, too.")
def build(names: tuple[str, ...], solved: bool, force: bool) -> None:
    """Build the notebooks that have changed: all, or those of NAMES, such as 02."""
    variant: Variant = "solution" if solved else "student"
    some = [each for each in _every(names) if not (solved and each.name == INDEX)]
    due = [each for each in some if force or not is_current(each, variant)]
    for path, text in documents(variant).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _for_each(due, partial(_build, variant=variant))


@main.command()
@click.argument("names", nargs=-1)
def check(names: tuple[str, ...]) -> None:
    """Run the notebooks as they are: all, or those of NAMES, such as 02."""
    _for_each(_every(names), _check)


@main.command("nbgrader")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def assignments(folder: Path) -> None:
    """Write the lessons as assignments for nbgrader into FOLDER, a folder of a course."""
    click.echo(f"{len(write_course(folder))} assignments in {folder / 'source'}")


@main.command("slides")
@click.argument("names", nargs=-1)
def write_slides(names: tuple[str, ...]) -> None:
    """Write slides of the built lessons into build/slides: all, or those of NAMES, such as 02."""
    folder = Path("build/slides")
    folder.mkdir(parents=True, exist_ok=True)
    for lesson in _every(names or ("0", "1")):
        (folder / f"{lesson.name}.html").write_text(slides(lesson), encoding="utf-8")
    click.echo(f"Open a page of {folder} in a browser.")


def _every(names: Iterable[str]) -> list[Lesson]:
    """Return all lessons, or those whose names begin with one of `names`."""
    starts = tuple(names) or ("",)
    found = [each for each in lessons() if each.name.startswith(starts)]
    if not found:
        raise click.UsageError(f"no lesson's name begins with {' or '.join(starts)}")
    return found


def _for_each(some: list[Lesson], act: Callable[[Lesson], list[str]]) -> None:
    """Act on lessons in parallel; print all faults, and fail if there are any."""
    failed = False
    with ProcessPoolExecutor(AT_ONCE) as pool:
        for name, seconds, wrong in pool.map(partial(_timed, act), some):
            failed |= bool(wrong)
            click.echo(f"{'✗' if wrong else '✓'} {name:24} {seconds:5.1f} s")
            for each in wrong:
                click.echo(f"    {each}")
    sys.exit(failed)


def _timed(act: Callable[[Lesson], list[str]], lesson: Lesson) -> tuple[str, float, list[str]]:
    start = time.perf_counter()
    try:
        wrong = act(lesson)
    except (CellExecutionError, BadSource) as error:
        wrong = [str(error)]
    return lesson.name, time.perf_counter() - start, wrong


def _build(lesson: Lesson, variant: Variant) -> list[str]:
    """Build a notebook, and write it if it has no faults; return the faults."""
    made = notebook(lesson, variant)
    run(made)
    text = nbformat.writes(made) + "\n"  # type: ignore[no-untyped-call]
    wrong = list(complaints(made, variant, exercises(lesson)))
    if not wrong:
        lesson.path(variant).parent.mkdir(exist_ok=True)
        lesson.path(variant).write_text(text, encoding="utf-8")
    return wrong


def _check(lesson: Lesson) -> list[str]:
    """Run a student's notebook from its file, and the solved one; return their faults."""
    if not is_current(lesson, "student"):
        return ["it is older than its source: run 'make lessons'"]
    student, solved, names = _read(lesson), notebook(lesson, "solution"), exercises(lesson)
    run_both(student, solved, names)
    return [*complaints(student, "student", names), *complaints(solved, "solution", names)]


def exercises(lesson: Lesson) -> set[str]:
    """Return the names of a lesson's exercises."""
    if lesson.name == INDEX:
        return set()
    module = import_module(f"shadersort.lessons.{lesson.module}.exercises")
    return {exercise.name for exercise in module.EXERCISES}


def is_current(lesson: Lesson, variant: Variant) -> bool:
    """Return whether a notebook's file was made from the present source."""
    if not lesson.path(variant).exists():
        return False
    kept = _read(lesson, variant).metadata.get("shadersort", {}).get("digest")
    return bool(kept == lesson.digest(variant))


def _read(lesson: Lesson, variant: Variant = "student") -> Any:
    return nbformat.read(lesson.path(variant), as_version=4)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
