"""Traces: what they hold is what a device leaves, and what `sort` runs."""

import re
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shadersort as ss
from shadersort import Device, Texture, Trace
from shadersort.drawing.devices.base import Observer
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.networks import NETWORKS, Network
from shadersort.drawing.program import Program
from shadersort.errors import TooManyKeys
from shadersort.keys.types import Keys
from shadersort.names import MergePlace, NetworkName, SortMethod
from shadersort.pictures.recording import row_by_row
from shadersort.web.roles import Role
from tests.conftest import without_window
from tests.helpers import METHODS_AND_TYPES, WAYS, bits, random_bits, telling_floats

MERGES: tuple[MergePlace, ...] = ("host", "device")
EXPLAINED = [(name, method, n) for name, method in WAYS for n in (1, 2, 4, 32, 64, 256)]


def random_keys(n: int, seed: int = 0) -> Keys:
    return np.random.default_rng(seed).random(n, np.float32)


def drawn_by(device: Device, seen: Trace) -> list[Texels]:
    """The texture that each pass of a trace leaves on a device; the last is the result."""
    left: list[Texels] = []

    def observe(index: int, buffers: Mapping[str, Texture]) -> None:
        each = seen.program.passes[index]
        left.append(row_by_row(buffers[each.target].read(), each))

    final = device.run(seen.program, seen.input, observe)
    return [*left, final]


@without_window
def test_textures_are_those_of_the_device(device: Device) -> None:
    for number, (method, dtype) in enumerate(METHODS_AND_TYPES):
        name = list(NETWORKS)[number % len(NETWORKS)]
        seen = ss.trace(random_bits(1, 200, dtype), network=name, method=method, device=device)
        *left, final = drawn_by(device, seen)
        assert len(left) == len(seen) == len(seen.program.passes)
        for traced, texels in zip(seen, left, strict=True):
            np.testing.assert_array_equal(bits(traced.after), bits(texels), err_msg=traced.caption)
        np.testing.assert_array_equal(bits(seen[-1].after), bits(final))


@pytest.mark.parametrize(("name", "method"), WAYS)
def test_the_program_is_that_of_sort(
    monkeypatch: pytest.MonkeyPatch, software: Device, name: NetworkName, method: SortMethod
) -> None:
    ran: list[tuple[Program, Texels]] = []
    execute = SoftwareDevice.execute

    def spy(
        self: SoftwareDevice, program: Program, texture: Texture, observe: Observer | None = None
    ) -> Texture:
        ran.append((program, texture.read()))
        return execute(self, program, texture, observe)

    monkeypatch.setattr(SoftwareDevice, "execute", spy)
    keys = np.concatenate([telling_floats("float32"), random_keys(90)])
    for merge in MERGES:
        ss.sort(keys, network=name, method=method, device=software, merge=merge)
        seen = ss.trace(keys, network=name, method=method, device=software, merge=merge)
        (sorting, packed), (tracing, traced) = ran
        assert sorting is tracing is seen.program
        np.testing.assert_array_equal(bits(packed), bits(seen.input))
        np.testing.assert_array_equal(bits(traced), bits(seen.input))
        ran.clear()


@settings(max_examples=30)
@given(st.lists(st.floats(width=32, allow_subnormal=True), max_size=80), st.sampled_from(WAYS))
def test_passes_are_a_chain(keys: list[float], way: tuple[NetworkName, SortMethod]) -> None:
    """Each texture is what the last pass to write that buffer left; the result is that of sort."""
    array = np.array(keys, np.float32)
    name, method = way
    with ss.open_device("software") as device:
        seen = ss.trace(array, network=name, method=method, device=device)
        expected = ss.sort(array, network=name, method=method, device=device)
    np.testing.assert_array_equal(bits(seen.result), bits(expected))
    buffers = {"texture": seen.input}
    for index, traced in enumerate(seen):
        assert traced.index == index
        assert traced.command is seen.program.passes[index]
        assert traced.source is buffers[traced.command.source]
        assert traced.before is buffers.get(traced.command.target)
        buffers[traced.command.target] = traced.after


def test_roles_explain_every_pass(software: Device) -> None:
    """What a pass leaves follows from its source, what was there, and roles and partners alone."""
    for name, method, n in EXPLAINED:
        for traced in ss.trace(random_keys(n, n), network=name, method=method, device=software):
            roles = traced.roles
            if len(steps := traced.command.steps) > 1:
                wires = Network("its steps", traced.source.size // 4, steps)
                expected = wires.apply(traced.source.reshape(-1, 4).T).T
                expected = expected.reshape(traced.source.shape)
                np.testing.assert_array_equal(traced.after, expected, err_msg=traced.caption)
                continue
            read = traced.source.reshape(-1, 4)[roles.partner]
            own = traced.before if traced.command.blend else traced.source
            if own is None:
                own = np.full_like(read, np.nan)
            role = roles.role[..., np.newaxis]
            expected = np.select(
                [role == Role.UNTOUCHED, role == Role.COPIED, role == Role.MIN, role == Role.MAX],
                [own, read, np.minimum(own, read), np.maximum(own, read)],
            )
            np.testing.assert_array_equal(traced.after, expected, err_msg=traced.caption)


def test_steps_are_those_of_the_network(software: Device) -> None:
    for name, method in WAYS:
        seen = ss.trace(random_keys(256), network=name, method=method, device=software)
        network = seen.program.network
        for traced in seen:
            in_shader = traced.command.steps
            assert in_shader in ((), network.steps[traced.steps.start : traced.steps.stop])
            assert f"pass {traced.index} (last {len(seen) - 1})" in traced.caption
            copies = {None: "copy", "min": "MIN", "max": "MAX"}[traced.command.blend]
            assert (traced.command.shader if in_shader else copies) in traced.caption
        begun = [step for traced in seen for step in traced.steps]
        assert list(dict.fromkeys(begun)) == list(range(network.depth))


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


def test_special_keys_are_in_the_result_and_never_drawn(device: Device) -> None:
    keys = telling_floats("float32")
    seen = ss.trace(keys, device=device)
    np.testing.assert_array_equal(bits(seen.result), bits(ss.sort(keys, device=device)))
    assert not np.isnan(seen.input).any()
    assert not np.signbit(seen.input[seen.input == 0]).any()


@pytest.mark.parametrize(("name", "method"), WAYS)
@pytest.mark.parametrize("max_bytes", [100, 100_000])
def test_too_large_a_trace_says_what_would_do(
    monkeypatch: pytest.MonkeyPatch,
    software: Device,
    name: NetworkName,
    method: SortMethod,
    max_bytes: int,
) -> None:
    keys = random_keys(1 << 16)

    def trace(n: int, limit: int) -> Trace:
        return ss.trace(keys[:n], network=name, method=method, device=software, max_bytes=limit)

    with monkeypatch.context() as patch:
        patch.setattr(SoftwareDevice, "upload", lambda *_: pytest.fail("something was drawn"))
        with pytest.raises(TooManyKeys) as refused:
            trace(len(keys), max_bytes)
    found = re.search(r"trace at most ([\d,]+) keys, .* max_bytes=\d+$", str(refused.value))
    assert found, refused.value
    most = int(found[1].replace(",", ""))
    seen = trace(most, max_bytes)
    assert sum(traced.after.nbytes for traced in seen) + seen.input.nbytes <= max_bytes
    with pytest.raises(TooManyKeys, match=r"allow that many with max_bytes=(\d+)") as refused:
        trace(most + 1, max_bytes)
    needed = int(str(refused.value).rpartition("=")[2])
    assert len(trace(most + 1, needed)) > 0
