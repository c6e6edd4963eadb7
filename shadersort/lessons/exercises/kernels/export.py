"""Exercises with kernels as data, for the simulator that runs in a browser."""

from typing import Any

import numpy as np

from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.kernel_runner import KernelRunner


def as_data(exercise: Exercise) -> dict[str, Any]:
    """Return what JSON holds of an exercise: its setting, and all cases with their results."""
    runner = exercise.runner
    assert isinstance(runner, KernelRunner)
    cases = []
    for case in exercise.all_cases():
        launch = runner.launch(*case)
        cases.append(
            {
                "keys": launch.keys.tolist(),
                "result": launch.result.tolist(),
                "blocks": launch.blocks,
                "numbers": [int(each) for each in launch.numbers],
                "expected": np.asarray(exercise.specification(*case)).tolist(),
            }
        )
    return {
        "name": exercise.name,
        "threads": runner.setting.threads,
        "numbers": runner.setting.numbers,
        "constants": dict(runner.setting.constants),
        "unordered": runner.unordered and runner.unordered._asdict(),
        "cases": cases,
    }
