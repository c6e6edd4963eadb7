"""Benchmarks run methods as printed without the proof, and ours as they are."""

import numpy as np
import pytest

from bench.shared.versions import versions
from shadersort.keys import datasets
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.printed import PRINTED

KEYS = datasets.make("normal", 5000, seed=1)


@pytest.mark.parametrize("method", PRINTED)
def test_as_printed_the_answer_is_the_same_and_the_proof_is_not_read(method: str) -> None:
    printed, ours = versions(method)
    keys = NumPyPrimitives(KEYS)
    assert printed.unproved(keys, 1234) == np.sort(KEYS)[1234] == ours.timed(KEYS, 1234).answer
    trace = printed.traced(KEYS, 1234).trace
    assert trace.label == f"{method}, as printed"
    reads = [step.keys_read for step in trace.steps if step.name != "proof"]
    assert keys.traffic.read == sum(reads) < trace.keys_read


def test_a_wrong_answer_as_printed_is_returned_and_refuted_where_it_is_traced() -> None:
    keys = np.append(np.random.default_rng(0).random(1000, np.float32), np.float32(1))
    keys[0] = 1  # the largest key twice: the second largest is not inside the open interval
    printed, ours = versions("cutting-plane")
    assert printed.timed(keys, 999).answer == 0
    assert printed.traced(keys, 999).fault == "AnswerRefuted"
    assert ours.timed(keys, 999).answer == 1
