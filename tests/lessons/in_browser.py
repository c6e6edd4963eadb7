"""Runs solved lessons as a browser runs them: `python -m tests.lessons.in_browser 01 02`.

`impoverish` leaves a process what Pyodide has: no OpenGL, no thread and no process that starts, one
core. What is missing there was read off Pyodide 314 itself. NumPy is still that of this machine.
"""

import _thread
import os
import signal
import sys
import sysconfig
from typing import Any, NoReturn


def impoverish() -> None:
    """Take away what Pyodide has not; what is imported afterwards sees its platform."""

    def start_no_thread(*arguments: Any, **options: Any) -> NoReturn:
        raise RuntimeError("can't start new thread")

    sysconfig.get_config_vars()  # of this machine
    sys.platform = "emscripten"  # so `subprocess` starts no process
    for name in ("start_new_thread", "start_joinable_thread"):
        setattr(_thread, name, start_no_thread)
    for module, name in ((os, "sched_getaffinity"), (os, "fork"), (signal, "setitimer")):
        delattr(module, name)
    os.cpu_count = lambda: 1
    for missing in ("moderngl", "glfw", "cupy", "sklearn", "scipy", "resource", "_multiprocessing"):
        sys.modules[missing] = None  # type: ignore[assignment]


def main(names: list[str]) -> None:
    """Run lessons, and print the faults of each."""
    impoverish()
    import time

    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from scripts.lessons.source import lessons, notebook

    for lesson in lessons()[1:]:
        if not lesson.name.startswith(tuple(names) or ""):
            continue
        shell = InteractiveShell()
        start = time.perf_counter()
        for number, cell in enumerate(notebook(lesson, "solution").cells):
            if cell.cell_type == "code":
                with capture_output() as said:
                    result = shell.run_cell(cell.source)
                if not result.success:
                    print(lesson.name, number, cell.source[:60].replace("\n", " "), repr(result.error_in_exec or result.error_before_exec))
                    import traceback
                    e = result.error_in_exec
                    if e: print("".join(traceback.format_tb(e.__traceback__)[-4:]))
                for each in said.outputs:
                    for kind, data in each.data.items():
                        if "verdict" in kind and data["state"] != "right":
                            print(lesson.name, number, each.data["text/plain"])
        print(lesson.name, time.perf_counter() - start, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
