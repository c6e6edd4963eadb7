"""The benchmark of single steps, run on the software device and NumPy: it checks, and it tells."""

from typing import Any

import numpy as np
import pytest

from bench import steps
from bench.shared.machines import Host
from bench.steps import EXPECTED, measurements
from shadersort import Device
from shadersort.lessons.side_by_side.steps import QUESTIONS


def test_every_step_is_measured_by_both(software: Device) -> None:
    rows = list(measurements(software, Host(), [1024, 4096], turns=1))
    assert [(row["step"], row["by"], row["keys"]) for row in rows] == [
        (step, by, n) for n in (1024, 4096) for by in ("GLSL", "NumPy") for step in QUESTIONS
    ]
    assert all(row["ms"] > 0 for row in rows)


@pytest.mark.parametrize("step", QUESTIONS)
def test_a_wrong_answer_is_not_timed(
    software: Device, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    right: Any = EXPECTED[step]
    monkeypatch.setitem(steps.EXPECTED, step, lambda keys: np.add(right(keys), 1))
    with pytest.raises(AssertionError, match=f"not timed: {step} by GLSL"):
        list(measurements(software, Host(), [1024], turns=1))
