"""What `auto` chooses, and what it does without some primitives."""

import numpy as np

from shadersort.selection import select, select_many
from shadersort.selection.methods.auto import FEW, SEVERAL
from tests.selection.inputs import Without

KEYS = np.random.default_rng(1).normal(size=FEW + 1)


def test_one_rank() -> None:
    for keys, method in (
        (Without(KEYS[:FEW]), "sort-choose"),
        (Without(KEYS), "randomized"),
        (Without(KEYS, "sort"), "cutting-plane"),
        (Without(KEYS, "sample"), "cutting-plane"),
        (Without(KEYS, cheap=False), "cutting-plane"),
        (Without(KEYS[:FEW], cheap=False), "cutting-plane"),
    ):
        answer, trace = select(keys, 7000, return_trace=True)
        assert answer == np.sort(keys.keys)[7000]
        assert trace.method == method


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
        assert trace.keys_read == keys.traffic.read
