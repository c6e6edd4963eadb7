import pytest

from shadersort.drawing.blending import halves
from shadersort.drawing.networks import NETWORKS, network
from shadersort.drawing.passes import Pass
from shadersort.drawing.program import METHODS, compile
from shadersort.drawing.quads import Quads
from shadersort.errors import BadProgram, UnknownMethod

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
@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_quads_are_the_comparators(name: str, width: int, height: int) -> None:
    """The quads of a step pair exactly the wires that its comparators join, no others."""
    texels = width * height
    n = texels & -texels
    for step in network(name, n).steps:
        low, high = step.comparators(texels)
        drawn_low, drawn_high = halves(step, width, height)
        assert partners(drawn_low, width) == dict(zip(low.tolist(), high.tolist(), strict=True))
        assert partners(drawn_high, width) == dict(zip(high.tolist(), low.tolist(), strict=True))


def test_blend_is_the_paper_s_routine() -> None:
    """Copy; then MIN, MAX and a copy back for each step (routines 4.3 and 4.4)."""
    program = compile(network("pbsn", 16), 4, 4, "blend")
    copy, *steps = program.passes
    assert (copy.source, copy.target, copy.blend) == ("texture", "frame", None)
    assert [each.blend for each in steps] == ["min", "max", None] * 15 + ["min", "max"]
    assert {each.shader for each in steps} == {"copy"}
    assert program.result == "frame"


@pytest.mark.parametrize("block", [16, 8, 4, 2])
def test_quads_of_a_step_are_those_of_routine_4_4(block: int) -> None:
    """Blocks in a row: width/B quads, each as high as the texture; else height/(B/width) bands."""
    step = next(s for s in network("pbsn", 16).steps if s.block == block)
    ((low,), (high,)) = halves(step, 4, 4)
    assert low.count == high.count == 16 // block if block > 4 else 4 // block
    assert low.texels == high.texels == 8
    quad = low.quad
    if block <= 4:
        assert (quad.y0, quad.y1, quad.x1 - quad.x0) == (0, 4, block // 2)
    else:
        assert (quad.x0, quad.x1, quad.y1 - quad.y0) == (0, 4, block // 8)
    assert (quad.s0, quad.s1) == (block if block <= 4 else 4, block // 2 if block <= 4 else 0)


@pytest.mark.parametrize("name", NETWORKS)
def test_fragment_is_one_pass_a_step(name: str) -> None:
    wires = network(name, 64)
    program = compile(wires, 8, 8, "fragment")
    assert len(program.passes) == wires.depth
    assert all(each.blend is None and each.texels == 64 for each in program.passes)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("p", [0, 1, 5, 11, 12, 14])
def test_the_ladder_runs_the_same_steps(name: str, p: int) -> None:
    """Methods cut the steps of a network into passes differently, and change nothing else."""
    wires = network(name, 1 << p)
    for method, most in (("fragment", 1), ("fused", 9), ("compute", 66)):
        passes = compile(wires, 1 << p // 2, 1 << (p + 1) // 2, method).passes
        assert tuple(step for each in passes for step in each.steps) == wires.steps
        assert all(1 <= len(each.steps) <= most for each in passes)


def test_compute_keeps_blocks_in_shared_memory() -> None:
    """Bitonic, 2**12 texels: a block of 2048 at once, one step over both, the rest inside again."""
    program = compile(network("bitonic", 1 << 12), 64, 64, "compute")
    assert [(each.shader, len(each.steps)) for each in program.passes] == [
        ("block", 66),
        ("global", 1),
        ("block", 11),
    ]


def test_equal_arguments_give_the_same_program() -> None:
    first = compile(network("pbsn", 64), 8, 8, "blend")
    assert compile(network("pbsn", 64), 8, 8, "blend") is first


def test_passes_are_frozen() -> None:
    each = compile(network("pbsn", 4), 2, 2, "blend").passes[0]
    assert isinstance(each, Pass)
    with pytest.raises(AttributeError):
        each.shader = "other"  # type: ignore[assignment,misc]


def test_unknown_method_lists_the_known() -> None:
    with pytest.raises(UnknownMethod, match="'fused' or 'compute', or 'auto' where"):
        compile(network("pbsn", 4), 2, 2, "magic")


@pytest.mark.parametrize(("width", "height"), [(3, 4), (0, 4), (2, 0), (2, 3)])
@pytest.mark.parametrize("method", METHODS)
def test_a_texture_that_does_not_fit_is_refused(width: int, height: int, method: str) -> None:
    with pytest.raises(BadProgram):
        compile(network("pbsn", 4), width, height, method)
