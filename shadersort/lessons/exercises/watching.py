"""Sees what a student's function calls, to hold the rules of an exercise also in its helpers."""

import dis
import sysconfig
from collections import Counter
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

PACKAGES = (str(Path(__file__).parents[2]), *sysconfig.get_paths().values(), "<frozen")
"""The folders of code that is not the student's."""

MOST_CALLS = 20  # A function that runs more often in a case is called for each key
OF_MANY_RANKS = "a partition at many ranks"
SORTS = (
    *("sort", "argsort", "lexsort", "sorted", "nsmallest", "nlargest", "heapify", OF_MANY_RANKS),
    *("sort_complex", "msort", "rankdata"),
)
"""What sorts: a rule of several exercises."""

LOOPS = {"map", "filter", "starmap", "vectorize", "frompyfunc", "fromiter", "apply_along_axis"}
"""What calls a function for each key."""


class Watch:
    """Notes the student's functions that run, and names of what they call, by `sys.setprofile`."""

    def __init__(self) -> None:
        self.runs: Counter[CodeType] = Counter()
        self.called: set[str] = set()

    def note(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take an event of Python: what a package calls for itself does not count."""
        code, caller = frame.f_code, frame.f_back
        if event == "c_call" and is_own(code.co_filename):
            self.called.add(argument.__name__)
        elif event == "call" and is_own(code.co_filename):
            if code not in self.runs:  # also what has another name here, or stands in a text
                known = (frame.f_globals.get(name) for name in code.co_names)
                texts = (each for each in code.co_consts if isinstance(each, str))
                self.called.update(code.co_names, texts)
                self.called.update(str(getattr(each, "__name__", "")) for each in known)
            self.runs[code] += 1
        elif event == "call" and caller and is_own(caller.f_code.co_filename):
            ranks: Any = frame.f_locals.get("kth", frame.f_locals.get("rank"))
            self.called.add(OF_MANY_RANKS if np.size(ranks) > 2 else code.co_name)

    def find_broken_rule(self, answer: Any, forbidden: tuple[str, ...], without_loop: bool) -> str:
        """Return how a function broke a rule; "" if it kept them."""
        while isinstance(answer, partial):
            answer = answer.func
        if used := sorted({*self.called, getattr(answer, "__name__", "")} & {*forbidden}):
            return f"it uses {' and '.join(used)}, which this exercise forbids"
        loops = self.called & LOOPS or any(map(has_loop, self.runs))
        if without_loop and (loops or max(self.runs.values(), default=0) > MOST_CALLS):
            return "it has a loop, which this exercise forbids: NumPy works on whole arrays"
        return ""


def is_own(file: str) -> bool:
    """Return whether code is a student's, by the name of its file."""
    return not file.startswith(PACKAGES)


def has_loop(code: CodeType) -> bool:
    """Return whether code has a loop: `for`, `while`, or a list made by `for`."""
    names = (each.opname for each in dis.get_instructions(code))
    return any(name == "FOR_ITER" or "BACKWARD" in name for name in names)
