"""Passes that ask: what they count and sum up, and which of them cannot mean what they say."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.drawing.passes import FRAME, TEXTURE, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.drawing.questions import NO_NETWORK, copying, counting, reducing
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram


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


def test_bad_questions_are_named() -> None:
    bad: list[tuple[tuple[Pass, ...], Any, str]] = [
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
    ]
    for passes, answer, reason in bad:
        program = Program(NO_NETWORK, "test", 4, 4, passes, FRAME, answer=answer)
        with pytest.raises(BadProgram, match=reason):
            verify(program)
