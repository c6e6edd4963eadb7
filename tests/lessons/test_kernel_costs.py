"""Lesson 15: costs are counted as on a GPU, slow kernels are told why, and a roof is measured."""

import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate
from shadersort.lessons.kernel_costs import exercises, pictures, roofline
from tests.right_kernels import COSTS

PLACES = 4096


def costs_of(lines: str) -> tuple[int, ...]:
    """The sectors, the ways and the divergent accesses of lines, which two warps run."""
    launch = Launch(np.zeros(PLACES, int), np.zeros(PLACES, int))
    text = f"shared int a[{PLACES}];\nvoid kernel() {{ {lines} }}"
    run = simulate(text, Setting(64), launch, orders=1)
    return tuple(run.cost(name).total() for name in ("sectors", "ways", "divergent"))


def test_costs_are_those_of_warps() -> None:
    for lines, costs in {
        "result[thread] = 1;": (8, 0, 0),
        "result[thread + 1] = 1;": (10, 0, 0),
        "result[8 * thread] = keys[2 * thread];": (64 + 16, 0, 0),
        "if (thread < 32) a[thread] = keys[thread];": (4, 1, 0),
        "if (thread % 2 == 0) atomicAdd(result[0], 1);": (2, 0, 2),
        "int own[2]; own[thread % 2] = thread < 40 ? keys[0] : 1;": (2, 0, 1),
        "for (int i = 0; i < thread; ++i) if (thread == 63) a[i] = i;": (0, 63, 63),
        "for (int i = thread; i < 96; i += 32) { if (i > 63) continue; a[0] = 1; }": (0, 3, 0),
        **{f"a[{ways} * thread] = 1;": (0, 2 * ways, 0) for ways in (1, 2, 4, 8, 32)},
        "a[33 * thread] += 1;": (0, 4, 0),
    }.items():
        assert costs_of(lines) == costs, lines


@pytest.mark.parametrize(
    ("slow", "name", "said"),
    [
        ("by_stretches", "falls", "its warps move .* sectors .* Line 10 "),
        ("through_a_tile", "transposed", "shared memory is asked 1056 times, .* Line 11 "),
        ("by_own_place", "up_sweep", "some lanes of a warp use memory, .* Line 8 "),
    ],
)
def test_a_right_kernel_that_costs_too_much_is_told_why(slow: str, name: str, said: str) -> None:
    verdict = getattr(exercises, name).check(COSTS[slow])
    assert re.search(f"the result is right, but .*{said}", verdict.about)
    assert verdict.state == "wrong"
    exercise = getattr(exercises, name)
    before, after = (pictures.table_of_costs(COSTS[each], exercise) for each in (slow, name))
    assert before.rows[-1] != after.rows[-1]


def assert_measured(roof: roofline.Roofline) -> None:
    assert min(roof.bandwidth, roof.arithmetic, *np.ravel(roof.points)) > 0
    assert [each for each, _ in roof.points] == [n / 8 for n in roofline.OPERATIONS]
    assert pictures.show_roofline(roof).get_axes()


def test_a_roofline_is_measured_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roofline, "OPERATIONS", roofline.OPERATIONS[:4])
    assert_measured(roofline.measure_numpy(1 << 15))
    x = np.linspace(0, 0.5, roofline.PIECE + 5, dtype=np.float32)
    found = np.empty((4, x.size), np.float32)
    for operations, row in enumerate(found, start=1):
        roofline.polynomial(operations, x, row)
    steps: Any = [x * x, x * x + 0.5, (x * x + 0.5) * x, (x * x + 0.5) * x + 0.5]
    np.testing.assert_allclose(found, steps, rtol=1e-6)
    assert all((one != other).any() for one, other in pairwise(found))


@pytest.mark.gpu
def test_a_roofline_is_measured_on_a_gpu() -> None:
    import cupy

    assert_measured(roofline.measure_gpu(cupy, 1 << 22))
