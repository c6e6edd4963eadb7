"""What methods do on a device that ranks by itself; here NumPy says that it does."""

import numpy as np
import pytest

from shadersort import datasets
from shadersort.primitives import NumPyPrimitives, Tuning
from shadersort.selection import METHODS, select
from tests.selection.inputs import same

ADVERSARIES = ["uniform", "ones", "ones-and-twos", "sorted", "bucket-killer", "near-zero"]


class Ranking(NumPyPrimitives):
    """NumPy's primitives of a device that ranks by itself."""

    tuning = Tuning(copies=True, ranks=True, few=64)


@pytest.mark.parametrize("method", ["radix", "bucket"])
def test_methods_that_leave_it_to_the_device(method: str) -> None:
    keys = datasets.make("normal", 5000, dtype="float32", seed=1)
    keys[:3] = np.nan, np.inf, -np.inf
    for k in (0, 1, 2500, 4998, 4999):
        answer, trace = select(Ranking(keys), k, method=method, return_trace=True)
        assert same(answer, np.partition(keys, k)[k])
        assert [step.name for step in trace.steps] == ["ranked"]
        answer, trace = select(Ranking(keys), k, method=method, few=100, return_trace=True)
        assert same(answer, np.partition(keys, k)[k])
        assert "ranked" not in [step.name for step in trace.steps]


@pytest.mark.parametrize("data", ADVERSARIES)
@pytest.mark.parametrize(
    "method", [name for name in METHODS if name not in ("quickselect-serial", "quasi-newton")]
)
def test_no_adversary_takes_many_reads(method: str, data: str) -> None:
    keys = datasets.make(data, 5000, dtype="float32", seed=2)
    for k in (0, 17, 2500, 4999):
        answer, trace = select(Ranking(keys), k, method=method, return_trace=True)
        assert same(answer, np.partition(keys, k)[k])
        assert len(trace.iterations) <= 32
