"""The engine of exercises: an `Exercise` asks a `Runner` what an answer does; returns a `Verdict`.

A runner takes one kind of answers: `PythonRunner` functions, `ShaderRunner` texts in GLSL.
"""

from shadersort.lessons.exercises.answers import WrongKind, answer_of, number_of, parts_of
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.mistakes import Mistake
from shadersort.lessons.exercises.python_runner import Answer, PythonRunner
from shadersort.lessons.exercises.runner import Case, Outcome
from shadersort.lessons.exercises.shader_runner import ShaderRunner
from shadersort.lessons.exercises.verdict import Verdict

__all__ = [
    "Answer",
    "Case",
    "Exercise",
    "Mistake",
    "Outcome",
    "PythonRunner",
    "ShaderRunner",
    "Verdict",
    "WrongKind",
    "answer_of",
    "number_of",
    "parts_of",
]
