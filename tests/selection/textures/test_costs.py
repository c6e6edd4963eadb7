"""Passes that ask: what they count, which cannot mean what they say, and what each call costs."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.drawing.cost.profiles import PROFILES
from shadersort.drawing.passes import FRAME, TEXTURE, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.drawing.questions import NO_NETWORK, copying, counting, reducing
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram, MethodUnavailable, ProfileLimit
from shadersort.names import CardName, SelectionMethod
from shadersort.selection.primitives.textures import TexturePrimitives, cost_of
from shadersort.selection.primitives.textures.costs import PROGRAMS

CARD: CardName = "geforce-6800-ultra"
SIZES = [1, 4, 5, 100, 1 << 10, (1 << 12) + 1]
ONE = np.float32(1)
CALLS: dict[str, tuple[Any, ...]] = {"extent": (), "sort": ()}
CALLS |= dict.fromkeys(("below", "counts", "objective", "at_or_above", "at_or_below"), (ONE,))


def watch(device: ss.Device, monkeypatch: pytest.MonkeyPatch) -> list[Program]:
    """Note every program that the device is about to draw."""
    drawn: list[Program] = []
    prepare = device._prepare

    def watched(program: Program, dtype: np.dtype[Any]) -> Sequence[Any]:
        drawn.append(program)
        return prepare(program, dtype)

    monkeypatch.setattr(device, "_prepare", watched)
    return drawn


def test_what_is_priced_is_what_is_drawn(card: ss.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes, quads and texels that the device draws, counted where it draws them."""
    drawn = watch(card, monkeypatch)
    assert set(CALLS) == set(PROGRAMS)
    for n, (call, arguments) in product(SIZES, CALLS.items()):
        with TexturePrimitives(np.full(n, ONE), card) as some:
            drawn.clear()
            getattr(some, call)(*arguments)
            cost = cost_of(call, n, profile=CARD)
            passes = [each for program in drawn for each in program.passes]
            assert cost.passes == len(passes)
            assert cost.texels == sum(each.texels for each in passes)
            assert cost.quads == sum(each.quad_count for each in passes)


@pytest.mark.parametrize(
    "method", ["bitwise", "bisection", "cutting-plane", "brent-root", "sort-choose"]
)
def test_a_selection_draws_no_more_than_its_steps(
    card: ss.Device, monkeypatch: pytest.MonkeyPatch, method: SelectionMethod
) -> None:
    """The passes of a whole selection, from the calls that its trace tells of; it is right."""
    drawn = watch(card, monkeypatch)
    keys = np.random.default_rng(3).standard_normal(5000).astype(np.float32)
    answer, trace = ss.select(keys, 2500, method=method, device=card, return_trace=True)
    assert answer == np.sort(keys)[2500]
    asked = {"bitwise": "below", "cutting-plane": "objective"}.get(method, "counts")
    calls = {"extent": "extent", "nearest": "at_or_above", "proof": "counts", "sort": "sort"}
    model = sum(cost_of(calls.get(step.name, asked), 5000).passes for step in trace.steps)
    assert sum(len(program.passes) for program in drawn) == model


def test_a_megabyte_of_keys() -> None:
    """A count fetches it four times, a channel at a time, and writes nothing; a pyramid once."""
    n, sheet = 1 << 18, PROFILES[CARD]
    cost = cost_of("counts", n)
    assert cost.bytes_written == 0
    assert cost.bytes_read == 2 * 4 * (4 * n)
    assert cost.transfer_seconds == 2 * 4 / sheet.readback_bandwidth.value
    assert cost.cycles == pytest.approx(2 * n * 3 / 16)  # 48 bytes a cycle come from memory
    cost, pyramid = cost_of("at_or_above", n), sum(n // 4 // 4**level for level in range(1, 9))
    assert (cost.texels, cost.bytes_read) == (pyramid, 16 * 4 * pyramid)
    assert cost.bytes_written == 16 * pyramid


def test_what_cannot_be_priced() -> None:
    with pytest.raises(MethodUnavailable, match="cannot do 'between': use 'extent', "):
        cost_of("between", 100)
    with pytest.raises(ProfileLimit, match="4096"):
        cost_of("counts", 1 << 27, profile=CARD)


# passes that ask: what they count and sum up, and which of them cannot mean what they say


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
