"""The solution of each exercise with a kernel, as the solved notebooks have it."""

import ast
import re

from scripts.lessons.source import Lesson, lessons, notebook
from shadersort.lessons.buckets.exercises import block_histogram
from shadersort.lessons.capstone.exercises import STATISTICS
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.kernel_costs.exercises import falls, transposed, up_sweep
from shadersort.lessons.median.exercises import distances, sum_of_distances
from shadersort.lessons.side_by_side.exercises import compacted, prefix_sums, select_round


def lesson_of(module: str) -> Lesson:
    """The lesson with a package of this name."""
    return next(each for each in lessons()[1:] if each.module == module)


def texts_of(module: str) -> dict[str, str]:
    """The texts of a solved notebook by their names."""
    cells = notebook(lesson_of(module), "solution").cells
    cells = [each for each in cells if each.cell_type == "code"]
    return {
        each.id: str(node.value.value)
        for node in ast.parse("\n".join(cell.source for cell in cells)).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for each in node.targets
        if isinstance(each, ast.Name)
    }


def changed(right: str, changes: str) -> str:
    """A text with changes, as `old -> new & old -> new`; each old part is there exactly once."""
    for change in changes.split(" & "):
        old, new = change.split(" ->")
        assert right.count(old) == 1, old
        right = right.replace(old, new.removeprefix(" "))
    return right


def without_barrier(right: str, *numbers: int) -> str:
    """A kernel without some of its barriers, counted from 0."""
    parts = right.split("barrier();")
    kept = "".join(
        part + ("" if number in numbers else "barrier();") for number, part in enumerate(parts)
    )
    return kept.removesuffix("barrier();")


MEDIAN, SIDE_BY_SIDE, CAPSTONE = map(texts_of, ("median", "side_by_side", "capstone"))
COSTS = texts_of("kernel_costs")
HISTOGRAM = texts_of("buckets")["block_histogram"]
BETWEEN, RUNS = CAPSTONE["by_kernel"], CAPSTONE["mode_by_kernel"]
(WARP_LEAST,) = re.findall(r"^```c\n(.*?)^```$", lesson_of("side_by_side").text, re.M | re.S)

RIGHT: dict[Exercise, str] = {
    **{each: MEDIAN[each.name] for each in (distances, sum_of_distances)},
    block_histogram: HISTOGRAM,
    **{each: SIDE_BY_SIDE[each.name] for each in (prefix_sums, compacted, select_round)},
    **{each: COSTS[each.name] for each in (falls, transposed, up_sweep)},
    STATISTICS["trimmed mean"].by_kernel: BETWEEN,
    STATISTICS["mode"].by_kernel: RUNS,
}


def kernel_text(exercise: Exercise, text: str) -> str:
    """The solution of an exercise with changes, as `changed` takes them; or a whole text."""
    return changed(RIGHT[exercise], text) if " ->" in text else text
