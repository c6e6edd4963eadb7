"""The benchmark of fragment and compute shaders, on a small texture."""

import numpy as np
import pytest

import shadersort as ss
from bench.chip import FLOPS, measure
from shadersort.drawing.devices.opengl import OpenGLDevice


def test_every_kind_of_work_is_measured_on_every_kind_of_shader() -> None:
    with ss.open_device("egl") as device:
        assert isinstance(device, OpenGLDevice)
        rows = list(measure(device, 32, 3))
        keys = np.array([2, 1], np.float32)
        assert ss.sort(keys, device=device).tolist() == [1, 2]  # the context is as it was
    works = {("arithmetic", "f2"), ("write", "f2"), ("write", "f4")}
    assert {(row["work"], row["dtype"]) for row in rows} == works
    assert len({(row["work"], row["dtype"], row["stage"]) for row in rows}) == 9
    for row in rows:
        assert row["gtexels_s"] == pytest.approx(row["texels"] / row["ms"] / 1e6)
        assert row["tflops"] == pytest.approx(row["gtexels_s"] * row["loops"] * FLOPS / 1e3)
