"""CPU and device share one sort: the answers are those of the device alone."""

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import shadersort as ss
from shadersort import Device, errors
from shadersort.keys.types import Keys
from shadersort.names import Precision, SortMethod
from shadersort.sorting import shared_sort
from shadersort.sorting.shared_sort import WORTH_SHARING, SharedSort
from shadersort.sorting.texture_sort import TextureSort
from tests.conftest import without_window
from tests.helpers import (
    METHODS_AND_TYPES,
    assert_sorted_permutation,
    bits,
    random_bits,
    telling_floats,
)

SHARES: list[Any] = [0.3, 0.999, 1.0, 1, "auto"]


def assert_same_bits(one: Keys, other: Keys) -> None:
    assert one.dtype == other.dtype
    np.testing.assert_array_equal(bits(one), bits(other))


@without_window
@pytest.mark.parametrize(("method", "dtype"), METHODS_AND_TYPES)
def test_every_type_by_every_method(device: Device, method: SortMethod, dtype: str) -> None:
    for n in (0, 1, 2, 3, 7, 100, 1000):
        keys = random_bits(n, n, dtype)
        for descending in (False, True):
            alone = ss.sort(keys, method=method, device=device, descending=descending)
            for share in SHARES:
                together = ss.sort(
                    keys, method=method, device=device, descending=descending, share=share
                )
                assert_same_bits(together, alone)


@pytest.mark.parametrize("dtype", ["float64", "int64", "uint64"])
def test_keys_of_64_bits(software: Device, dtype: str) -> None:
    special = [0.0, -0.0, np.nan, -np.nan, np.inf, 5e-324] if dtype == "float64" else [0, 1]
    for n in (0, 1, 2, 99, 1000):
        keys = np.concatenate([random_bits(n, n, dtype), np.array(special, dtype)])[:n]
        for descending in (False, True):
            alone = ss.sort(keys, method="auto", device=software, descending=descending)
            for share in SHARES:
                together = ss.sort(
                    keys, method="auto", device=software, descending=descending, share=share
                )
                assert_same_bits(together, alone)


@given(
    keys=npst.arrays(np.uint32, st.integers(0, 100)).map(lambda a: a.view(np.float32)),
    share=st.floats(0, 1),
)
def test_any_keys_by_any_share(software: Device, keys: Keys, share: float) -> None:
    before = keys.copy()
    assert_sorted_permutation(ss.sort(keys, device=software, share=share), keys)
    np.testing.assert_array_equal(bits(keys), bits(before))


def test_special_floats(software: Device) -> None:
    for dtype in ("float16", "float32"):
        keys = np.random.default_rng(1).choice(telling_floats(dtype), 999)
        for share in SHARES:
            assert_sorted_permutation(ss.sort(keys, device=software, share=share), keys)


def test_an_emulated_card_rounds_the_keys_of_the_cpu_too(card: Device) -> None:
    keys = random_bits(5, 500, "float32")
    precisions: tuple[Precision | None, ...] = (None, "float16")
    for precision in precisions:
        alone = ss.sort(keys, device=card, precision=precision)
        assert alone.dtype == np.float16
        assert_same_bits(ss.sort(keys, device=card, share=0.5, precision=precision), alone)


def test_errors_are_those_of_the_device(software: Device) -> None:
    with pytest.raises(errors.UnsupportedKeys):
        ss.sort(np.arange(9, dtype=np.int32), device=software, share=1.0)
    with pytest.raises(errors.UnknownNetwork):
        ss.sort(np.float32([1]), network="quick", device=software, share=0.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan, "half", None])
def test_bad_shares_are_refused_before_a_device_is_opened(share: Any) -> None:
    with pytest.raises(errors.BadShare, match=r"'auto', or a number from 0.0 to 1.0"):
        ss.sort(np.float32([1]), device="no such device", share=share)  # type: ignore[arg-type]


def test_numpy_sorts_while_the_device_draws(
    software: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits until the other has begun: one after the other would never end."""
    begun = threading.Barrier(2, timeout=60)
    draw, by_numpy = TextureSort.sort, shared_sort._by_numpy
    monkeypatch.setattr(shared_sort, "cores", lambda: 1)

    def drawn(self: TextureSort, keys: Keys, **options: Any) -> Keys:
        begun.wait()
        return draw(self, keys, **options)

    def by_cpu(keys: Keys) -> tuple[Keys, float]:
        begun.wait()
        return by_numpy(keys)

    monkeypatch.setattr(TextureSort, "sort", drawn)
    monkeypatch.setattr(shared_sort, "_by_numpy", by_cpu)
    keys = random_bits(1, 1000, "float32")
    assert_sorted_permutation(ss.sort(keys, device=software, share=0.5), keys)


def auto_of(device: Device) -> SharedSort:
    way = TextureSort.prepared(device, np.dtype(np.float32), "pbsn", "blend")
    return SharedSort.prepared(way, "auto")


def test_auto_shares_no_keys_with_a_device_on_the_same_cores(software: Device) -> None:
    keys = random_bits(1, WORTH_SHARING, "float32")
    shared = auto_of(software)
    assert_sorted_permutation(shared.sort(keys), keys)
    assert shared.balance.unmeasured or shared.balance.for_device(1 << 20) == 1 << 20


def test_auto_measures_a_gpu_once_and_remembers_its_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    with ss.open_device("software") as device:
        monkeypatch.setattr(device, "hardware", True)
        few, many = (
            random_bits(1, n, "float32") for n in (WORTH_SHARING - 1, WORTH_SHARING + 2000)
        )
        shared = auto_of(device)
        assert_sorted_permutation(shared.sort(few), few)
        assert shared.balance.unmeasured
        assert_sorted_permutation(shared.sort(many), many)
        assert not shared.balance.unmeasured
        assert auto_of(device).balance is shared.balance
        measured: list[object] = []
        monkeypatch.setattr(SharedSort, "_measure", lambda *_: measured.append(1))
        assert_sorted_permutation(auto_of(device).sort(many), many)
        assert not measured


def test_records_are_not_shared(software: Device) -> None:
    """NumPy has no sort of a key and its index as one."""
    with pytest.raises(TypeError, match="share"):
        ss.argsort(np.zeros(1, np.float32), device=software, share=0.5)  # type: ignore[call-arg]
