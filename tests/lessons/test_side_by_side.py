"""Lesson 14: two columns of source, and steps that are measured here; no GPU is needed."""

import numpy as np
import pytest

from shadersort import Device
from shadersort.keys.types import Keys
from shadersort.lessons.side_by_side.columns import columns, spellings
from shadersort.lessons.side_by_side.running import compute, draw
from shadersort.lessons.side_by_side.steps import QUESTIONS, measured
from shadersort.selection.primitives import Buckets, NumPyPrimitives
from shadersort.selection.primitives.textures import TexturePrimitives
from tests.right_kernels import SIDE_BY_SIDE


def test_letters_move_into_the_margin_of_columns() -> None:
    found = columns(SIDE_BY_SIDE["below_drawn"], SIDE_BY_SIDE["below"], "pivot")
    assert "atomicAdd(&result[0], total);" in repr(found)
    html = found._repr_html_()
    assert html.count("<pre") == 2
    assert html.count(">B</b> ") == html.count(">A</b> ") == 2
    assert "//" not in html
    assert "gl_WorkGroupID" in repr(spellings(SIDE_BY_SIDE["below"], "pivot"))


@pytest.fixture(params=[0, 1, 2])
def numbers(request: pytest.FixtureRequest) -> Keys:
    """A square of whole numbers from 0 to 999, with ties."""
    rng = np.random.default_rng(request.param)
    return rng.integers(0, 1000, size=(1 << (3 * request.param), 1 << (3 * request.param)))


def test_short_shaders_and_kernels_find_ranks(numbers: Keys) -> None:
    in_order, asked = np.sort(numbers, axis=None), numbers[:8, :8]
    expected = np.searchsorted(in_order, asked)
    textures = {"keys": in_order[np.newaxis], "numbers": asked}
    drawn, _ = draw(SIDE_BY_SIDE["ranks_drawn"], asked.shape, {"n": in_order.size}, **textures)
    assert np.array_equal(drawn, expected)
    computed = compute(SIDE_BY_SIDE["ranks"], in_order, asked.ravel(), count=asked.size)
    assert np.array_equal(computed, expected.ravel())


@pytest.mark.parametrize("pivot", [-1, 0, 1, 500, 999, 1000])
def test_short_shaders_and_kernels_count_as_the_package_does(numbers: Keys, pivot: int) -> None:
    expected = NumPyPrimitives(numbers.ravel()).counts(pivot).below
    drawn = draw(SIDE_BY_SIDE["below_drawn"], numbers.shape, {"pivot": pivot}, keys=numbers)[1]
    computed = compute(SIDE_BY_SIDE["below"], numbers.ravel(), np.zeros(1, int), pivot=pivot)
    assert drawn == computed == expected


def test_short_shaders_and_kernels_find_the_least_as_the_package_does(numbers: Keys) -> None:
    expected = NumPyPrimitives(numbers.ravel()).extent().low
    assert compute(SIDE_BY_SIDE["least"], numbers.ravel(), numbers[0, :1]) == expected
    while half := len(numbers) // 2:
        given = {"half_size": half}
        numbers, _ = draw(SIDE_BY_SIDE["least_drawn"], (half, half), given, keys=numbers)
    assert numbers == expected


def test_short_shaders_and_kernels_fill_buckets_as_the_package_does(numbers: Keys) -> None:
    keys = np.append(numbers, [0, 999]).reshape(1, -1).astype(np.float64)
    edges = Buckets(np.array([0.0, 1000.0]), 100)
    expected = NumPyPrimitives(keys.ravel()).bucket_histogram(edges)
    flat, counts = keys.astype(int).ravel(), np.zeros(100, int)
    computed = compute(SIDE_BY_SIDE["histogram"], flat, counts, least=0, width=10)
    assert np.array_equal(computed, expected)


def test_steps_are_measured_here(software: Device) -> None:
    keys = np.random.default_rng(0).random(256, np.float32)
    rows = list(measured(keys, software, NumPyPrimitives(keys)))
    assert [(row["step"], row["by"]) for row in rows] == [
        (step, by) for by in ("GLSL", "CUDA") for step in QUESTIONS
    ]
    assert all(row["ms"] > 0 and row["keys"] == 256 for row in rows)


def test_both_answer_alike(software: Device) -> None:
    keys = np.random.default_rng(1).random(1000, np.float32)
    with TexturePrimitives(keys, software) as texture:
        for step, ask in QUESTIONS.items():
            assert np.array_equal(ask(texture), ask(NumPyPrimitives(keys))), step
