"""Kipfer's improved bitonic sort: quads carry partners and directions."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.drawing.compile import compile
from shadersort.drawing.networks import Step, network
from shadersort.drawing.passes import CHANNELS, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram
from shadersort.names import NetworkName
from tests.conftest import without_window


@without_window
@pytest.mark.parametrize("name", ss.NETWORKS)
def test_every_input_of_zeros_and_ones_is_sorted(device: Device, name: str) -> None:
    """The 0-1 principle: a network that sorts these 2**16 inputs sorts every input of 16 keys."""
    wires = 16
    inputs = np.arange(1 << wires)[:, np.newaxis] >> np.arange(wires) & 1
    texels = inputs.reshape(-1, CHANNELS, wires).swapaxes(1, 2).astype(np.float32)
    program = compile(network(name, wires), 512, 512, "kipfer")
    drawn = device.run(program, texels.reshape(512, 512, CHANNELS))
    np.testing.assert_array_equal(drawn.reshape(texels.shape), np.sort(texels, axis=1))


def test_a_step_is_one_pass_and_idle_wires_are_copied_first() -> None:
    for name in ("pbsn", "bitonic"):
        wires = network(name, 64)
        passes = compile(wires, 8, 8, "kipfer").passes
        assert [each.shader for each in passes] == ["keep"] * wires.depth
        assert all(each.texels == 64 and each.fetches == 2 for each in passes)
    wires = network("odd-even-merge", 64)
    expected = [shader for step in wires.steps for shader in ["copy"] * step.skips + ["keep"]]
    passes = compile(wires, 8, 8, "kipfer").passes
    assert [each.shader for each in passes] == expected


@without_window
@pytest.mark.parametrize("name", ss.NETWORKS)
def test_records_are_kept_whole(device: Device, name: NetworkName) -> None:
    keys = np.random.default_rng(2).integers(0, 9, 300).astype(np.float32)
    order = ss.argsort(keys, network=name, method="kipfer", device=device)
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))


def _bad(passes: tuple[Pass, ...], **wires: Any) -> Program:
    return Program(network(**wires), "kipfer", 4, 4, passes, passes[-1].target)


def test_quads_that_are_not_those_of_the_step_are_refused() -> None:
    first, *rest = compile(network("bitonic", 16), 4, 4, "kipfer").passes
    for bad in (
        replace(first, quads=first.quads[::-1]),
        replace(first, steps=(Step("mirror", 4),)),
    ):
        with pytest.raises(BadProgram, match="pass 0: draws quads that are not those of Step"):
            verify(_bad((bad, *rest), name="bitonic", n=16))
    with pytest.raises(BadProgram, match="pass 0: compares by 1 to 1 steps, not by 2"):
        verify(_bad((replace(first, steps=first.steps * 2), *rest), name="bitonic", n=16))


def test_idle_wires_that_were_not_copied_are_refused() -> None:
    passes = compile(network("odd-even-merge", 16), 4, 4, "kipfer").passes
    kept = tuple(each for each in passes if each.shader == "keep")
    with pytest.raises(BadProgram, match="leaves out wires that are idle"):
        verify(_bad(kept, name="odd-even-merge", n=16))


def test_its_price_is_that_of_five_instructions() -> None:
    """Less than the 53 of the earlier bitonic sort, and fewer passes than PBSN has."""
    ways: dict[str, Any] = {"network": "bitonic", "precision": "float16"}
    n = 1 << 23
    kipfer, earlier = (ss.estimate(n, **ways, method=method) for method in ("kipfer", "fragment"))
    assert kipfer.passes == earlier.passes
    assert kipfer.texels == earlier.texels
    assert kipfer.comparisons == earlier.comparisons
    assert kipfer.cycles / earlier.cycles == pytest.approx(5 / 53)
