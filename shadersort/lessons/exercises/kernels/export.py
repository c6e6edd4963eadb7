"""Exercises with kernels as data, for the simulator that runs in a browser.

`python -m shadersort.lessons.exercises.kernels.export FOLDER` writes a file of JSON for each.
"""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from shadersort.lessons.exercises import kernel_runner as runners
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.exercises.shaders.compiler_words import HABITS, NEW

WORDS = {
    "faults": runners.FAULTS,
    "consequences": runners.CONSEQUENCES,
    "race": runners.RACE,
    "alone": runners.ALONE,
    "busy": runners.BUSY,
    "nothing": runners.NOTHING,
    "costs": runners.COSTS,
    "unwritten": runners.UNWRITTEN,
    "turns": (runners.TURNS, runners.TURNS_A_KEY),
    "habits": (*runners.HABITS_OF_KERNELS, *HABITS),
    "new_name": NEW,
}
"""What a verdict says, and what it says it of."""


def as_data(exercise: Exercise) -> dict[str, Any]:
    """Return what JSON holds of an exercise: setting, rules, words, and all cases with results."""
    runner: Any = exercise.runner
    launches = [(runner.launch(*each), each) for each in exercise.all_cases()]
    return {
        "name": exercise.name,
        "threads": runner.setting.threads,
        "numbers": runner.setting.numbers,
        "constants": dict(runner.setting.constants),
        "unordered": runner.unordered and runner.unordered._asdict(),
        "rules": runner.rules,
        "barriers": runner.barriers,
        "words": WORDS,
        "cases": [
            {
                "keys": launch.keys.tolist(),
                "result": launch.result.tolist(),
                "blocks": launch.blocks,
                "numbers": [int(each) for each in launch.numbers],
                "limits": runner.limits(launch),
                "expected": np.asarray(exercise.specification(*case)).tolist(),
            }
            for launch, case in launches
        ],
    }


def named_exercises() -> Iterator[tuple[str, Exercise]]:
    """Yield every exercise with a kernel, with a name of its own."""
    for lesson in ("median", "buckets", "side_by_side", "kernel_costs"):
        for each in import_module(f"shadersort.lessons.{lesson}.exercises").EXERCISES:
            if isinstance(each.runner, runners.KernelRunner):
                yield each.name, each
    for name, each in import_module("shadersort.lessons.capstone.exercises").STATISTICS.items():
        yield name.replace(" ", "_"), each.by_kernel


def write_all(folder: Path) -> None:
    """Write the exercises into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, exercise in named_exercises():
        text = json.dumps(as_data(exercise), separators=(",", ":"))
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
