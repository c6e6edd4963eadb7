"""The solution of each exercise with a kernel, as the solved notebooks have it."""

import ast

from scripts.lessons.source import lessons, notebook
from shadersort.lessons.buckets.exercises import block_histogram
from shadersort.lessons.capstone.kernels import by_kernel
from shadersort.lessons.exercises.exercise import Exercise
from shadersort.lessons.median.exercises import distances, sum_of_distances
from shadersort.lessons.side_by_side.kernels import compacted, prefix_sums, select_round


def texts_of(module: str) -> dict[str, str]:
    """The texts of a solved notebook by their names."""
    lesson = next(each for each in lessons()[1:] if each.module == module)
    cells = [each for each in notebook(lesson, "solution").cells if each.cell_type == "code"]
    found: dict[str, str] = {}
    for node in ast.parse("\n".join(cell.source for cell in cells)).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            found |= {
                each.id: str(node.value.value)
                for each in node.targets
                if isinstance(each, ast.Name)
            }
    return found


def changed(right: str, *changes: tuple[str, str]) -> str:
    """A text with changes; each replaces a part that is there exactly once."""
    for old, new in changes:
        assert right.count(old) == 1, old
        right = right.replace(old, new)
    return right


def without_barrier(right: str, *numbers: int) -> str:
    """A kernel without some of its barriers, counted from 0."""
    parts = right.split("barrier();")
    kept = "".join(
        part + ("" if number in numbers else "barrier();") for number, part in enumerate(parts)
    )
    return kept.removesuffix("barrier();")


MEDIAN, BUCKETS = texts_of("median"), texts_of("buckets")
SIDE_BY_SIDE, CAPSTONE = texts_of("side_by_side"), texts_of("capstone")

DISTANCES, SUM, HISTOGRAM = (
    MEDIAN["distances"],
    MEDIAN["sum_of_distances"],
    BUCKETS["block_histogram"],
)
PREFIX, COMPACTED = SIDE_BY_SIDE["prefix_sums"], SIDE_BY_SIDE["compacted"]
ROUND, BETWEEN, RUNS = (
    SIDE_BY_SIDE["select_round"],
    CAPSTONE["by_kernel"],
    CAPSTONE["mode_by_kernel"],
)

RIGHT: dict[Exercise, str] = {
    distances: DISTANCES,
    sum_of_distances: SUM,
    block_histogram: HISTOGRAM,
    prefix_sums: PREFIX,
    compacted: COMPACTED,
    select_round: ROUND,
    by_kernel.of["trimmed mean"]: BETWEEN,
    by_kernel.of["mode"]: RUNS,
}
