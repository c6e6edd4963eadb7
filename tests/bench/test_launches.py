"""The benchmark of launches names every kernel of a call, in order, with the time of each."""

from types import SimpleNamespace
from typing import Any

import pytest

from bench import launches
from bench.shared.machines import opened
from bench.staged import Call
from modern.launching.launch import Launcher
from tests.bench.helpers import options_of

gpu = pytest.mark.gpu


class Kernel:
    """Takes so many milliseconds."""

    ptr = 7

    def __init__(self, clock: list[float], ms: float) -> None:
        self.clock, self.ms = clock, ms

    def __call__(self, grid: Any, block: Any, args: Any, **options: Any) -> None:
        self.clock[0] += self.ms


def test_every_launch_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, times = [0.0], {"one": 2.0, "two": 3.0}

    class Event:
        def record(self) -> None:
            self.at = clock[0]

    cuda = SimpleNamespace(Event=Event, get_elapsed_time=lambda begin, end: end.at - begin.at)
    xp = SimpleNamespace(cuda=cuda)
    machine: Any = SimpleNamespace(xp=xp, wait=lambda: None, timed=lambda call: (10.0, call()))
    monkeypatch.setattr(Launcher, "kernel", lambda self, name: Kernel(clock, times[name]))
    launcher = object.__new__(Launcher)

    def run() -> None:
        for name in ("one", "two", "one"):
            kernel = launcher.kernel(name)
            assert kernel.ptr == 7
            clock[0] += 1  # a pause of the host
            kernel((1,), (1,), ())

    found = launches.launches(machine, Call(run), 3)
    assert found == [("one", 2), ("two", 3), ("one", 2), (launches.CALL, 10)]
    assert not isinstance(launcher.kernel("one"), launches.Watched)


@gpu
def test_launches_of_our_calls() -> None:
    machine = opened("cuda")
    options = options_of(launches.main, "--n 2^24 --dtype float32 --repeats 2")
    rows = list(launches.measurements(machine, options))
    of = {
        what: [row["launch"] for row in rows if row["what"] == what]
        for what in {row["what"] for row in rows}
    }
    assert of["select n/2"] == ["one_read", launches.CALL]
    assert of["101 ranks"][0] == "cells_built"
    assert {"threshold", "threshold_ties"} < set(of["threshold hard n/2"])
    assert all(row["ms"] >= 0 for row in rows)
    assert not any("torch" in what or "partition" in what for what in of)
