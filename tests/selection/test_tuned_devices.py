"""What methods do on a device with `tuning.launch`; here NumPy plays that device."""

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.selection import select, select_many
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.values import Tuning
from shadersort.selection.selection_trace import SelectionTrace
from tests.selection.inputs import same


class Launched(NumPyPrimitives):
    """NumPy's primitives, tuned as those of a GPU are."""

    tuning = Tuning(copies=True, launch=True, few=64)


def names(trace: SelectionTrace) -> list[str]:
    return [step.name for step in trace.steps]


def test_sort_choose_sorts_however_few_the_keys_are() -> None:
    for keys in (Launched(np.arange(50, 0, -1)), NumPyPrimitives(np.arange(50, 0, -1))):
        answer, trace = select(keys, 7, method="sort-choose", return_trace=True)
        assert (answer, names(trace)[0]) == (8, "sort")
        assert select_many(keys, [7], method="sort-choose") == [8]


ROUNDS = {
    "radix": ["extent", "digit"],
    "bucket": ["extent", "buckets"],
    "quickselect": ["pivot", "compact"],
    "randomized": ["bracket", "compact"],
}


@pytest.mark.parametrize("method", ROUNDS)
@pytest.mark.parametrize("device", [Launched, NumPyPrimitives])
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
    assert set(told[len(rounds) :]) <= {*rounds, *rest, *(["one read"] * (device is Launched))}


def test_auto_chooses_one_read_on_a_device_that_finds_a_rank_in_one_launch() -> None:
    for device, method in ((Launched, "one-read"), (NumPyPrimitives, "sort-choose")):
        answer, trace = select(device(np.arange(1000)), 99, return_trace=True)
        assert (answer, trace.method) == (99, method)
        assert ("one read" in names(trace)) == (method == "one-read")
