"""What `auto` chooses, without some primitives and on a device with `tuning.launch`."""

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.selection import select, select_many
from shadersort.selection.methods.auto import FEW, SEVERAL
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.values import Tuning
from tests.selection.inputs import Without, names, same

KEYS = np.random.default_rng(1).normal(size=FEW + 1)


class Launched(NumPyPrimitives):
    """NumPy's primitives, tuned as those of a GPU are."""

    tuning = Tuning(copies=True, launch=True, few=64)


def test_one_rank() -> None:
    for keys, method in (
        (Without(KEYS[:FEW]), "sort-choose"),
        (Without(KEYS), "randomized"),
        (Without(KEYS, "sort"), "cutting-plane"),
        (Without(KEYS, "sample"), "cutting-plane"),
        (Without(KEYS, cheap=False), "cutting-plane"),
        (Without(KEYS[:FEW], cheap=False), "cutting-plane"),
        (Launched(KEYS[:FEW]), "one-read"),
    ):
        answer, trace = select(keys, 7000, return_trace=True)
        assert answer == np.sort(keys.keys)[7000]
        assert trace.method == method
        assert ("one read" in names(trace)) == (method == "one-read")


def test_many_ranks() -> None:
    for keys, count, method in (
        (Without(KEYS[:FEW]), 3, "sort-choose"),
        (Without(KEYS), SEVERAL, "randomized"),
        (Without(KEYS), SEVERAL + 1, "bucket"),
        (Without(KEYS.astype(np.float32)), SEVERAL + 1, "bucket"),
        (Without(KEYS, "sort", cheap=False), SEVERAL + 1, "cutting-plane"),
    ):
        ks = np.linspace(0, keys.size - 1, count).astype(int)
        answers, trace = select_many(keys, ks, return_trace=True)
        np.testing.assert_array_equal(answers, np.sort(keys.keys)[ks])
        assert (trace.method, trace.ks) == (method, tuple(ks))


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
