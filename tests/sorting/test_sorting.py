from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import shadersort as ss
from shadersort import Device, errors
from shadersort.keys.types import WIDE, Keys
from shadersort.names import MergePlace, NetworkName, SortMethod
from tests.conftest import without_window
from tests.helpers import (
    METHODS_AND_TYPES,
    WAYS,
    assert_sorted_permutation,
    awkward_inputs,
    bits,
    random_bits,
    telling_floats,
)

MERGES: tuple[MergePlace, ...] = ("host", "device")
METHODS_OF_RECORDS: tuple[SortMethod, ...] = ("fragment", "kipfer", "fused", "compute", "auto")
METHODS_AND_ALL_TYPES = [
    *METHODS_AND_TYPES,
    *product(METHODS_OF_RECORDS, [dtype.name for dtype in WIDE]),
]
"""Keys of 64 bits are sorted as records of two words: every bit of them is kept."""


@without_window
@pytest.mark.parametrize(("network", "method"), WAYS)
def test_every_half_there_is(device: Device, network: NetworkName, method: SortMethod) -> None:
    """All 65,536 bit patterns of float16, in a random order."""
    seed = len(network) + len(method)
    keys = np.random.default_rng(seed).permutation(1 << 16).astype(np.uint16).view(np.float16)
    result = ss.sort(keys, network=network, method=method, device=device)
    assert_sorted_permutation(result, keys)


@without_window
@pytest.mark.parametrize(("network", "method"), WAYS)
def test_every_size(device: Device, network: NetworkName, method: SortMethod) -> None:
    """Sizes next to a power of two are padded, or just not; the lists are merged by either."""
    for n in [*range(36), *(power + d for power in (64, 256, 1024) for d in (-1, 0, 1))]:
        keys = random_bits(n, n, "float32")
        for merge in MERGES:
            result = ss.sort(keys, network=network, method=method, device=device, merge=merge)
            assert_sorted_permutation(result, keys)


@without_window
@pytest.mark.parametrize(("method", "dtype"), METHODS_AND_ALL_TYPES)
def test_awkward_keys_of_every_type(device: Device, method: SortMethod, dtype: str) -> None:
    for n in (0, 3, 31, 32, 33):
        inputs = awkward_inputs(n, dtype)
        if np.dtype(dtype).kind == "f":
            kinds = telling_floats(dtype)
            inputs |= {"kinds": np.random.default_rng(n).choice(kinds, n)}
            inputs |= {f"alike {key}": np.full(9, key) for key in kinds[: len(kinds) * (n == 33)]}
        for keys in inputs.values():
            for merge, descending in zip(MERGES, (n % 2 == 1, n % 2 == 0), strict=True):
                result = ss.sort(
                    keys, method=method, device=device, merge=merge, descending=descending
                )
                assert_in_order(result, keys, descending=descending)


def assert_in_order(result: Keys, keys: Keys, *, descending: bool) -> None:
    """Downwards the numbers are reversed, and NaNs still last, in the order of the input."""
    if descending:
        numbers = np.count_nonzero(keys == keys)
        result = np.concatenate([result[:numbers][::-1], result[numbers:]])
    assert_sorted_permutation(result, keys)


@without_window
@given(
    keys=npst.arrays(np.uint32, st.integers(0, 200)).map(lambda a: a.view(np.float32)),
    way=st.sampled_from(WAYS),
    merge=st.sampled_from(MERGES),
)
def test_any_float32_bits(
    device: Device, keys: Keys, way: tuple[NetworkName, SortMethod], merge: MergePlace
) -> None:
    network, method = way
    result = ss.sort(keys, network=network, method=method, device=device, merge=merge)
    assert_sorted_permutation(result, keys)


def test_the_input_is_left_alone(device: Device) -> None:
    keys = telling_floats("float32")
    before = keys.copy()
    keys.setflags(write=False)
    for descending in (False, True):
        ss.sort(keys, device=device, descending=descending)
        np.testing.assert_array_equal(bits(keys), bits(before))
    strided = random_bits(3, 300, "float32")[::-3]
    assert_sorted_permutation(ss.sort(strided, device=device), strided.copy())


def test_half_precision_rounds(device: Device) -> None:
    keys = np.random.default_rng(5).standard_normal(1000).astype(np.float32)
    result = ss.sort(keys, device=device, precision="float16")
    assert_sorted_permutation(result, keys.astype(np.float16))


def test_progress_ends_at_the_last_pass(device: Device, capsys: pytest.CaptureFixture[str]) -> None:
    ss.sort(np.zeros(64, np.float32), device=device, progress=True)
    assert "48/48" in capsys.readouterr().err


def test_threads_may_share_a_device(egl: Device) -> None:
    inputs = [random_bits(seed, 500, "float32") for seed in range(8)]
    with ThreadPoolExecutor(len(inputs)) as pool:
        results = list(pool.map(lambda keys: ss.sort(keys, device=egl), inputs))
    for keys, result in zip(inputs, results, strict=True):
        assert_sorted_permutation(result, keys)


@without_window
@pytest.mark.parametrize(("method", "dtype"), METHODS_AND_ALL_TYPES)
def test_windows(device: Device, method: SortMethod, dtype: str) -> None:
    """Equal ones in an array, and ragged ones in a list."""
    lists: list[Any] = [[random_bits(n, n, dtype) for n in (5, 0, 1, 64, 65, 2, 130, 7, 7)]]
    for shape in [(0, 5), (3, 0), (1, 1), (5, 7), (37, 100), (300, 2)]:
        lists.append(random_bits(shape[1], shape, dtype))
    for windows, descending in product(lists, (False, True)):
        result = ss.sort_windows(windows, method=method, device=device, descending=descending)
        if isinstance(windows, list):
            assert isinstance(result, list)
        else:
            assert (result.shape, result.dtype) == (windows.shape, windows.dtype)
        for ordered, window in zip(result, windows, strict=True):
            assert_in_order(ordered, window, descending=descending)


@pytest.mark.parametrize(("network", "method"), WAYS)
def test_more_windows_than_a_texture_holds(
    software: Device, monkeypatch: pytest.MonkeyPatch, network: NetworkName, method: SortMethod
) -> None:
    monkeypatch.setattr(software, "max_texture_size", 8)
    windows = random_bits(2, (40, 30), "float32")
    result = ss.sort_windows(windows, network=network, method=method, device=software)
    for ordered, window in zip(result, windows, strict=True):
        assert_sorted_permutation(ordered, window)


def test_as_many_keys_as_a_texture_holds(software: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "max_texture_size", 8)
    keys = random_bits(1, 256, "uint32")
    assert_sorted_permutation(ss.sort(keys, method="fragment", device=software), keys)
    with pytest.raises(
        errors.TooManyKeys, match=r"257 keys do not fit.*8 × 8 texels: it takes 256"
    ):
        ss.sort(np.zeros(257, np.float32), device=software)
    with pytest.raises(errors.TooManyKeys, match=r"65 keys in one window do not fit.*it takes 64"):
        ss.sort_windows(np.zeros((1, 65), np.float32), device=software)


def test_bad_keys() -> None:
    flat = (np.zeros((2, 2), np.float32), np.float32(1))
    bad: list[Any] = [["b", "a"], [object()], [1j], [1.0, 2.0], *flat]
    for number, keys in enumerate(bad):
        with pytest.raises(errors.UnsupportedKeys if number < 4 else errors.KeysNotFlat):
            ss.sort(keys)


def test_bad_windows(software: Device) -> None:
    """Names are checked without windows, too."""
    half, single = np.zeros(2, np.float16), np.zeros(2, np.float32)
    no_windows = np.zeros((0, 4), np.float32)
    bad: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (single, {}, errors.KeysNotFlat, "2 dimension"),
        ([np.zeros((2, 2), np.float32)], {}, errors.KeysNotFlat, "2"),
        ([single, half], {}, errors.UnsupportedKeys, "one type; these have float16, float32"),
        ([], {"network": "bubble"}, errors.UnknownName, "bubble"),
        (no_windows, {"method": "magic"}, errors.UnknownName, "magic"),
        (no_windows.astype(np.int32), {}, errors.UnsupportedKeys, "int32"),
    ]
    for windows, options, error, says in bad:
        with pytest.raises(error, match=says):
            ss.sort_windows(windows, device=software, **options)


def test_bad_names(software: Device) -> None:
    for options, error in (
        ({"network": "bubble"}, errors.UnknownName),
        ({"method": "magic"}, errors.UnknownName),
        ({"merge": "gpu"}, errors.BadOption),
        ({"device": "vulkan"}, errors.UnknownName),
    ):
        with pytest.raises(error):
            ss.sort(np.zeros(0, np.float32), **{"device": software, **options})  # type: ignore[arg-type]
