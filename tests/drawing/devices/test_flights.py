"""How much work is on its way to a device before it is waited for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.drawing.devices import fences
from shadersort.drawing.devices.fences import FIRST_TEXELS, SECONDS, Flights


class Clock:
    """A clock that goes on when work is done."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(fences, "time", clock)
    return clock


def flown(counted: Flights, clock: Clock, texels: int, texels_a_second: float) -> int:
    """Send passes of so many texels until the flight is full; return how many texels it carried."""
    passes = 1
    while not counted.sent(texels):
        passes += 1
    clock.now += passes * texels / texels_a_second
    counted.landed()
    return passes * texels


@pytest.mark.parametrize("texels_a_second", [1e6, 1e8, 3.5e9, 1e12])
def test_a_flight_comes_to_a_tenth_of_a_second(clock: Clock, texels_a_second: float) -> None:
    counted = Flights()
    assert flown(counted, clock, 1000, texels_a_second) >= FIRST_TEXELS > 1000
    for _ in range(20):
        last = flown(counted, clock, 1 << 13 if texels_a_second < 1e8 else 1 << 20, texels_a_second)
    assert last / texels_a_second == pytest.approx(SECONDS, rel=0.15)


def test_a_device_that_others_use_too_is_waited_for_sooner(clock: Clock) -> None:
    """The first flight after they came takes long, the second a tenth of a second."""
    counted = Flights()
    for _ in range(20):
        flown(counted, clock, 1 << 20, 4e9)
    assert flown(counted, clock, 1 << 20, 4e7) / 4e7 > 50 * SECONDS
    assert flown(counted, clock, 1 << 20, 4e7) / 4e7 < 2 * SECONDS


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(1, 1 << 40), st.floats(0, 1e6))))
def test_a_flight_can_always_be_filled(sent: list[tuple[int, float]]) -> None:
    """Whatever the clock says, even that no time went by."""
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fences, "time", clock)
        counted = Flights()
        for texels, seconds in sent:
            full = counted.sent(texels)
            clock.now += seconds
            if full:
                counted.landed()
        assert counted._most >= 1
        assert counted.sent(counted._most)
