"""Pages with the microscope of kernels: of an exercise, of a text, and of all exercises."""

import re
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import KernelRunner
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.examples import EXAMPLES
from shadersort.lessons.exercises.kernels.export import WORDS, as_data, named_exercises
from shadersort.web.kernels import microscope
from shadersort.web.piece import Piece

TITLE = "A microscope for kernels"
LEDE = (
    "Choose an exercise of a lesson, or an example, and write the kernel. It is judged as in the "
    "lesson, and each step of its threads can be seen: what they read and write, what they do "
    "wrong, and what it costs. Then your own GPU runs the same text."
)


def kernels_page(links: Mapping[str, str]) -> str:
    """Return the page with all exercises and examples; `links` lead to other pages of the site."""
    exercises = [
        as_data(each) | {"name": _long_name(name, each)} for name, each in named_exercises()
    ]
    rng = np.random.default_rng(0)
    free = [
        as_data(
            without_result(each.name, each.text, rng.integers(100, size=each.keys), told=each.told)
        )
        for each in EXAMPLES
    ]
    return microscope(TITLE, [*exercises, *free], WORDS, lede=LEDE, links=links)


def microscope_piece(text: str, keys: npt.ArrayLike, **launch: Any) -> Piece:
    """Return a kernel whose steps are to be seen, with what each of them costs.

    `launch` has what `without_result` takes besides the text and the keys.
    """
    data = as_data(without_result("kernel", text, keys, **launch))
    return Piece(TITLE, microscope(TITLE, [data], WORDS), 1500)


def without_result(
    name: str,
    text: str,
    keys: npt.ArrayLike,
    *,
    told: str = "",  # is said above it; code stands between backquotes
    result: npt.ArrayLike | None = None,  # what it holds at first; None takes a 0 for each key
    blocks: int | None = None,  # None runs a thread for each key
    threads: int = 64,  # of a block
    numbers: Mapping[str, int] = MappingProxyType({}),  # whole numbers that the kernel is given
) -> Exercise:
    """Return a kernel as an exercise with one case, in which any result is right."""
    given = np.asarray(keys)
    case = (given, *numbers.values(), *([blocks] if blocks else []))
    first = 0 * given if result is None else result
    setting = Setting(threads, tuple(numbers))
    runner = KernelRunner(setting, start=lambda n: first, text=text)
    return Exercise(name, lambda *case: None, lambda rng: [case], (), runner=runner, asks=told)


def _long_name(name: str, exercise: Any) -> str:
    """Return a name with the lesson, which the module of the specification says first."""
    module = sys.modules[exercise.specification.__module__].__doc__ or ""
    (lesson,) = re.findall(r"^Lesson \d+", module) or ("Lesson",)
    part = "" if name == exercise.name else f", {name.replace('_', ' ')}"
    return f"{lesson}{part}: {exercise.name}"
