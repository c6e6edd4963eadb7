from dataclasses import replace
from typing import Any, cast

import pytest

from shadersort.drawing.compile import compile
from shadersort.drawing.networks import Step, network
from shadersort.drawing.passes import Pass, Record
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad, Quads, Repeat, whole
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram

WHOLE = whole(4, 4)
LEFT = Quads(Quad(0, 0, 2, 4, 0, 0, 2, 4))
RIGHT = Quads(Quad(2, 0, 4, 4, 2, 0, 4, 4))
COPY = Pass("copy", "texture", "frame", (WHOLE,))
COMPARE = replace(COPY, shader="comparator", steps=(Step("mirror", 4),))
TURN = Step("turn", 2)
INSIDE = replace(COPY, shader="inside", inside=(TURN,))
BLUR: Any = "blur"


def program(*passes: Pass, result: str = "frame") -> Program:
    return Program(network("pbsn", 16), "blend", 4, 4, passes, result)


def test_halves_together_write_the_whole() -> None:
    verify(program(replace(COPY, quads=(LEFT,)), replace(COPY, quads=(RIGHT,))))
    verify(program(replace(COPY, quads=(LEFT, RIGHT))))


def quads(*corners: int, **repeats: Repeat) -> tuple[Quads]:
    return (Quads(Quad(*corners), **repeats),)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (replace(COPY, target="texture"), "reads the buffer 'texture' that it writes"),
        (replace(COPY, source="nowhere"), "reads texels of 'nowhere' left unwritten"),
        (replace(COPY, target="other", blend="min"), "blends with texels of 'other'"),
        (replace(COPY, quads=quads(0, 0, 5, 4, 0, 0, 5, 4)), "quads out of bounds: columns 0 to 4"),
        (replace(COPY, quads=quads(0, -1, 4, 3, 0, 0, 4, 4)), "quads out of bounds: rows -1"),
        (replace(COPY, quads=quads(0, 0, 4, 4, 1, 0, 5, 4)), "texture coordinates out of bounds"),
        (replace(COPY, quads=quads(0, 0, 4, 4, 3, 0, -1, 4)), "texture coordinates out of bounds"),
        (replace(COPY, quads=quads(0, 0, 4, 4, 0, 0, 2, 4)), "stretches its texture"),
        (replace(COPY, quads=quads(2, 0, 2, 4, 0, 0, 0, 4)), "empty quad"),
        (replace(COPY, quads=quads(0, 0, 2, 4, 0, 0, 2, 4, inner=Repeat(0, 2))), "empty quad"),
        (replace(COPY, quads=quads(0, 0, 2, 4, 0, 0, 2, 4, inner=Repeat(2, 1))), "texels twice"),
        (replace(COPY, quads=quads(0, 0, 2, 2, 0, 0, 2, 2, inner=Repeat(2, 2, 2))), "both axes"),
        (replace(COPY, quads=quads(0, 0, 2, 2, 0, 0, 2, 2, inner=Repeat(2))), "both axes or none"),
        (replace(COPY, quads=(WHOLE, LEFT)), "two of its quads overlap"),
        (replace(COPY, shader=BLUR), "no shader is called 'blur'"),
        (replace(COPY, steps=COMPARE.steps), "copies, but has steps"),
        (replace(COPY, inside=(TURN,)), "copies, but has steps inside"),
        (replace(INSIDE, inside=()), "at least one, and nothing else"),
        (replace(INSIDE, blend="min"), "compares, but blends"),
        (replace(INSIDE, quads=(LEFT, RIGHT)), "cover the whole texture by one quad"),
        (replace(INSIDE, inside=COMPARE.steps), "takes steps between texels for steps inside"),
        (replace(COMPARE, steps=(TURN,)), "takes steps between texels for steps inside"),
        (replace(COMPARE, inside=(TURN,)), "by 'comparator', which cannot"),
        (replace(COMPARE, steps=()), "compares by 1 to 3 steps, not by 0"),
        (replace(COMPARE, steps=(Step("mirror", 32),)), "no multiple of the"),
        (replace(COMPARE, source="x"), "left unwritten"),
        (replace(COMPARE, record=2), "has records of 2 ch"),
    ],
)
def test_a_bad_pass_is_named_by_its_index(bad: Pass, reason: str) -> None:
    with pytest.raises(BadProgram, match=reason) as caught:
        verify(program(COPY, COPY, bad))
    assert caught.value.index == 2
    assert str(caught.value).startswith("pass 2: ")


def test_steps_inside_need_lists_and_wires() -> None:
    verify(program(INSIDE))
    reason = r"pass 0: runs .*'turn'.* on texels without such lists"
    single = replace(program(INSIDE), network=network("pbsn", 1))
    records = replace(program(replace(INSIDE, record=2)), record=2)
    for bad in (single, records):
        with pytest.raises(BadProgram, match=reason):
            verify(bad)
    pair, three = replace(COPY, record=2), cast(Record, 3)
    blended, triple = replace(pair, blend="min"), replace(COPY, record=three)
    with pytest.raises(BadProgram, match="pass 1: blends channel by channel, which parts records"):
        verify(replace(program(pair, blended), record=2))
    with pytest.raises(BadProgram, match="a record has 2 channels, a key 1, not 3"):
        verify(replace(program(triple), record=three))
    odd = replace(program(replace(INSIDE, quads=(whole(3, 16),))), width=3, height=16)
    with pytest.raises(BadProgram, match="pass 0: compares in a texture whose width is 3"):
        verify(odd)


def test_quads_of_kipfer_s_routine_are_those_of_the_step() -> None:
    """Each carries partners and directions; idle wires are copied before."""
    good = compile(network("odd-even-merge", 16), 4, 4, "kipfer")
    first, *rest = good.passes
    for bad, reason in (
        (replace(first, quads=first.quads[::-1]), "draws quads that are not those of Step"),
        (replace(first, steps=(Step("mirror", 4),)), "draws quads that are not those of Step"),
        (replace(first, steps=first.steps * 2), "compares by 1 to 1 steps, not by 2"),
    ):
        with pytest.raises(BadProgram, match=f"pass 0: {reason}"):
            verify(replace(good, passes=(bad, *rest)))
    kept = tuple(each for each in good.passes if each.shader == "keep")
    with pytest.raises(BadProgram, match="leaves out wires that are idle"):
        verify(replace(good, passes=kept))


def test_texels_left_unwritten_are_no_result_and_are_not_read() -> None:
    half = replace(COPY, quads=(LEFT,))
    with pytest.raises(BadProgram, match="pass 1: reads texels of 'frame' left unwritten"):
        verify(program(half, Pass("copy", "frame", "texture", (WHOLE,))))
    with pytest.raises(BadProgram, match="the result 'frame' has texels left unwritten") as caught:
        verify(program(half))
    assert caught.value.index is None
    with pytest.raises(BadProgram, match="the result 'elsewhere'"):
        verify(program(COPY, result="elsewhere"))
