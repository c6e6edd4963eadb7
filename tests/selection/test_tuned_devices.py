"""What methods do on a device with `tuning.fused` and `bracketed`; here NumPy plays that device."""

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.selection import METHODS, select, select_many
from shadersort.selection.primitives import Bracketed, NumPyPrimitives, Tuning
from shadersort.selection.selection_trace import SelectionTrace
from tests.selection.inputs import same

ADVERSARIES = ["uniform", "ones", "ones-and-twos", "sorted", "bucket-killer", "near-zero"]


class Fused(NumPyPrimitives):
    """NumPy's primitives, tuned as those of a GPU are."""

    tuning = Tuning(copies=True, fused=1 << 12, few=64)

    def bracketed(self, rank: int, samples: int, seed: int, lower: int, upper: int) -> Bracketed:
        return super().bracketed(rank, samples, seed, lower, upper)


def names(trace: SelectionTrace) -> list[str]:
    return [step.name for step in trace.steps]


def test_sort_choose_sorts_however_few_the_keys_are() -> None:
    for keys in (Fused(np.arange(50, 0, -1)), NumPyPrimitives(np.arange(50, 0, -1))):
        answer, trace = select(keys, 7, method="sort-choose", return_trace=True)
        assert (answer, names(trace)[0]) == (8, "sort")
        assert select_many(keys, [7], method="sort-choose") == [8]


ROUNDS = {
    "radix": ["extent", "digit"],
    "bucket": ["extent", "buckets"],
    "quickselect": ["pivot", "compact"],
    "randomized": ["bracket"],
}


@pytest.mark.parametrize("method", ROUNDS)
@pytest.mark.parametrize("device", [Fused, NumPyPrimitives])
def test_every_method_divides_as_its_paper_says(device: type[NumPyPrimitives], method: str) -> None:
    """However few the keys are: what follows ends the method, and the trace says how."""
    keys, rounds = datasets.make("normal", 3000, dtype="float32", seed=1), ROUNDS[method]
    for k in (700, 1500, 2600):
        answer, trace = select(device(keys), k, method=method, return_trace=True)
        assert same(answer, np.partition(keys, k)[k])
        told = [name for name in names(trace) if name != "sample"]
        assert told[: len(rounds)] == rounds
        assert trace.method == method
    rest = {"compact", "extent", "sort", "proof", "nearest"}
    assert set(told[len(rounds) :]) <= {*rounds, *rest, *(["fused radix"] * (device is Fused))}


def test_auto_chooses_one_read_on_a_device_that_finds_a_rank_in_one_launch() -> None:
    for device, method in ((Fused, "one-read"), (NumPyPrimitives, "sort-choose")):
        answer, trace = select(device(np.arange(1000)), 99, return_trace=True)
        assert (answer, trace.method) == (99, method)
        assert ("one read" in names(trace)) == (method == "one-read")


def test_no_adversary_takes_many_reads() -> None:
    for method in METHODS.keys() - {"quickselect-serial", "quasi-newton"}:
        for data in ADVERSARIES:
            keys = datasets.make(data, 5000, dtype="float32", seed=2)
            for k in (0, 17, 2500, 4999):
                answer, trace = select(Fused(keys), k, method=method, return_trace=True)
                assert same(answer, np.partition(keys, k)[k])
                assert len(trace.iterations) <= 32
