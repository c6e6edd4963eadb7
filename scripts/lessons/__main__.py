"""Builds and checks the notebooks of the lessons.

`build` makes and runs both notebooks of each source that has changed: the student's and the solved
one. `check` runs every committed notebook in another folder, and checks the verdict of each
exercise. `nbgrader` writes the lessons as assignments for nbgrader.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import nbformat
from nbclient.exceptions import CellExecutionError

from scripts.lessons import teaching
from scripts.lessons.nbgrader import write_course
from scripts.lessons.running import MOST_BYTES, complaints, run
from scripts.lessons.source import FOLDER, INDEX, BadSource, Lesson, Variant, lessons, notebook

AT_ONCE = 2
"""The number of notebooks that run at the same time."""

Made = tuple[Lesson, Variant]


@click.group(help=__doc__)
def main() -> None:
    """Build and check the notebooks of the lessons."""


@main.command()
@click.argument("names", nargs=-1)
@click.option("--force", is_flag=True, help="Build unchanged notebooks, too.")
def build(names: tuple[str, ...], force: bool) -> None:
    """Build the notebooks that have changed: all, or those of NAMES, such as 02.

    The tables of the page for teachers are computed anew.
    """
    due = [made for made in _every(names) if force or not is_current(*made)]
    click.echo(f"{len(due)} notebooks to build")
    teaching.refresh()
    _for_each(due, _build)


@main.command()
@click.argument("names", nargs=-1)
def check(names: tuple[str, ...]) -> None:
    """Run the notebooks as they are: all, or those of NAMES, such as 02."""
    _for_each(_every(names), _check)


@main.command("nbgrader")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def assignments(folder: Path) -> None:
    """Write the lessons as assignments for nbgrader into FOLDER, a folder of a course."""
    written = write_course(folder)
    click.echo(f"{len(written)} assignments in {folder / 'source'}")


def _read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]


def _every(names: Iterable[str]) -> list[Made]:
    """Return the notebooks of all lessons, or of those whose names begin with one of `names`."""
    starts = tuple(names) or ("",)
    found = [each for each in lessons() if each.name.startswith(starts)]
    if not found:
        known = ", ".join(each.name for each in lessons())
        raise click.UsageError(f"no lesson's name begins with {' or '.join(starts)}: {known}")
    return [(lesson, variant) for lesson in found for variant in lesson.variants]


def _for_each(made: list[Made], act: Callable[[Lesson, Variant], list[str]]) -> None:
    """Act on notebooks in parallel; print all faults, and fail if there are any."""
    failed = False
    with ProcessPoolExecutor(AT_ONCE) as pool:
        waiting = [(each, pool.submit(_timed, act, *each)) for each in made]
        for (lesson, variant), future in waiting:
            seconds, wrong = future.result()
            failed |= bool(wrong)
            mark = "✗" if wrong else "✓"
            click.echo(f"{mark} {lesson.name:24} {variant:9} {seconds:5.1f} s")
            for each in wrong:
                click.echo(f"    {each}")
    sys.exit(failed)


def _timed(
    act: Callable[[Lesson, Variant], list[str]], lesson: Lesson, variant: Variant
) -> tuple[float, list[str]]:
    start = time.perf_counter()
    try:
        wrong = act(lesson, variant)
    except (CellExecutionError, BadSource) as error:
        wrong = [str(error)]
    return time.perf_counter() - start, wrong


def _build(lesson: Lesson, variant: Variant) -> list[str]:
    """Build a notebook, and write it if it has no faults; return the faults."""
    made, text = built(lesson, variant)
    wrong = list(complaints(made, variant, exercises(lesson)))
    if len(text.encode()) > MOST_BYTES:
        wrong.append(f"it has {len(text.encode()):,} bytes, more than {MOST_BYTES:,}")
    if not wrong:
        lesson.path(variant).write_text(text, encoding="utf-8")
    return wrong


def _check(lesson: Lesson, variant: Variant) -> list[str]:
    """Run a notebook from its file; return its faults."""
    if not is_current(lesson, variant):
        return ["it is older than its source: run 'make lessons'"]
    made = _read(lesson.path(variant))
    with tempfile.TemporaryDirectory() as elsewhere:
        run(made, Path(elsewhere))
    return list(complaints(made, variant, exercises(lesson)))


def built(lesson: Lesson, variant: Variant) -> tuple[Any, str]:
    """Return the notebook of a lesson after a run, and the text of its file."""
    made = notebook(lesson, variant)
    with tempfile.TemporaryDirectory() as elsewhere:
        run(made, Path(elsewhere))
    return made, nbformat.writes(made) + "\n"  # type: ignore[no-untyped-call]


def exercises(lesson: Lesson) -> set[str]:
    """Return the names of a lesson's exercises."""
    if lesson.name == INDEX:
        return set()
    module = import_module(f"shadersort.lessons.{lesson.module}.exercises")
    return {exercise.name for exercise in module.EXERCISES}


def is_current(lesson: Lesson, variant: Variant, folder: Path = FOLDER) -> bool:
    """Return whether a notebook's file was made from the present source."""
    path = lesson.path(variant, folder)
    if not path.exists():
        return False
    kept = _read(path).metadata.get("shadersort", {}).get("digest")
    return bool(kept == lesson.digest(variant))


if __name__ == "__main__":
    main()
