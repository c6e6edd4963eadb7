"""Butterflies: the steps that eight keys see, layouts between passes, quads that are drawn."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shadersort as ss
from shadersort.drawing.compile import build
from shadersort.drawing.methods.butterflies import (
    LAYERS,
    Butterfly,
    butterfly_of,
    cut,
    extract,
    row_by_row,
)
from shadersort.drawing.networks import Step, network
from shadersort.drawing.quads import whole
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram
from shadersort.keys.types import Keys

FUSIBLE = ["pbsn", "bitonic"]
SHAPES = [(4, 2, 8), (4, 16, 8), (4, 32, 32), (5, 4, 24), (9, 16, 32), (9, 64, 40), (12, 64, 128)]
"""Bits of a wire's number, and width and height of a texture of one or more windows."""


def steps_of(bits: int) -> st.SearchStrategy[tuple[Step, ...]]:
    """Any few steps without idle wires, among 2**bits wires."""
    step = st.builds(
        Step, st.sampled_from(["mirror", "shift"]), st.integers(1, bits).map(lambda p: 1 << p)
    )
    return st.lists(step, min_size=1, max_size=7).map(tuple)


def run(butterfly: Butterfly, keys: Keys) -> Keys:
    """Run a butterfly on all keys: for each wire, as the shader does for a place."""
    after = keys.copy()
    for wire in range(len(keys)):
        first, place = butterfly.first(wire), butterfly.place(wire)
        eight = [keys[first ^ other] for other in butterfly.inputs]
        if butterfly.fold:
            keep = max if place >= LAYERS else min
            eight = [keep(a, b) for a, b in zip(eight[:LAYERS], eight[LAYERS:], strict=True)]
        for low, high in butterfly.comparators:
            eight[low], eight[high] = min(eight[low], eight[high]), max(eight[low], eight[high])
        after[wire] = eight[place % LAYERS]
    return after


@settings(max_examples=60)
@given(bits=st.integers(3, 7), data=st.data())
def test_a_butterfly_does_what_its_steps_do(bits: int, data: st.DataObject) -> None:
    steps = data.draw(steps_of(bits))
    butterfly = butterfly_of(steps, bits)
    if butterfly is None:
        return
    keys = np.array(data.draw(st.permutations(range(1 << bits))))
    wires, expected = np.arange(1 << bits), keys
    for step in steps:
        partner = step.partner(wires)
        other = expected[partner]
        smaller, larger = np.minimum(expected, other), np.maximum(expected, other)
        expected = np.where(wires < partner, smaller, larger)
    np.testing.assert_array_equal(run(butterfly, keys), expected)


@given(bits=st.integers(3, 12), data=st.data())
def test_three_steps_of_different_sizes_always_are_one(bits: int, data: st.DataObject) -> None:
    powers = st.permutations(range(1, bits + 1)).map(lambda order: order[:3])
    pairings = st.lists(st.sampled_from(["mirror", "shift"]), min_size=3, max_size=3)
    steps = [
        Step(pairing, 1 << power)  # type: ignore[arg-type]
        for pairing, power in zip(data.draw(pairings), data.draw(powers), strict=True)
    ]
    found = butterfly_of(tuple(steps), bits)
    assert found
    assert found.fold is None
    assert sorted(extract(wire, found.bits) for wire in found.wires) == list(range(LAYERS))


def test_what_is_in_no_butterfly() -> None:
    idle = Step("shift", 4, offset=2, period=16)
    assert butterfly_of((idle,), 6) is None
    assert butterfly_of((Step("mirror", 4),), 2) is None  # there are no eight wires
    five = tuple(Step("shift", 1 << p) for p in (6, 5, 4, 3, 2))
    assert butterfly_of(five, 6) is None
    assert butterfly_of(five[:4], 6)
    touched = (Step("shift", 4), Step("mirror", 64), Step("shift", 32), Step("shift", 16))
    assert butterfly_of(touched, 6) is None  # what was folded away is needed again


def test_runs_are_all_steps_in_their_order() -> None:
    for name, bits in product(FUSIBLE, (3, 4, 5, 8, 13, 20)):
        steps = network(name, 1 << bits).steps
        runs = cut(steps, bits)
        assert runs
        assert tuple(step for run in runs for step in run) == steps, (name, bits)
        assert all(butterfly_of(run, bits) for run in runs), (name, bits)
        assert len(runs) <= 1 + len(steps) // 3, (name, bits)
    assert cut(network("odd-even-merge", 64).steps, 6) is None
    assert cut(network("pbsn", 4).steps, 2) is None
    assert cut((), 6) == []


@pytest.mark.parametrize("name", FUSIBLE)
@pytest.mark.parametrize(("bits", "width", "height"), SHAPES)
def test_layouts(name: str, bits: int, width: int, height: int) -> None:
    """Every wire has a place of its own; those of a butterfly lie at one position of all layers."""
    program = build(network(name, 1 << bits), width, height, "fused")
    reads = row_by_row(bits)
    for each in program.passes:
        assert each.fusion
        assert each.fusion.reads == reads
        texels = program.width * program.height
        for layout in (reads := each.fusion.writes, each.fusion.reads):
            addresses = layout.addresses(texels)
            assert np.array_equal(np.sort(addresses), np.arange(texels))
        if reads.layers > 1:
            wires = np.argsort(reads.addresses(texels)).reshape(LAYERS, -1)
            for layer, wire in enumerate(wires):
                np.testing.assert_array_equal(wire ^ wires[0], each.fusion.butterfly.wires[layer])
    assert reads == row_by_row(bits)


@pytest.mark.parametrize("name", FUSIBLE)
@pytest.mark.parametrize("shape", [*SHAPES, (6, 8, 8), (14, 128, 128)])
def test_a_quad_reads_each_key_from_one_layer(name: str, shape: tuple[int, int, int]) -> None:
    bits, width, height = shape
    program = build(network(name, 1 << bits), width, height, "fused")
    for each in program.passes:
        fusion = each.fusion
        assert fusion
        drawn = np.zeros((program.height // each.layers, program.width), np.int64)
        for quads in each.quads:
            (x, _), (y, _) = quads.columns(), quads.rows()
            drawn[np.ix_(y, x)] += 1
            positions = np.add.outer(y * program.width, x) % (1 << len(fusion.writes.order))
            wires = map(fusion.writes.wire, np.unique(positions).tolist())
            assert len({fusion.reads.layer(fusion.butterfly.first(wire)) for wire in wires}) == 1
        assert np.all(drawn == 1)


def test_a_texture_without_layers_is_sorted_all_the_same(software: ss.Device) -> None:
    for height in (1, 2, 3, 4, 6, 12):
        program = build(network("bitonic", 16), 16, height, "fused")
        assert {each.shader for each in program.passes} == {"comparator"}
        keys = np.random.default_rng(0).random((height, 16, 4), np.float32)
        np.testing.assert_array_equal(software.run(program, keys), np.sort(keys, axis=1))


@pytest.mark.parametrize("change", ["layout", "butterfly", "quads", "fusion", "shader"])
def test_a_pass_that_cannot_mean_what_it_says_is_refused(change: str) -> None:
    program = build(network("bitonic", 256), 16, 16, "fused")
    first, second, third, *rest = program.passes
    assert second.fusion
    assert third.fusion
    other = third.fusion.butterfly
    wrong = {
        "layout": replace(second, fusion=replace(second.fusion, reads=row_by_row(8))),
        "butterfly": replace(second, fusion=replace(second.fusion, butterfly=other)),
        "quads": replace(second, quads=(whole(16, 2),)),
        "fusion": replace(second, fusion=None),
        "shader": replace(second, shader="comparator"),
    }[change]
    verify(replace(program))
    with pytest.raises(BadProgram, match=r"^pass 1") as caught:
        verify(replace(program, passes=(first, wrong, third, *rest)))
    assert caught.value.index == 1
    with pytest.raises(BadProgram, match="the result 'layers' does not lie row by row"):
        verify(replace(program, passes=program.passes[:1], result="layers"))
