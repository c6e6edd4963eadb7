"""CPU and device share one sort: the answers are those of the device alone."""

import threading
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import shadersort as ss
from shadersort import Device, errors
from shadersort.errors import BadOption
from shadersort.keys.types import WIDE, Keys
from shadersort.names import Precision, SortMethod
from shadersort.sorting import shared_sort
from shadersort.sorting.external.schedule import scheduled
from shadersort.sorting.shared_sort import WORTH_SHARING, Balance
from shadersort.sorting.sorted_ordinals import sort_ordinals
from shadersort.sorting.texture_sort import TextureSort
from tests.conftest import without_window
from tests.helpers import (
    METHODS_AND_TYPES,
    assert_sorted_permutation,
    bits,
    random_bits,
    telling_floats,
)

SHARES: list[Any] = [0.3, 1, "auto"]


def assert_same_bits(one: Keys, other: Keys) -> None:
    assert one.dtype == other.dtype
    np.testing.assert_array_equal(bits(one), bits(other))


@without_window
@pytest.mark.parametrize(
    ("method", "dtype"), [*METHODS_AND_TYPES, *(("auto", dtype.name) for dtype in WIDE)]
)
def test_every_type_by_every_method(device: Device, method: SortMethod, dtype: str) -> None:
    for n in (0, 1, 7, 1000):
        keys = random_bits(n, n, dtype)
        if keys.dtype.kind == "f":
            keys = np.concatenate([telling_floats(dtype), keys])[:n]
        for descending in (False, True):
            alone = ss.sort(keys, method=method, device=device, descending=descending)
            for share in SHARES:
                together = ss.sort(
                    keys, method=method, device=device, descending=descending, share=share
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


def test_an_emulated_card_rounds_the_keys_of_the_cpu_too(card: Device) -> None:
    keys = random_bits(5, 500, "float32")
    precisions: tuple[Precision | None, ...] = (None, "float16")
    for precision in precisions:
        alone = ss.sort(keys, device=card, precision=precision)
        assert alone.dtype == np.float16
        assert_same_bits(ss.sort(keys, device=card, share=0.5, precision=precision), alone)


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan, "half", None])
def test_bad_shares_are_refused_before_a_device_is_opened(share: Any) -> None:
    with pytest.raises(errors.BadOption, match=r"'auto', or a number from 0.0 to 1.0"):
        ss.sort(np.float32([1]), device="no such device", share=share)  # type: ignore[arg-type]


def test_numpy_sorts_while_the_device_draws(
    software: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits until the other has begun: one after the other would never end."""
    begun = threading.Barrier(2, timeout=60)
    draw = TextureSort.sort
    monkeypatch.setattr(shared_sort, "cores", lambda: 1)

    def drawn(self: TextureSort, keys: Keys, **options: Any) -> Keys:
        begun.wait()
        return draw(self, keys, **options)

    def by_cpu(keys: Keys) -> Keys:
        begun.wait()
        return sort_ordinals(keys)

    monkeypatch.setattr(TextureSort, "sort", drawn)
    monkeypatch.setattr(shared_sort, "sort_ordinals", by_cpu)
    keys = random_bits(1, 1000, "float32")
    assert_sorted_permutation(ss.sort(keys, device=software, share=0.5), keys)


def test_auto_measures_a_gpu_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And shares neither few keys, nor keys with a device that draws on the CPU's cores."""
    measured: list[int] = []
    measure = shared_sort.Sharing.measure

    def note(self: shared_sort.Sharing, sample: Keys) -> None:
        measured.append(len(sample))
        measure(self, sample)

    monkeypatch.setattr(shared_sort.Sharing, "measure", note)
    many = random_bits(1, WORTH_SHARING + 2000, "float32")
    with ss.open_device("software") as device:
        for hardware, keys, times in ((False, many, 0), (True, many[:100], 0), (True, many, 1)):
            monkeypatch.setattr(device, "hardware", hardware)
            for _ in range(2):
                result = ss.sort(keys, network="bitonic", device=device, share="auto")
                assert_sorted_permutation(result, keys)
            assert len(measured) == times


# balances and budgets


RATES = st.integers(1, 1000)


@given(st.integers(0, 1 << 20), st.floats(0, 1))
def test_a_share_that_is_said(keys: int, share: float) -> None:
    balance = Balance(share)
    assert not balance.unmeasured
    assert abs(keys - balance.for_device(keys) - share * keys) <= 0.5


@given(st.integers(1, 1 << 20), RATES, RATES)
def test_both_are_done_no_later_than_one_alone(keys: int, device: int, cpu: int) -> None:
    balance = Balance("auto")
    assert balance.unmeasured
    balance.measured(device=(1024, 1024 / device), cpu=(1024, 1024 / cpu))
    drawn = balance.for_device(keys)
    padded = 1 << (drawn - 1).bit_length() if drawn else 0
    whole = 1 << (keys - 1).bit_length()
    assert 0 <= drawn <= keys
    slower = max(padded / device, (keys - drawn) / cpu)
    assert slower <= min(whole / device, keys / cpu) * (1 + 1e-9)


def test_a_schedule_keeps_to_its_budget() -> None:
    budgets: list[int | str] = ["32MiB", "100MB", "256MiB", "3 GiB", 1 << 40]
    for memory, itemsize, most in product(budgets, (2, 4), (None, 1 << 12, 1 << 30)):
        size = scheduled(memory, 1, None).chunk * 3 + (16 << 20)  # the budget
        schedule = scheduled(memory, itemsize, most)
        factor = 3 if most is None else 15
        assert (16 << 20) + factor * schedule.chunk * itemsize <= size + 3, schedule
        assert schedule.step * itemsize <= min(size / 32 + 1, 4 << 20), schedule
        assert schedule.fan_in >= 2, schedule
        if most is not None:
            assert schedule.chunk <= most, schedule
            assert schedule.chunk.bit_count() == 1, schedule


def test_a_budget_that_is_none() -> None:
    for memory in ("", "much", "-5MiB", "1 PB", True, 0, -1, "31MiB"):
        with pytest.raises(BadOption, match="memory"):
            scheduled(memory, 4, None)
