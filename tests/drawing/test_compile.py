from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shadersort import Device
from shadersort.drawing.compile import METHODS, compile
from shadersort.drawing.methods.blending import halves
from shadersort.drawing.methods.butterflies import row_by_row
from shadersort.drawing.networks import NETWORKS, Network, Step, network
from shadersort.drawing.quads import whole
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram, UnknownName
from tests.conftest import without_window


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """A few steps in any order, of every pairing and block, some with idle wires."""
    n = 1 << draw(st.integers(0, 8))
    every = {step for name in NETWORKS for step in network(name, n).steps}
    every |= {Step("shift", step.block) for step in every}
    some = st.lists(st.sampled_from(sorted(every, key=str)), max_size=9) if every else st.just([])
    return Network("any", n, tuple(draw(some)))


NO_BUTTERFLY = Network(
    "any", 64, (Step("shift", 4), Step("mirror", 64), Step("shift", 32), Step("shift", 16))
)
"""Three steps join eight wires, but they need again what the first one would fold away."""


@without_window
@settings(max_examples=200)
@given(wires=networks(), windows=st.sampled_from([1, 2, 3, 8]), method=st.sampled_from([*METHODS]))
@example(NO_BUTTERFLY, 8, "fused")
def test_programs_run_the_network(
    device: Device, wires: Network, windows: int, method: str
) -> None:
    """A program does to each channel of each window what its network does to keys."""
    texels = wires.n * windows
    keys = np.random.default_rng(texels).integers(-9, 9, (windows, wires.n, 4)).astype(np.float32)
    expected = wires.apply(keys.swapaxes(1, 2)).swapaxes(1, 2)
    for width in {1, wires.n, 1 << wires.n.bit_length() // 2, (texels & -texels)}:
        if texels % width == 0:
            program = compile(wires, width, texels // width, method)
            found = device.run(program, keys.reshape(-1, width, 4))
            np.testing.assert_array_equal(found.reshape(keys.shape), expected, f"width {width}")


def test_blend_is_the_paper_s_routine() -> None:
    """Copy; then MIN, MAX and a copy back for each step (routines 4.3 and 4.4)."""
    program = compile(network("pbsn", 16), 4, 4, "blend")
    copy, *steps = program.passes
    assert (copy.source, copy.target, copy.blend) == ("texture", "frame", None)
    assert [each.blend for each in steps] == ["min", "max", None] * 15 + ["min", "max"]
    assert {each.shader for each in steps} == {"copy"}
    assert program.result == "frame"


def test_quads_of_a_step_are_those_of_routine_4_4() -> None:
    """Blocks in a row: width/B quads, each as high as the texture; else height/(B/width) bands."""
    for step in network("pbsn", 16).steps[:4]:
        ((low,), (high,)) = halves(step, 4, 4)
        quad, block = low.quad, step.block
        assert low.texels == high.texels == 8
        if block <= 4:
            assert low.count == high.count == 4 // block
            assert (quad.y0, quad.y1, quad.x1 - quad.x0) == (0, 4, block // 2)
            assert (quad.s0, quad.s1) == (block, block // 2)
        else:
            assert low.count == high.count == 16 // block
            assert (quad.x0, quad.x1, quad.y1 - quad.y0) == (0, 4, block // 8)
            assert (quad.s0, quad.s1) == (4, 0)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_ladder_runs_the_same_steps(name: str) -> None:
    """Methods cut the steps of a network into passes differently, and change nothing else."""
    for p in (0, 1, 5, 11, 12, 14):
        wires = network(name, 1 << p)
        for method, most in (("fragment", 1), ("fused", 9), ("compute", 66)):
            passes = compile(wires, 1 << p // 2, 1 << (p + 1) // 2, method).passes
            assert tuple(step for each in passes for step in each.steps) == wires.steps, method
            assert all(1 <= len(each.steps) <= most for each in passes), method
            if method == "fused":
                assert len(passes) <= 1 + len(wires.steps) // 3 + len(wires.steps) % 3
                joined = p > 2 and name != "odd-even-merge"
                assert {each.shader for each in passes} <= {"butterfly" if joined else "comparator"}


def test_compute_keeps_blocks_in_shared_memory() -> None:
    """Bitonic, 2**12 texels: a block of 2048 at once, one step over both, the rest inside again."""
    program = compile(network("bitonic", 1 << 12), 64, 64, "compute")
    passes = [(each.shader, len(each.steps)) for each in program.passes]
    assert passes == [("block", 66), ("global", 1), ("block", 11)]


@pytest.mark.parametrize("name", NETWORKS)
def test_kipfer_s_step_is_one_pass_and_idle_wires_are_copied_first(name: str) -> None:
    wires = network(name, 64)
    expected = [shader for step in wires.steps for shader in ["copy"] * step.skips + ["keep"]]
    passes = compile(wires, 8, 8, "kipfer").passes
    assert [each.shader for each in passes] == expected
    assert all(each.fetches == 2 for each in passes if each.shader == "keep")
    assert ("copy" in expected) == (name == "odd-even-merge")


def test_equal_arguments_give_the_same_program() -> None:
    first = compile(network("pbsn", 64), 8, 8, "blend")
    assert compile(network("pbsn", 64), 8, 8, "blend") is first


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"'magic': use 'blend'.* or 'auto' where"):
        compile(network("pbsn", 4), 2, 2, "magic")
    for (width, height), method in product(((3, 4), (0, 4), (2, 0), (2, 3)), METHODS):
        with pytest.raises(BadProgram):
            compile(network("pbsn", 4), width, height, method)


def test_a_pass_that_cannot_mean_what_it_says_is_refused() -> None:
    program = compile(network("bitonic", 256), 16, 16, "fused")
    first, second, third, *rest = program.passes
    assert second.fusion
    assert third.fusion
    for wrong in (
        replace(second, fusion=replace(second.fusion, reads=row_by_row(8))),
        replace(second, fusion=replace(second.fusion, butterfly=third.fusion.butterfly)),
        replace(second, quads=(whole(16, 2),)),
        replace(second, fusion=None),
        replace(second, shader="comparator"),
    ):
        with pytest.raises(BadProgram, match=r"^pass 1"):
            verify(replace(program, passes=(first, wrong, third, *rest)))
    with pytest.raises(BadProgram, match="the result 'layers' does not lie row by row"):
        verify(replace(program, passes=program.passes[:1], result="layers"))
