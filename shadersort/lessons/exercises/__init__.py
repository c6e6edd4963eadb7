"""The engine of exercises: an `Exercise` asks a `Runner` what an answer does; returns a `Verdict`.

A runner takes one kind of answers: `PythonRunner` functions, `ShaderRunner` texts in GLSL,
`KernelRunner` texts of kernels.
"""

from shadersort.lessons.exercises.answers import (
    WrongKind,
    answer_of,
    number_of,
    numbers_of,
    parts_of,
)
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import KernelRunner
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.simulator import Launch
from shadersort.lessons.exercises.outcomes import Case, Mistake, Outcome
from shadersort.lessons.exercises.python_runner import Answer, PythonRunner
from shadersort.lessons.exercises.shader_runner import ShaderRunner
from shadersort.lessons.exercises.verdict import Verdict
from shadersort.lessons.exercises.watching import SORTS

__all__ = ["SORTS", "Answer", "Case", "Exercise", "KernelRunner", "Launch", "Mistake", "Outcome"]
__all__ += ["PythonRunner", "Setting", "ShaderRunner", "Verdict", "WrongKind"]
__all__ += ["answer_of", "number_of", "numbers_of", "parts_of"]
