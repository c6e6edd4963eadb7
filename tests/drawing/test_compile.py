from itertools import product

import pytest

from shadersort.drawing.compile import METHODS, compile
from shadersort.drawing.methods.blending import halves
from shadersort.drawing.networks import NETWORKS, network
from shadersort.drawing.quads import Quads
from shadersort.errors import BadProgram, UnknownName

SHAPES = [(1, 1), (2, 2), (2, 4), (4, 2), (8, 8), (16, 1), (1, 16), (16, 3), (4, 12), (32, 8)]
"""Textures of whole windows: square, wide, high, of one row or column, of three windows."""


def partners(drawn: tuple[Quads, ...], width: int) -> dict[int, int]:
    """The wire that each covered wire is textured with."""
    found = {}
    for quads in drawn:
        (x, s), (y, t) = quads.columns(), quads.rows()
        for row, t_row in zip(y.tolist(), t.tolist(), strict=True):
            for column, s_column in zip(x.tolist(), s.tolist(), strict=True):
                found[row * width + column] = t_row * width + s_column
    return found


@pytest.mark.parametrize("name", NETWORKS)
def test_quads_are_the_comparators(name: str) -> None:
    """The quads of a step pair exactly the wires that its comparators join, no others."""
    for width, height in SHAPES:
        texels = width * height
        for step in network(name, texels & -texels).steps:
            low, high = (wires.tolist() for wires in step.comparators(texels))
            drawn_low, drawn_high = halves(step, width, height)
            assert partners(drawn_low, width) == dict(zip(low, high, strict=True)), step
            assert partners(drawn_high, width) == dict(zip(high, low, strict=True)), step


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
def test_fragment_is_one_pass_a_step(name: str) -> None:
    wires = network(name, 64)
    program = compile(wires, 8, 8, "fragment")
    assert len(program.passes) == wires.depth
    assert all(each.blend is None and each.texels == 64 for each in program.passes)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_ladder_runs_the_same_steps(name: str) -> None:
    """Methods cut the steps of a network into passes differently, and change nothing else."""
    for p in (0, 1, 5, 11, 12, 14):
        wires = network(name, 1 << p)
        for method, most in (("fragment", 1), ("fused", 9), ("compute", 66)):
            passes = compile(wires, 1 << p // 2, 1 << (p + 1) // 2, method).passes
            assert tuple(step for each in passes for step in each.steps) == wires.steps, method
            assert all(1 <= len(each.steps) <= most for each in passes), method


def test_compute_keeps_blocks_in_shared_memory() -> None:
    """Bitonic, 2**12 texels: a block of 2048 at once, one step over both, the rest inside again."""
    program = compile(network("bitonic", 1 << 12), 64, 64, "compute")
    passes = [(each.shader, len(each.steps)) for each in program.passes]
    assert passes == [("block", 66), ("global", 1), ("block", 11)]


def test_equal_arguments_give_the_same_program() -> None:
    first = compile(network("pbsn", 64), 8, 8, "blend")
    assert compile(network("pbsn", 64), 8, 8, "blend") is first


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"'magic': use 'blend'.* or 'auto' where"):
        compile(network("pbsn", 4), 2, 2, "magic")
    for (width, height), method in product(((3, 4), (0, 4), (2, 0), (2, 3)), METHODS):
        with pytest.raises(BadProgram):
            compile(network("pbsn", 4), width, height, method)
