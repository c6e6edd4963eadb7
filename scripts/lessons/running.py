"""Runs a notebook from its first cell to its last, moves its sliders, and checks the result."""

import ast
import re
import tempfile
from collections.abc import Iterator
from typing import Any

from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

from scripts.lessons.source import CHECK, Variant
from shadersort.lessons.exercises.verdict import MIME

MOST_SECONDS = 120
"""The most seconds of a cell."""

WIDGET = "application/vnd.jupyter.widget-view+json"
ADDRESS = re.compile(r"\b0x[0-9a-f]{9,}\b")

SLIDERS_MOVE = """\
import gc as _gc
from shadersort.lessons import Frames as _Frames

for _each in [_each for _each in _gc.get_objects() if type(_each) is _Frames]:
    for _number in (0, _each.count - 1):
        assert _each.draw(_number).get_axes(), f"{_each} draws nothing when all cells have run"
"""
"""A cell that runs after the last one: a slider may use nothing that later cells change."""


def run_both(student: Any, solved: Any, exercises: set[str]) -> None:
    """Run the notebooks of a lesson as `run` does, and what they share only once if possible.

    They differ in the cells of exercises. The solved cell runs just before that with dots, so what
    follows runs with dots, as a student runs it. Where another cell uses an answer, both notebooks
    run on their own.
    """
    if any(_uses(cell, exercises) for cell in student.cells):
        run(student)
        run(solved)
        return
    shared = {cell.id: cell for cell in student.cells}
    dotted = {name: cell for cell in student.cells for name in _checked(cell)}
    cells = []
    for cell in solved.cells:
        cells.append(shared.get(cell.id, cell))
        if cell.id not in shared:
            cells += [dotted[name] for name in _checked(cell)]
    run(type(solved)(solved | {"cells": cells}))
    for cell in solved.cells:
        cell.update(shared.get(cell.id, {}))


def _checked(cell: Any) -> list[str]:
    """Return the exercises that a cell checks."""
    return CHECK.findall(cell.source) if cell.cell_type == "code" else []


def _uses(cell: Any, exercises: set[str]) -> bool:
    """Return whether a cell uses the answer of an exercise that it does not check."""
    if cell.cell_type != "code":
        return False
    names = {each.id for each in ast.walk(ast.parse(cell.source)) if isinstance(each, ast.Name)}
    return not names.isdisjoint(exercises.difference(_checked(cell)))


def run(notebook: Any) -> None:
    """Run a notebook in a fresh kernel, in an empty folder; its outputs are replaced.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        A cell raised an error, or the first or last frame of a slider did afterwards.
    """
    options: Any = {"timeout": MOST_SECONDS, "kernel_name": "python3"}
    options |= {"record_timing": False, "store_widget_state": False}
    notebook.cells.append(new_code_cell(SLIDERS_MOVE))  # type: ignore[no-untyped-call]
    try:
        with tempfile.TemporaryDirectory() as folder:
            client = NotebookClient(notebook, **options, resources={"metadata": {"path": folder}})
            kernels: Any = client.create_kernel_manager()
            kernels.transport = "ipc"  # two kernels that start at once may pick the same port
            kernels.ip = f"{folder}/kernel"  # the name of its sockets
            client.execute()
    finally:
        notebook.cells.pop()
    notebook.metadata["language_info"] = {"name": "python"}  # no version of Python
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = list(_settled(cell.outputs))


def _settled(outputs: list[Any]) -> Iterator[Any]:
    """Yield outputs that are equal in each run: without widgets, and with streams joined."""
    text: Any = None
    for output in outputs:
        if output.output_type == "stream" and text and text.name == output.name:
            text.text += output.text
            continue
        text = output if output.output_type == "stream" else None
        if "data" in output:
            output.data.pop(WIDGET, None)  # useless without its kernel
        yield output


def verdicts(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield the exercises that a notebook checked, each with its state."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if verdict := output.get("data", {}).get(MIME):
                yield verdict["exercise"], verdict["state"]


def complaints(notebook: Any, variant: Variant, exercises: set[str]) -> Iterator[str]:
    """Yield the faults of a notebook that was run."""
    wanted = "right" if variant == "solution" else "not yet"
    found = list(verdicts(notebook))
    for name, state in found:
        if state != wanted:
            yield f"exercise {name} is {state!r}, and in the {variant} version should be {wanted!r}"
    if {name for name, _ in found} != exercises:
        yield f"it checks {sorted({name for name, _ in found})}, its module has {sorted(exercises)}"
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":
                yield f"cell {number} writes to stderr: {output.text.strip()}"
            texts = [output.get("text", ""), *map(str, output.get("data", {}).values())]
            if any(ADDRESS.search(text) for text in texts):
                yield f"cell {number} shows a memory address, which is another in each run"
