from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.errors import BadOption
from shadersort.sorting.external.schedule import scheduled
from shadersort.sorting.shared_sort import Balance

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


def test_shares_follow_the_speeds() -> None:
    balance = Balance("auto")
    balance.measured(device=(1000, 1.0), cpu=(1000, 1.0))
    assert balance.for_device(4096) == 2048
    balance.measured(device=(4096, 1.0), cpu=(0, 0.0))  # no keys, so no new speed
    assert balance.for_device(4096) == 4096
    balance.measured(device=(0, 0.0), cpu=(1 << 20, 1.0))
    assert balance.for_device(4096) == 8


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
