"""Passes that ask: what they count and sum up, and which of them cannot mean what they say."""

from dataclasses import replace

import numpy as np
import pytest

import shadersort as ss
from shadersort.drawing.passes import FRAME, TEXTURE, Pass, Shader
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.drawing.questions import NO_NETWORK, copying, counting, reducing
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram

SIZES = [(1, 1), (1, 2), (2, 2), (2, 4), (8, 8), (32, 64)]
TOLD: dict[Shader, dict[str, float]] = {
    "extent": {},
    "nearest": {"pivot": 0.25},
    "distances": {"pivot": 0.25, "low": -1.5, "high": float("inf")},
}


@pytest.mark.parametrize("shader", TOLD)
def test_devices_sum_alike(opengl: ss.Device, software: ss.Device, shader: Shader) -> None:
    """The software device defines what a reduction is; only a sum may round in another order."""
    keys = np.random.default_rng(0).standard_normal((64, 32, 4)).astype(np.float32)
    found = []
    for device in (opengl, software):
        with device.upload(keys) as texture:
            texel = device.ask(reducing(32, 64, shader), texture, TOLD[shader]).texel
            assert texel is not None
            found.append(texel)
    np.testing.assert_array_equal(found[0][[0, 1]], found[1][[0, 1]])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5)
    with software.upload(keys) as texture:
        total = software.ask(reducing(32, 64, "extent"), texture).texel
    assert total is not None
    assert total[2] == pytest.approx(keys.sum(dtype=np.float64), rel=1e-4)


def test_the_largest_texture(egl: ss.Device) -> None:
    """Every texel is counted once, far from the corner too."""
    keys = np.zeros((2048, 1024, 4), np.float32)
    keys[-1, -1, -1] = 7
    with egl.upload(keys) as texture:
        program = counting(1024, 2048, ("below", "equal"))
        assert egl.ask(program, texture, {"pivot": 7}).counts == (keys.size - 1, 1)
        texel = egl.ask(reducing(1024, 2048, "extent"), texture).texel
    assert texel is not None
    assert texel.tolist() == [0, 7, 7, keys.size]


def test_each_pass_halves_both_sides() -> None:
    for width, height in SIZES:
        program = reducing(width, height, "extent")
        assert len(program.passes) == max(1, int(np.log2(height)))
        assert program.passes[-1].texels == 1
        assert all(len(each.taps) <= 4 for each in program.passes)
        assert not any(each.target == TEXTURE for each in program.passes)


def test_a_question_is_no_move_and_a_move_no_question(device: ss.Device) -> None:
    with device.upload(np.zeros((2, 2, 4), np.float32)) as texture:
        with pytest.raises(ValueError, match=r"use Device\.ask"):
            device.execute(counting(2, 2, ("below",)), texture)
        with pytest.raises(ValueError, match=r"use Device\.execute"):
            device.ask(copying(2, 2), texture)
        with pytest.raises(ValueError, match=r"takes \['pivot'\], not \[\]"):
            device.ask(counting(2, 2, ("below",)), texture)
        with pytest.raises(ValueError, match=r"takes \[\], not \['pivot'\]"):
            device.ask(reducing(2, 2, "extent"), texture, {"pivot": 1})


COUNT = counting(4, 4, ("below",)).passes[0]
LEAF, FOLD = reducing(4, 4, "extent").passes
HALF = (whole(2, 2),)


@pytest.mark.parametrize(
    ("passes", "answer", "reason"),
    [
        ((replace(COUNT, quads=(whole(4, 4),)),), "counts", "pass 0: .* once for each channel"),
        ((replace(COUNT, taps=((0, 0),)),), "counts", "pass 0: needs no taps"),
        ((replace(COUNT, blend="min"),), "counts", "pass 0: asks a question, but"),
        ((replace(LEAF, taps=()),), "texel", "pass 0: needs 1 to 4 taps"),
        ((replace(LEAF, taps=((0, 0),) * 5),), "texel", "pass 0: needs 1 to 4 taps"),
        ((replace(LEAF, taps=((3, 0),)),), "texel", "pass 0: fetches texels outside the texture"),
        ((replace(LEAF, taps=((-1, 0),)),), "texel", "pass 0: fetches texels outside the texture"),
        ((LEAF, replace(FOLD, taps=((2, 0),))), "texel", "pass 1: reads texels of 'frame' left"),
        ((replace(LEAF, target="other"),), "texel", "first texel of 'frame' is left unwritten"),
        ((COUNT,), "texel", "first texel of 'frame' is left unwritten"),
        ((COUNT,), "texture", "answers by a texture"),
        ((Pass("copy", TEXTURE, FRAME, (whole(4, 4),)),), "counts", "answers by a counts"),
        ((COUNT, Pass("copy", FRAME, "other", HALF)), "counts", "pass 1: reads texels of 'frame'"),
        ((LEAF, Pass("copy", FRAME, TEXTURE, HALF)), "texel", "draws into its input"),
    ],
)
def test_bad_questions_are_named(passes: tuple[Pass, ...], answer: str, reason: str) -> None:
    program = Program(NO_NETWORK, "test", 4, 4, passes, FRAME, answer=answer)  # type: ignore[arg-type]
    with pytest.raises(BadProgram, match=reason):
        verify(program)
