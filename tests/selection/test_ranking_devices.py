"""What methods do on a device that ranks by itself; here NumPy says that it does."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.keys.types import Integers
from shadersort.selection import METHODS, select, select_many
from shadersort.selection.primitives import By, NumPyPrimitives, Tuning
from tests.selection.inputs import same

ADVERSARIES = ["uniform", "ones", "ones-and-twos", "sorted", "bucket-killer", "near-zero"]


class Ranking(NumPyPrimitives):
    """NumPy's primitives of a device that ranks by itself."""

    tuning = Tuning(copies=True, ranks=True, few=64)


def test_sort_choose_has_the_device_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, ranked = [], NumPyPrimitives.ranked

    def noted(self: NumPyPrimitives, ranks: Integers, *, by: By = "digits") -> Any:
        asked.append(by)
        return ranked(self, ranks, by=by)

    monkeypatch.setattr(NumPyPrimitives, "ranked", noted)
    keys = Ranking(np.arange(50, 0, -1))
    answer, trace = select(keys, 7, method="sort-choose", return_trace=True)
    assert (answer, [step.name for step in trace.steps]) == (8, ["sort"])
    assert select_many(keys, [7], method="sort-choose") == [8]
    assert asked == ["sort", "sort"]


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


def test_randomized_leaves_a_round_to_the_device() -> None:
    keys = datasets.make("normal", 50_000, dtype="float32", seed=1)
    keys[:3] = np.nan, np.inf, -np.inf
    for k in (1000, 25_000, 49_000):
        answer, trace = select(Ranking(keys), k, method="randomized", return_trace=True)
        assert same(answer, np.partition(keys, k)[k])
        assert [step.name for step in trace.steps] == ["bracket", "sort"]
    options = {"samples": 100, "probability": 0.01}
    first = set()
    for seed in range(20):
        answer, trace = select(
            Ranking(keys), 25_000, method="randomized", return_trace=True, seed=seed, **options
        )
        assert same(answer, np.partition(keys, 25_000)[25_000])
        first.add(trace.steps[0].name)
        left = [step.candidates or 0 for step in trace.iterations]
        assert all(one > other for one, other in pairwise(left))  # the side of a miss is known
    assert first == {"bracket", "miss"}


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
