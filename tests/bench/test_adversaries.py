"""The benchmark of the adversaries takes its labels from what ran, and tells faults."""

import numpy as np

from bench import adversaries
from bench.reproduce.phases import BUCKETS, BUCKETS_AS_PRINTED, Clock, clocked
from bench.shared.machines import Host
from bench.shared.record import Row
from shadersort.selection import select_many
from shadersort.selection.primitives import NumPyPrimitives
from tests.bench.helpers import options_of


def rows_of(words: str) -> list[Row]:
    options = options_of(adversaries.main, f"--n 2^12 --repeats 1 {words}")
    return list(adversaries.measurements(Host(), options))


def test_each_row_is_labelled_by_its_trace() -> None:
    rows = rows_of("--dtype float32 --method bucket --method cutting-plane")
    labels = {f"{m}, {v}" for m in ("bucket", "cutting-plane") for v in ("as printed", "improved")}
    assert {row["label"] for row in rows} == labels
    usual = [row for row in rows if row["data"] in ("uniform", "half-normal")]
    assert all(row["read_ratio"] == 1 == row["ms_ratio"] for row in usual)
    assert all(row["ms"] > 0 for row in rows)


def test_faults_of_the_printed_methods_are_told() -> None:
    rows = rows_of("--dtype float64 --method bucket --method cutting-plane")
    faults = {(row["label"], row["data"]) for row in rows if row["fault"]}
    assert ("cutting-plane, as printed", "10^20") in faults
    assert ("bucket, as printed", "near-zero") in faults
    assert all("as printed" in label for label, _ in faults)


def test_printed_bucket_select_pays_for_the_killer() -> None:
    found = rows_of("--dtype float32 --method bucket --n 2^16")
    rows = {(row["label"], row["data"]): row for row in found}
    assert rows["bucket, as printed", "bucket-killer"]["read_ratio"] > 3
    assert rows["bucket, improved", "bucket-killer"]["read_ratio"] <= 3


def test_the_phases_of_the_printed_bucket_multi_select() -> None:
    keys, clock = np.random.default_rng(1).random(50_000), Clock(Host())
    some = clocked(NumPyPrimitives(keys), clock)
    found = select_many(some, [5, 30_000], method="bucket", as_printed=True)
    np.testing.assert_array_equal(found, np.sort(keys)[[5, 30_000]])
    times = BUCKETS_AS_PRINTED.times(clock)
    assert set(times) == set(BUCKETS.of.values()) | {"sort-choose"}
    assert all(ms > 0 for ms in times.values())
