"""Solved lessons run in a browser, where Python has no OpenGL, no threads and no processes.

`python -m tests.lessons.test_in_browser 01 02` runs the cells of two lessons in a process from
which everything was taken that Pyodide has not. What this is was read off Pyodide 314 itself.
Python and NumPy stay those of this machine.
"""

import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from typing import Any, NoReturn

import matplotlib.font_manager  # noqa: F401  (that of Pyodide looks for fonts without a thread)
import pytest

MISSING = ("moderngl", "glfw", "cupy", "torch", "scipy", "sklearn", "resource", "_multiprocessing")


@pytest.mark.parametrize(
    "names",
    [
        ("14", "18"),  # drawing beside kernels, and all versions of a statistic
        pytest.param(("0",), marks=pytest.mark.slow),
        pytest.param(("10", "11", "12", "13", "15", "16", "17"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_lessons_run_in_a_browser(names: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "tests.lessons.test_in_browser", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def become_poor() -> None:
    """Take away what Pyodide has not. What is imported afterwards sees its platform."""

    def start(*arguments: Any, **options: Any) -> NoReturn:
        raise RuntimeError("can't start new thread")

    sysconfig.get_config_vars()  # those of this machine
    sys.platform = "emscripten"  # so `subprocess` starts no process
    threading.Thread.start = start  # type: ignore[method-assign]
    for module, name in ((os, "fork"), (os, "sched_getaffinity"), (signal, "setitimer")):
        delattr(module, name)
    os.cpu_count = lambda: 1
    sys.modules.update(dict.fromkeys(MISSING))  # type: ignore[arg-type]


def faults(cells: list[Any]) -> Iterator[str]:
    """Run the cells of a notebook; yield the faults of each."""
    from IPython.core import interactiveshell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    from shadersort.lessons.exercises.verdict import MIME

    options = Config(HistoryManager={"enabled": False})  # as in Pyodide
    shell: Any = interactiveshell.InteractiveShell(config=options)  # type: ignore[no-untyped-call]
    for number, cell in enumerate(cells, start=1):
        with capture_output() as said:
            done = shell.run_cell(cell.source)
        if not done.success:
            yield f"cell {number}: {done.error_in_exec or done.error_before_exec!r}"
        if said.stderr:
            yield f"cell {number} writes to stderr: {said.stderr}"
        shown = [output.data for output in said.outputs]
        drawn = any("<iframe" in each.get("text/html", "") for each in shown)
        for verdict in (each for each in shown if MIME in each):
            elsewhere = drawn and "Check it here" in verdict["text/plain"]
            if verdict[MIME]["state"] != "right" and not (elsewhere and "vec4" in cell.source):
                yield f"cell {number}: {verdict['text/plain']}"


def main(names: tuple[str, ...]) -> None:
    """Run all lessons, or those whose names begin so; print how long each took, and its faults."""
    become_poor()
    from scripts.lessons.source import lessons, notebook

    failed = False
    for lesson in lessons()[1:]:
        if lesson.name.startswith(names or ""):
            start, cells = time.perf_counter(), notebook(lesson, "solution").cells
            found = [*faults([each for each in cells if each.cell_type == "code"])]
            failed |= bool(found)
            took = f"{lesson.name} {time.perf_counter() - start:.1f} s"
            print(took, *found, sep="\n    ", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]))
