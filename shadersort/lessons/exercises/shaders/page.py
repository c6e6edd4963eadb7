"""A page of its own for an exercise with a shader: a browser draws, and compares."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from shadersort.lessons.exercises.kernels.dialect import lines_of
from shadersort.lessons.exercises.outcomes import Case
from shadersort.lessons.exercises.shader_runner import ShaderRunner, one_pass
from shadersort.lessons.exercises.shaders.compiler_words import HABITS_OF_SHADERS
from shadersort.lessons.exercises.shaders.pictures import show_asked
from shadersort.lessons.shared.pictures import picture
from shadersort.web.piece import Piece
from shadersort.web.pieces.shader import shader_case, shader_page


def exercise_piece(exercise: Any, answer: str) -> Piece:
    """Return an `Exercise` for a browser, with an answer, after a picture of what is asked for."""
    runner = exercise.runner
    if not isinstance(runner, ShaderRunner):
        raise TypeError(f"{exercise.name} is no exercise with a shader")
    text = {
        "name": exercise.name,
        "told": exercise.asks,
        "signature": runner.signature,
        "text": lines_of(answer) if answer else runner.function(),
        "after": runner.after(),
        "part": runner.part,
        "rules": runner.all_rules,
        "hints": exercise.hints,
        "mistakes": [{"said": each.said, "hint": each.hint} for each in exercise.mistakes],
        "habits": HABITS_OF_SHADERS,
    }
    cases = exercise.all_cases()
    texels, *numbers = cases[0]
    figure = show_asked(texels, exercise.specification(*cases[0]), exercise.draw)
    if named := _name_numbers(runner, numbers):
        figure.suptitle(", ".join(named), fontsize=10)
    still = picture(figure, f"{exercise.name}: a texture, and what the function makes of it")
    drawn = [_draw_case(exercise, runner, each) for each in cases]
    return shader_page(f"Write the function {exercise.name}", text, drawn).beside(still)


def _draw_case(exercise: Any, runner: ShaderRunner, case: Case) -> dict[str, Any]:
    """Return a case as a browser takes it, with what the known mistakes make of it."""
    texels, *numbers = case
    height, width, _ = texels.shape
    return shader_case(
        told=", ".join([f"{width} × {height} texels", *_name_numbers(runner, numbers)]),
        program=one_pass(width, height),
        before=runner.before((width, height), tuple(numbers)),
        texels=texels,
        expected=exercise.specification(*case),
        outcomes=[np.asarray(each.result(case), np.float32) for each in exercise.mistakes],
    )


def _name_numbers(runner: ShaderRunner, numbers: Iterable[float]) -> list[str]:
    return [f"{name} = {value:g}" for name, value in zip(runner.names, numbers, strict=True)]
