"""Kernels of the lessons as CUDA C: they compile without a GPU, and on a GPU they are right."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from modern.launching.compiling import NotCompiled, machine_code
from shadersort.keys.types import Integers
from shadersort.lessons.exercises import Exercise
from shadersort.lessons.exercises.kernel_runner import KernelRunner, compare_on_device
from shadersort.lessons.exercises.kernels.dialect import Setting, cuda
from shadersort.selection.primitives import Buckets
from tests.modern.references import on_gpu
from tests.right_kernels import RIGHT, SIDE_BY_SIDE, WARP_LEAST

OPTIONS = ("--std=c++17",)

every_exercise = pytest.mark.parametrize("exercise", RIGHT, ids=[each.name for each in RIGHT])

NUMBERS = {"ranks": ("count",), "below": ("pivot",), "least": (), "histogram": ("least", "width")}
SHOWN = {
    name: cuda(SIDE_BY_SIDE[name], Setting(numbers=numbers)) for name, numbers in NUMBERS.items()
} | {"warp": WARP_LEAST}
"""The kernels that lesson 14 shows, in CUDA C."""


@every_exercise
def test_kernels_to_write_compile_as_cuda(exercise: Exercise) -> None:
    assert isinstance(exercise.runner, KernelRunner)
    assert machine_code(cuda(RIGHT[exercise], exercise.runner.setting), "sm_80", OPTIONS)


@pytest.mark.parametrize("name", SHOWN)
def test_kernels_to_read_compile_as_cuda(name: str) -> None:
    assert machine_code(SHOWN[name], "sm_80", OPTIONS)


def test_code_is_compiled_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For all processes."""
    text = SHOWN["least"]
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path / "new"))
    code = machine_code(text, "sm_80", OPTIONS)
    assert machine_code(text, "sm_90", OPTIONS) != code
    monkeypatch.setattr("cupy.cuda.nvrtc.compileProgram", None)
    assert machine_code(text, "sm_80", OPTIONS) == code


def test_what_the_compiler_says_of_a_text_is_raised() -> None:
    with pytest.raises(NotCompiled, match='identifier "y" is undefined'):
        machine_code(cuda("void kernel() { int x = y; }", Setting()), "sm_80", OPTIONS)


def launched(name: str, keys: Integers, result: Integers, *numbers: int, blocks: int = 4) -> Any:
    from modern.launching.compiling import launch_text

    threads = 32 if name == "warp" else 64
    return launch_text(SHOWN[name], keys, result, numbers, blocks=blocks, threads=threads)


@pytest.mark.gpu
@every_exercise
def test_kernels_to_write_are_right_on_a_gpu(exercise: Exercise) -> None:
    from modern.launching.compiling import launch_text

    assert "right in all" in compare_on_device(exercise, launch_text, RIGHT[exercise])


@pytest.mark.gpu
@pytest.mark.parametrize("seed", range(3))
def test_kernels_to_read_answer_as_the_package_does_on_a_gpu(seed: int) -> None:
    rng = np.random.default_rng(seed)
    keys = np.append(rng.integers(0, 1000, size=10_000), [0, 999])
    package = on_gpu(keys.astype(np.float64))
    for pivot in (0, 1, 500, 1000):
        assert launched("below", keys, np.zeros(1, int), pivot)[0] == package.counts(pivot).below
    least = launched("least", keys + seed, keys[:1] + seed)
    assert least[0] == package.extent().low + seed
    counts = launched("histogram", keys, np.zeros(100, int), 0, 10)
    edges = Buckets(np.array([0.0, 1000.0]), 100)
    assert np.array_equal(counts, package.bucket_histogram(edges))
    numbers, in_order = keys[:100], np.sort(keys)
    ranks = launched("ranks", in_order, numbers, len(numbers), blocks=2)
    assert np.array_equal(ranks, np.searchsorted(in_order, numbers))
    for count in (1, 5, 31, 32):
        some = rng.permutation(1000)[:count]
        assert launched("warp", some, np.zeros(1, int), blocks=1)[0] == some.min()
