"""What the counting methods read and write, and the cases where the papers' own methods failed."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import SelectionTrace, select_many
from shadersort.selection.methods.randomized import bracket
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.printed.alabi_2012_bucket_select import CUTOFF
from tests.selection.inputs import traced


def traced_many(keys: Keys, ks: Any, method: str, **options: Any) -> Any:
    """Return the `SelectionTrace` of right answers."""
    some = NumPyPrimitives(keys)
    answers, trace = select_many(some, ks, method=method, return_trace=True, **options)
    np.testing.assert_array_equal(answers, np.sort(keys)[ks])
    return trace


def names(trace: SelectionTrace) -> list[str]:
    return [step.name for step in trace.steps]


# radix


def test_radix_writes_what_survives_and_in_place_none() -> None:
    keys = datasets.make("uniform", 10_000, dtype="uint32", seed=1)
    trace = traced(keys, 5000, "radix-inplace")
    digits = len(trace.iterations)
    assert digits == 8
    assert names(trace) == ["extent", *["digit"] * digits]
    assert all(step.keys_read == 10_000 for step in trace.steps)
    assert trace.keys_written == 0
    trace = traced(keys, 5000, "radix", few=0)
    survivors = [step.candidates for step in trace.iterations]
    written = [step.keys_written for step in trace.steps if step.name == "compact"]
    assert written == list(dict.fromkeys(survivors))
    counted = [step.keys_read for step in trace.iterations]
    assert counted == [10_000, *survivors[:-1]]


def test_digits_of_many_equal_codes() -> None:
    keys = np.tile(np.array([0, 0x12345678, 0x12345679, 2**32 - 1], np.uint32), 100)
    for width, digits in ((1, 32), (4, 8), (5, 7), (8, 4), (16, 2)):
        trace = traced(keys, 150, "radix-inplace", width=width)
        # both middle keys share all bits but the last
        assert names(trace).count("digit") == digits


def test_digits_that_all_keys_share_are_skipped() -> None:
    keys = (2**40 + np.arange(256)).astype(np.uint64).repeat(50)
    ways: list[tuple[str, dict[str, int]]] = [("radix", {"few": 0}), ("radix-inplace", {})]
    for method, options in ways:
        assert names(traced(keys, 77 * 50 + 20, method, **options)).count("digit") == 2
        assert names(traced(np.ones(1000), 500, method, **options)) == ["extent"]


# bucket


def test_bucket_narrows_the_range_or_copies_and_sorts_a_few_candidates() -> None:
    keys = datasets.make("uniform", 100_000, dtype="float64", seed=1)
    trace = traced(keys, 50_000, "bucket", few=0, cutoff=CUTOFF)
    assert "compact" not in names(trace)
    assert len(trace.iterations) <= 3
    assert all(step.keys_read in (0, 100_000) for step in trace.steps)
    trace = traced(keys, 50_000, "bucket", few=1)
    assert names(trace)[:4] == ["extent", "buckets", "compact", "extent"]
    assert 0 < trace.keys_written < 200
    assert trace.keys_read < 4.01 * 100_000
    assert names(traced(keys, 50_000, "bucket")) == ["extent", "buckets", "compact", "sort"]


@pytest.mark.parametrize("cutoff", [0, 1 << 21])
def test_adversaries_of_bucket(cutoff: int) -> None:
    for dtype in ("float32", "float64"):
        keys = datasets.make("near-zero", 20_000, dtype=dtype, seed=1)
        for k in (0, 1, 200, 10_000, 19_998, 19_999):
            assert len(traced(keys, k, "bucket", few=1, cutoff=cutoff).iterations) <= 4
        smallest = np.finfo(dtype).smallest_subnormal
        steps = np.random.default_rng(1).integers(0, 5000, 20_000).astype(dtype) * smallest
        traced(steps, 10_000, "bucket", few=1, cutoff=cutoff)
    keys = datasets.make("bucket-killer", 20_000, dtype="float64", seed=1)
    for k in (1000, 10_000, 19_900, 19_998):
        # after seven rounds of the paper's method all keys are candidates
        assert len(traced(keys, k, "bucket", few=1, cutoff=cutoff).iterations) <= 6


def test_the_widest_range_by_bucket() -> None:
    limits = np.finfo(np.float64)
    powers = 2.0 ** np.arange(-1074, 1024)
    keys = np.concatenate([-powers, powers, [limits.max, -limits.max]])
    for k in range(0, keys.size, 300):
        trace = traced(keys, k, "bucket", few=1)
        assert len(trace.iterations) <= 14  # ⌈64 bits / 10⌉ rounds by codes, as many by width


def test_equal_keys_by_bucket() -> None:
    assert names(traced(np.ones(5000), 2000, "bucket")) == ["extent", "proof"]
    trace = traced(datasets.make("ones-and-twos", 5000), 2000, "bucket", few=1, cutoff=0)
    assert len(trace.iterations) <= 3


# bucketMultiSelect


def test_many_ranks_by_buckets_copy_the_active_ones_only() -> None:
    keys = datasets.make("normal", 200_000, dtype="float64", seed=1)
    trace = traced_many(keys, datasets.ranks("uniform", 200_000, 11), "bucket")
    assert names(trace) == ["sample", "buckets"]
    (divided,) = trace.iterations
    assert divided.candidates is not None
    assert divided.candidates < 11 * 1000  # the ends of the range, too
    levels = (divided.candidates - 1).bit_length()
    assert divided.keys_written == divided.candidates * (1 + levels)  # they are sorted
    assert divided.keys_read == 2 * 200_000 + divided.candidates * levels + 11


def test_few_distinct_values_by_bucket_multiselect() -> None:
    for dtype in ("float32", "float64", "int32", "uint64"):
        keys = datasets.make("discrete", 600_000, dtype=dtype, seed=1)
        trace = traced_many(keys, datasets.ranks("uniform", 600_000, 101), "bucket")
        copied = [step.keys_written for step in trace.steps if step.name == "compact"]
        assert sum(copied) < 600_000 / 10  # values that the sample had too seldom
        assert trace.keys_read < 6 * 600_000


def test_bucket_killer_by_bucket_multiselect() -> None:
    keys = datasets.make("bucket-killer", 100_000, dtype="float64", seed=1)
    trace = traced_many(keys, datasets.ranks("uniform", 100_000, 101), "bucket", few=1000)
    sorted_keys = sum(step.keys_read for step in trace.steps if step.name == "sort")
    assert sorted_keys < 2 * 100_000


# quickselect


def test_quickselect_parts_until_few_are_left() -> None:
    keys = datasets.make("normal", 50_000, seed=1)
    trace = traced(keys, 25_000, "quickselect")
    pairs = (len(names(trace)) - 1) // 2
    assert names(trace) == [*["pivot", "compact"] * pairs, "sort"]
    for counted, copied in zip(trace.steps[0:-1:2], trace.steps[1:-1:2], strict=True):
        assert counted.keys_read == 3 + copied.keys_read
        assert copied.keys_written == counted.candidates
    assert trace.steps[0].counts is not None


def test_no_order_is_bad_for_quickselect() -> None:
    for name in ("sorted", "reversed", "ones-and-twos", "bucket-killer"):
        keys = datasets.make(name, 50_000, seed=1)
        reads = [
            traced(keys, 25_000, "quickselect", few=1, seed=seed).keys_read / keys.size
            for seed in range(20)
        ]
        assert np.mean(reads) < 9  # 2 × 2.75 for medians of three, the sort of none, and a proof
    assert traced(np.ones(50_000), 7, "quickselect").keys_read == 50_003


def test_multiple_quickselect_reads_less_than_one_after_the_other() -> None:
    keys = datasets.make("normal", 50_000, seed=1)
    ks = datasets.ranks("uniform", 50_000, 101)
    together = traced_many(keys, ks, "quickselect", few=64)
    singles = sum(traced(keys, int(k), "quickselect", few=64).keys_read for k in ks)
    assert together.keys_read < singles / 5


# randomized


def test_the_bracket_is_binomial() -> None:
    for samples, share in product((1, 10, 100), (0.001, 0.3, 0.5, 0.97)):
        chances = [
            math.comb(samples, count) * share**count * (1 - share) ** (samples - count)
            for count in range(samples + 1)
        ]
        for probability in (0.5, 0.9, 0.99):
            lower, upper = bracket(samples, share, probability)
            tail = (1 - probability) / 2 + 1e-12
            assert sum(chances[:lower]) <= tail < sum(chances[: lower + 1]) + 2e-12
            assert sum(chances[upper + 1 :]) <= tail
            assert upper == 0 or sum(chances[upper:]) >= tail - 2e-12


def test_nine_of_ten_brackets_hold_the_answer() -> None:
    keys = datasets.make("normal", 20_000, seed=1)
    options = {"probability": 0.9}
    traces = [traced(keys, 6000, "randomized", seed=seed, **options) for seed in range(300)]
    firsts = [trace.iterations[0].name for trace in traces]
    assert 0.87 <= firsts.count("bracket") / 300 <= 0.96


def test_randomized_reads_many_keys_twice() -> None:
    keys = datasets.make("normal", 1 << 20, seed=1)
    trace = traced(keys, 1 << 19, "randomized")
    assert trace.iterations[0].name == "bracket"
    assert names(trace)[:3] == ["sample", "bracket", "compact"]
    assert trace.candidates[0] < 0.1 * keys.size
    assert trace.steps[1].keys_read == 2 * keys.size  # to count, and to copy
    assert trace.keys_read < 3.5 * keys.size
