"""What methods read and write, and the cases where the papers' own methods failed."""

import numpy as np
import pytest

from shadersort.errors import DidNotConverge
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import select, select_many
from shadersort.selection.methods.auto import FEW, SEVERAL
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.primitives.values import Tuning
from shadersort.selection.printed.alabi_2012_bucket_select import CUTOFF
from tests.selection.inputs import Without, names, same, traced

# radix


def test_radix_writes_what_survives_and_in_place_none() -> None:
    keys = datasets.make("uniform", 10_000, dtype="uint32", seed=1)
    trace = traced(keys, 5000, "radix-inplace")
    assert names(trace) == ["extent", *["digit"] * 8]
    assert all(step.keys_read == 10_000 for step in trace.steps)
    assert trace.keys_written == 0
    trace = traced(keys, 5000, "radix", few=0)
    survivors = [step.candidates for step in trace.iterations]
    written = [step.keys_written for step in trace.steps if step.name == "compact"]
    assert written == list(dict.fromkeys(survivors))
    assert [step.keys_read for step in trace.iterations] == [10_000, *survivors[:-1]]


def test_digits_that_all_keys_share_are_skipped() -> None:
    keys: Keys = np.tile(np.array([0, 0x12345678, 0x12345679, 2**32 - 1], np.uint32), 100)
    for width, digits in ((1, 32), (5, 7), (16, 2)):  # both middle keys share all bits but the last
        trace = traced(keys, 150, "radix-inplace", width=width)
        assert names(trace).count("digit") == digits
    keys = (2**40 + np.arange(256)).astype(np.uint64).repeat(50)
    ways: list[tuple[str, dict[str, int]]] = [("radix", {"few": 0}), ("radix-inplace", {})]
    for method, options in ways:
        assert names(traced(keys, 77 * 50 + 20, method, **options)).count("digit") == 2
        assert names(traced(np.ones(1000), 500, method, **options)) == ["extent"]


# bucket


def test_bucket_narrows_the_range_or_copies_and_sorts_a_few_candidates() -> None:
    keys = datasets.make("uniform", 100_000, dtype="float64", seed=1)
    trace = traced(keys, 50_000, "bucket", few=0, cutoff=CUTOFF)
    assert trace.keys_written == 0
    assert len(trace.iterations) <= 3
    trace = traced(keys, 50_000, "bucket", few=1)
    assert 0 < trace.keys_written < 200
    assert trace.keys_read < 4.01 * 100_000
    assert names(traced(keys, 50_000, "bucket")) == ["extent", "buckets", "compact", "sort"]
    assert names(traced(np.ones(5000), 2000, "bucket")) == ["extent", "proof"]


@pytest.mark.parametrize("cutoff", [0, 1 << 21])
def test_adversaries_of_bucket(cutoff: int) -> None:
    def rounds(keys: Keys, k: int) -> int:
        return len(traced(keys, k, "bucket", few=1, cutoff=cutoff).iterations)

    for dtype in ("float32", "float64"):
        keys = datasets.make("near-zero", 20_000, dtype=dtype, seed=1)
        assert max(rounds(keys, k) for k in (0, 1, 200, 10_000, 19_998, 19_999)) <= 4
        smallest = np.finfo(dtype).smallest_subnormal
        rounds(np.random.default_rng(1).integers(0, 5000, 20_000).astype(dtype) * smallest, 10_000)
    # after seven rounds of the paper's method all keys of bucket-killer are candidates
    keys = datasets.make("bucket-killer", 20_000, dtype="float64", seed=1)
    assert max(rounds(keys, k) for k in (1000, 10_000, 19_900, 19_998)) <= 6
    assert rounds(datasets.make("ones-and-twos", 5000), 2000) <= 3
    limits, powers = np.finfo(np.float64), 2.0 ** np.arange(-1074, 1024)
    keys = np.concatenate([-powers, powers, [limits.max, -limits.max]])
    # ⌈64 bits / 10⌉ rounds by codes, as many by width
    assert max(rounds(keys, k) for k in range(0, keys.size, 300)) <= 14


def test_adversaries_of_many_ranks_by_buckets() -> None:
    for dtype in ("float32", "float64", "int32", "uint64"):
        keys = datasets.make("discrete", 600_000, dtype=dtype, seed=1)
        trace = traced(keys, datasets.ranks("uniform", 600_000, 101), "bucket")
        copied = [step.keys_written for step in trace.steps if step.name == "compact"]
        assert sum(copied) < 600_000 / 10  # values that the sample had too seldom
        assert trace.keys_read < 6 * 600_000
    keys = datasets.make("bucket-killer", 100_000, dtype="float64", seed=1)
    trace = traced(keys, datasets.ranks("uniform", 100_000, 101), "bucket", few=1000)
    sorted_keys = sum(step.keys_read for step in trace.steps if step.name == "sort")
    assert sorted_keys < 2 * 100_000


# quickselect


def test_quickselect_for_many_ranks_parts_once() -> None:
    keys = datasets.make("normal", 50_000, seed=1)
    ks = datasets.ranks("uniform", 50_000, 101)
    together = traced(keys, ks, "quickselect", few=64)
    singles = sum(traced(keys, int(k), "quickselect", few=64).keys_read for k in ks)
    assert together.keys_read < singles / 5


def test_no_order_is_bad_for_quickselect() -> None:
    for name in ("sorted", "reversed", "ones-and-twos", "bucket-killer"):
        keys = datasets.make(name, 50_000, seed=1)
        reads = [
            traced(keys, 25_000, "quickselect", few=1, seed=seed).keys_read / keys.size
            for seed in range(20)
        ]
        assert np.mean(reads) < 9  # 2 × 2.75 for medians of three, the sort of none, and a proof
    assert traced(np.ones(50_000), 7, "quickselect").keys_read == 50_003


# randomized


def test_nine_of_ten_brackets_hold_the_answer_and_many_keys_are_read_twice() -> None:
    keys, given = datasets.make("normal", 20_000, seed=1), {"probability": 0.9}
    traces = [traced(keys, 6000, "randomized", seed=seed, **given) for seed in range(300)]
    firsts = [trace.iterations[0].name for trace in traces]
    assert 0.87 <= firsts.count("bracket") / 300 <= 0.96
    keys = datasets.make("normal", 1 << 20, seed=1)
    trace = traced(keys, 1 << 19, "randomized")
    assert names(trace)[:3] == ["sample", "bracket", "compact"]
    assert trace.candidates[0] < 0.1 * keys.size
    assert trace.steps[1].keys_read == 2 * keys.size  # to count, and to copy
    assert trace.keys_read < 3.5 * keys.size


# cutting planes, and what Beliakov 2011 reports of them, on smaller data

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


def test_keys_of_many_magnitudes_need_the_transform_or_codes() -> None:
    rng = np.random.default_rng(0)
    keys = np.exp(rng.uniform(-300, 300, 1 << 14))
    for options in ({}, {"transform": False}):
        trace = traced(keys, 1 << 13, "cutting-plane", finish="iterate", **options)
        assert len(trace.iterations) < 60
    wide = np.exp(rng.uniform(0, 300, 1 << 14))
    assert "log cut" in names(traced(wide, 100, "cutting-plane", finish="iterate"))


def test_quasi_newton_fails_as_the_paper_found_it_to() -> None:
    for name in ("normal", "half-normal", "beta"):
        traced(DATA[name], N // 2, "quasi-newton")
    for name in ("mixture-1", "mixture-4"):
        with pytest.raises(DidNotConverge, match="the same slope") as found:
            traced(DATA[name], N // 2, "quasi-newton")
        assert found.value.trace.iterations


# what `auto` chooses, without some primitives and with `tuning.launch`


KEYS = np.random.default_rng(1).normal(size=FEW + 1)


class Launched(NumPyPrimitives):
    """NumPy's primitives, tuned as those of a GPU are."""

    tuning = Tuning(copies=True, launch=True, few=64)


def test_auto_for_one_rank() -> None:
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


def test_auto_for_many_ranks() -> None:
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
