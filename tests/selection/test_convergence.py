"""How many iterations the methods take: what Beliakov 2011 reports, on smaller data."""

import numpy as np
import pytest

from shadersort.errors import DidNotConverge
from shadersort.keys import datasets
from shadersort.selection.primitives import NumPyPrimitives
from tests.selection.inputs import traced

N = 1 << 17
DATA = {name: datasets.make(name, N, dtype="float64") for name in datasets.names_of("Beliakov")}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", DATA)
def test_cutting_planes(name: str, dtype: str) -> None:
    keys = DATA[name].astype(dtype)
    plain = len(traced(keys, N // 2, "cutting-plane").iterations)
    for some in (keys, *(datasets.with_outliers(keys, outlier) for outlier in (1e9, 1e20))):
        assert len(traced(some, N // 2, "cutting-plane", finish="iterate").iterations) < 30
        trace = traced(some, N // 2, "cutting-plane")
        assert len(trace.iterations) <= min(7, plain + 5)
        copied = [step for step in trace.steps if step.name == "compact"]
        assert not copied or trace.candidates[-1] <= N / 20


def test_bisection_pays_for_the_outlier_and_cutting_planes_do_not() -> None:
    some = [datasets.with_outliers(DATA["half-normal"], outlier) for outlier in (1.0, 1e9, 1e20)]
    counts = {}
    for method in ("bisection", "golden", "brent-min", "brent-root", "cutting-plane"):
        options = {"finish": "iterate"} if method == "cutting-plane" else {}
        traces = [traced(keys, N // 2, method, **options) for keys in some]
        counts[method] = [len(trace.iterations) for trace in traces]
    plain, billion, huge = counts["bisection"]
    assert billion - plain > 15
    assert huge - billion > 30
    for method in ("golden", "brent-min", "brent-root"):
        assert counts[method][2] > counts[method][0] + 30
    assert max(counts["cutting-plane"]) <= min(counts["cutting-plane"]) + 6


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_k_2_on_uniform_data_by_cutting_plane(dtype: str) -> None:
    """Alabi et al. 2012 saw 19% wrong answers here, all of them 0."""
    for seed in range(20):
        keys = np.random.default_rng(seed).random(1 << 14).astype(dtype)
        for k in (1, 2, keys.size - 2, keys.size - 3):
            for finish in ("compact", "iterate"):
                traced(keys, k, "cutting-plane", finish=finish)


def test_a_trace_adds_up() -> None:
    keys = DATA["normal"][:10_000]
    trace = traced(keys, 3000, "cutting-plane")
    names = [step.name for step in trace.steps]
    assert names == ["extent", "cut", "cut", "compact", "sort"]
    assert np.all(np.diff(trace.candidates) < 0)
    left = int(trace.candidates[-1])
    levels = (left - 1).bit_length()
    assert trace.keys_written == left + left * levels
    assert trace.keys_read == 4 * 10_000 + left * levels + 1
    assert trace.steps[-1].counts == NumPyPrimitives(keys).counts(trace.steps[-1].pivot)
    for earlier, later in zip(trace.iterations, trace.iterations[1:], strict=False):
        assert earlier.low <= later.low <= later.pivot <= later.high <= earlier.high
        inside = (keys >= later.low) & (keys <= later.high)
        assert inside.sum() == earlier.candidates


def test_keys_of_many_magnitudes_need_the_transform_or_codes() -> None:
    rng = np.random.default_rng(0)
    keys = np.exp(rng.uniform(-300, 300, 1 << 14))
    for options in ({}, {"transform": False}):
        trace = traced(keys, 1 << 13, "cutting-plane", finish="iterate", **options)
        assert len(trace.iterations) < 60
    wide = np.exp(rng.uniform(0, 300, 1 << 14))
    names = {s.name for s in traced(wide, 100, "cutting-plane", finish="iterate").iterations}
    assert "log cut" in names


def test_quasi_newton_fails_as_the_paper_found_it_to() -> None:
    for name in ("normal", "half-normal", "beta"):
        traced(DATA[name], N // 2, "quasi-newton")
    for name in ("mixture-1", "mixture-4"):
        with pytest.raises(DidNotConverge, match="the same slope") as found:
            traced(DATA[name], N // 2, "quasi-newton")
        assert found.value.trace.iterations
