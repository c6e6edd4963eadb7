"""Traces: what they hold is what a device leaves, and what `sort` runs."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device, Texture, Trace
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.networks import NETWORKS, Network
from shadersort.errors import TooManyKeys
from shadersort.keys.types import Keys
from shadersort.keys.undrawable import undrawable_mask
from shadersort.names import NetworkName, SortMethod
from shadersort.pictures.recorded_sort import TracedPass
from shadersort.pictures.recording import row_by_row
from shadersort.web.roles import Role
from tests.conftest import without_window
from tests.helpers import METHODS_AND_TYPES, WAYS, bits, random_bits, telling_floats


def random_keys(n: int, seed: int = 0) -> Keys:
    return np.random.default_rng(seed).random(n, np.float32)


@without_window
def test_textures_are_those_of_the_device(device: Device) -> None:
    """Special keys are in the result, and never drawn."""
    for number, (method, dtype) in enumerate(METHODS_AND_TYPES):
        name = list(NETWORKS)[number % len(NETWORKS)]
        keys = random_bits(1, 200, dtype)
        if keys.dtype.kind == "f":
            keys[::7] = np.resize(telling_floats(dtype), len(keys[::7]))
        seen = ss.trace(keys, network=name, method=method, device=device)
        left: list[Texels] = []

        def observe(
            index: int, buffers: Mapping[str, Texture], seen: Trace = seen, left: Any = left
        ) -> None:
            each = seen.program.passes[index]
            left.append(row_by_row(buffers[each.target].read(), each))

        final = device.run(seen.program, seen.input, observe)
        for traced, texels in zip(seen, left, strict=True):
            np.testing.assert_array_equal(bits(traced.after), bits(texels), err_msg=traced.caption)
        np.testing.assert_array_equal(bits(seen[-1].after), bits(final))
        expected = ss.sort(keys, network=name, method=method, device=device)
        np.testing.assert_array_equal(bits(seen.result), bits(expected))
        assert not undrawable_mask(seen.input).any()


@pytest.mark.parametrize(("name", "method"), WAYS)
def test_passes_are_a_chain(software: Device, name: NetworkName, method: SortMethod) -> None:
    """What a pass leaves follows from its source, what was there, and roles and partners alone.

    Each texture is what the last pass to write that buffer left.
    """
    for n in (0, 1, 2, 4, 5, 32, 64, 100, 256):
        seen = ss.trace(random_keys(n, n), network=name, method=method, device=software)
        network = seen.program.network
        buffers = {"texture": seen.input}
        for index, traced in enumerate(seen):
            command, steps = traced.command, traced.command.steps
            assert traced.index == index
            assert command is seen.program.passes[index]
            assert traced.source is buffers[command.source]
            assert traced.before is buffers.get(command.target)
            buffers[command.target] = traced.after
            np.testing.assert_array_equal(traced.after, explained(traced), err_msg=traced.caption)
            assert steps in ((), network.steps[traced.steps.start : traced.steps.stop])
            assert f"pass {index} (last {len(seen) - 1})" in traced.caption
            copies = {None: "copy", "min": "MIN", "max": "MAX"}[command.blend]
            assert (command.shader if steps else copies) in traced.caption
        begun = [step for traced in seen for step in traced.steps]
        assert list(dict.fromkeys(begun)) == list(range(network.depth))


def explained(traced: TracedPass) -> Texels:
    """What a pass leaves, told by its roles and partners; by its network if it has many steps."""
    roles = traced.roles
    if len(steps := traced.command.steps) > 1:
        wires = Network("its steps", traced.source.size // 4, steps)
        return wires.apply(traced.source.reshape(-1, 4).T).T.reshape(traced.source.shape)
    read = traced.source.reshape(-1, 4)[roles.partner]
    own = traced.before if traced.command.blend else traced.source
    own = np.full_like(read, np.nan) if own is None else own
    role = roles.role[..., np.newaxis]
    return np.select(
        [role == Role.UNTOUCHED, role == Role.COPIED, role == Role.MIN, role == Role.MAX],
        [own, read, np.minimum(own, read), np.maximum(own, read)],
    )


def test_slices(software: Device) -> None:
    seen = ss.trace(random_keys(64), device=software)
    part = seen[4:20:3]
    assert isinstance(part, Trace)
    assert [traced.index for traced in part] == [4, 7, 10, 13, 16, 19]
    assert len(part) == 6
    assert part[-1] is seen[19]
    assert part[1:][0] is seen[7]
    assert part.result is seen.result
    assert part.input is seen.input
    assert len(seen[5:5]) == 0
    assert seen[::-1][0] is seen[-1] is list(seen)[-1]
    assert "48 passes over 4 × 4 texels, 6 of them here" in repr(part)
    with pytest.raises(IndexError):
        seen[48]


@pytest.mark.parametrize("max_bytes", [100, 100_000])
def test_too_large_a_trace_says_what_would_do(
    monkeypatch: pytest.MonkeyPatch, software: Device, max_bytes: int
) -> None:
    keys = random_keys(1 << 16)
    for name, method in WAYS:
        trace = partial(ss.trace, network=name, method=method, device=software)
        with monkeypatch.context() as patch:
            patch.setattr(SoftwareDevice, "upload", lambda *_: pytest.fail("something was drawn"))
            with pytest.raises(TooManyKeys) as refused:
                trace(keys, max_bytes=max_bytes)
        found = re.search(r"trace at most ([\d,]+) keys, .* max_bytes=\d+$", str(refused.value))
        assert found, refused.value
        most = int(found[1].replace(",", ""))
        seen = trace(keys[:most], max_bytes=max_bytes)
        assert sum(traced.after.nbytes for traced in seen) + seen.input.nbytes <= max_bytes
        with pytest.raises(TooManyKeys, match=r"allow that many with max_bytes=(\d+)") as refused:
            trace(keys[: most + 1], max_bytes=max_bytes)
        needed = int(str(refused.value).rpartition("=")[2])
        assert len(trace(keys[: most + 1], max_bytes=needed)) > 0
