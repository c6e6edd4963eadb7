"""`sort` with its lists merged by the CPU or on the device: the same bytes, for all keys."""

from itertools import product

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.names import NetworkName, SortMethod
from shadersort.sorting.texture_sort import TextureSort
from tests.conftest import without_window
from tests.helpers import (
    METHODS_AND_TYPES,
    TYPES,
    WAYS,
    assert_sorted_permutation,
    awkward_inputs,
    bits,
    random_bits,
    telling_floats,
)

SIZES = [0, 1, 2, 3, *(n + d for n in (4, 16, 256) for d in (-1, 0, 1))]
FLOAT = np.dtype(np.float32)


@pytest.fixture
def as_if_gpu(software: Device, monkeypatch: pytest.MonkeyPatch) -> Device:
    """A device that says that it is a GPU, so that "auto" merges there."""
    monkeypatch.setattr(software, "hardware", True)
    return software


@without_window
@pytest.mark.parametrize(("network", "method"), WAYS)
def test_every_size_merged_on_the_device(
    device: Device, network: NetworkName, method: SortMethod
) -> None:
    for n in SIZES:
        keys = random_bits(n, n, "float32")
        result = ss.sort(keys, network=network, method=method, device=device, merge="device")
        assert_sorted_permutation(result, keys)


@without_window
@pytest.mark.parametrize(("method", "dtype"), METHODS_AND_TYPES)
def test_every_type_and_awkward_keys(device: Device, method: SortMethod, dtype: str) -> None:
    for n in (0, 3, 31, 32, 33):
        for keys in awkward_inputs(n, dtype).values():
            on_host, on_device = (
                ss.sort(keys, method=method, device=device, merge=merge)
                for merge in ("host", "device")
            )
            assert_sorted_permutation(on_device, keys)
            np.testing.assert_array_equal(bits(on_host), bits(on_device))


@without_window
@pytest.mark.parametrize("method", ss.METHODS)
def test_telling_floats(device: Device, method: SortMethod) -> None:
    """Signed zeros, denormals, infinities and NaNs with payloads, mixed and alike."""
    for dtype, descending in product(("float16", "float32"), (False, True)):
        keys = telling_floats(dtype)
        mixed = np.random.default_rng(7).choice(keys, 67)
        some = [mixed, keys[np.isinf(keys)], *(np.full(9, key) for key in keys)]
        for each in some:
            found = ss.sort(
                each, method=method, device=device, merge="device", descending=descending
            )
            usual = ss.sort(each, method=method, device=device, merge="host", descending=descending)
            np.testing.assert_array_equal(bits(found), bits(usual))


def test_auto_follows_the_device_and_the_method(software: Device, as_if_gpu: Device) -> None:
    for method in ss.METHODS:
        way = TextureSort.prepared(as_if_gpu, FLOAT, "pbsn", method)
        assert way.merge == ("host" if method == "blend" else "device")
    as_if_gpu.hardware = False
    assert TextureSort.prepared(as_if_gpu, FLOAT, "pbsn", "fused").merge == "host"


@pytest.mark.parametrize("dtype", [*TYPES, "float64", "int64", "uint64"])
def test_indices_and_records_are_merged_there_too(as_if_gpu: Device, dtype: str) -> None:
    for n in SIZES:
        keys = random_bits(n, n, dtype) if n % 2 else np.resize(np.arange(3), n).astype(dtype)
        order = ss.argsort(keys, device=as_if_gpu)
        np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))
        found, places = ss.sort_records(keys, np.arange(n), device=as_if_gpu)
        np.testing.assert_array_equal(places, order)
        np.testing.assert_array_equal(bits(found), bits(keys[order]))


def test_a_trace_names_the_steps(software: Device) -> None:
    keys = random_bits(3, 64, "float32")
    seen = ss.trace(keys, device=software, merge="device")
    assert_sorted_permutation(seen.result, keys)
    assert seen.program.network.lists == 4
    inside = [each for each in seen if each.command.inside]
    assert [each.caption.split(" · ")[1:] for each in inside] == [
        ["step 17 of 29: turn 2", "within each texel"],
        ["steps 22–23 of 29: turn 3", "within each texel"],
        ["steps 28–29 of 29: inside 1", "within each texel"],
    ]
