"""What each call draws is what the model of cost says, and no more."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.drawing.cost.profiles import PROFILES
from shadersort.drawing.program import Program
from shadersort.errors import MethodUnavailable, ProfileLimit
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


@pytest.mark.parametrize("method", ["bitwise", "bisection", "cutting-plane", "brent-root"])
def test_a_selection_draws_no_more_than_its_steps(
    card: ss.Device, monkeypatch: pytest.MonkeyPatch, method: SelectionMethod
) -> None:
    """The passes of a whole selection, from the calls that its trace tells of."""
    drawn = watch(card, monkeypatch)
    keys = np.random.default_rng(3).standard_normal(5000).astype(np.float32)
    _, trace = ss.select(keys, 2500, method=method, device=card, return_trace=True)
    asked = {"bitwise": "below", "cutting-plane": "objective"}.get(method, "counts")
    calls = {"extent": "extent", "nearest": "at_or_above", "proof": "counts"}
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
