"""Bytes of the summaries that count: 10,000 damaged ones, each refused, and forged ones."""

import copy
import json
import pickle
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from shadersort.errors import CorruptSummary, UnsupportedKeys
from shadersort.streams import (
    FrequencySummary,
    HierarchicalHeavyHitters,
    HostSorter,
    NumPySorter,
    SlidingFrequencies,
)
from shadersort.streams.blob import DIGEST
from shadersort.streams.summary import Summary

STREAM = np.minimum(np.random.default_rng(1).zipf(1.3, 30_000), 1 << 20)


def made() -> dict[str, Any]:
    """Summaries of every class that counts, with blocks, items and values that wait."""
    summaries: dict[str, Any] = {
        "frequencies": FrequencySummary(0.05),
        "frequencies of halves": FrequencySummary(0.05, dtype="float16"),
        "heavy": HierarchicalHeavyHitters(0.05),
        "heavy decimals": HierarchicalHeavyHitters(0.05, "decimal", digits=7, step=3),
        "sliding": SlidingFrequencies(0.1, 10_000),
        "sliding, one length": SlidingFrequencies(0.1, 10_000, shortest=10_000),
        "sliding, kept whole": SlidingFrequencies(0.01, 700),
    }
    for summary in summaries.values():
        summary.update(STREAM[:27_077] % 1009)
    return summaries


SUMMARIES = made()
CASES = 1_450
"""Damaged bytes for each; all together more than 10,000."""


def damaged(data: bytes, random: np.random.Generator) -> bytes:
    """Return bytes cut off, lengthened, exchanged, or with some bits flipped."""
    array = np.frombuffer(data, np.uint8).copy()
    kind, at = random.integers(5), int(random.integers(len(data)))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + random.bytes(int(random.integers(1, 9))) + data[at:]
    if kind == 2:
        return data[:at] + data[at + int(random.integers(1, 40)) :]
    if kind == 3:
        array[at : at + int(random.integers(1, 300))] = int(random.integers(256))
        return array.tobytes()
    for place in random.integers(0, len(data), random.integers(1, 4)):
        array[place] ^= 1 << int(random.integers(8))
    return array.tobytes()


@pytest.mark.parametrize("name", SUMMARIES)
def test_damaged_bytes_are_refused(name: str) -> None:
    data, random = SUMMARIES[name].to_bytes(), np.random.default_rng(len(name))
    refused = 0
    while refused < CASES:
        bad = damaged(data, random)
        if bad != data:
            with pytest.raises(CorruptSummary) as caught:
                Summary.from_bytes(bad)
            assert isinstance(caught.value, ValueError)
            refused += 1


@pytest.mark.parametrize("name", SUMMARIES)
def test_forged_bytes_are_refused_or_are_a_summary(name: str) -> None:
    """Where the digest is right, too, there is an error, or else something that answers."""
    data, random = SUMMARIES[name].to_bytes(), np.random.default_rng(len(name))
    accepted = 0
    for _ in range(500):
        body = damaged(data, random)[:-DIGEST]
        try:
            summary: Any = Summary.from_bytes(body + blake2b(body, digest_size=DIGEST).digest())
        except CorruptSummary:
            continue
        accepted += 1
        again = Summary.from_bytes(summary.to_bytes())
        assert again == summary
        repr(summary)
        if summary.n:
            ask = getattr(summary, "heavy_prefixes", None) or summary.frequent_items
            assert np.all(ask(1.0)["lower"] >= 0)
    assert accepted < 500


@pytest.mark.parametrize("name", SUMMARIES)
def test_bytes_pickles_and_copies_are_equal(name: str) -> None:
    summary = SUMMARIES[name]
    others: tuple[Any, ...] = (
        Summary.from_bytes(summary.to_bytes()),
        pickle.loads(pickle.dumps(summary)),
        copy.deepcopy(summary),
        type(summary).from_bytes(summary.to_bytes(), sorter=NumPySorter(threads=1)),
    )
    for other in others:
        assert other == summary
        other.update(STREAM % 1009)
        assert other != summary
        whole = summary.copy()
        whole.update(STREAM % 1009)
        assert other == whole
    assert f"{summary.n:,} values in {len(summary):,} entries" in repr(summary)


def test_nans_are_counted_and_left_out() -> None:
    stream = np.repeat(np.array([1, np.nan, 2], np.float32), [3_000, 5, 2_000])
    for summary in (FrequencySummary(0.05), SlidingFrequencies(0.05, 2_500)):
        summary.update(stream)
        assert (summary.n, summary.nans) == (5_000, 5)
    assert summary.estimate([1, 2]).tolist() == [500, 2_000]


@pytest.mark.parametrize("kind", ["a4", "<U2", ">i8", "O", "<i8,<i8", "bool", None, ["<i8"], 7])
def test_arrays_are_of_the_types_that_are_written_and_no_others(kind: Any) -> None:
    data = SUMMARIES["frequencies"].to_bytes()
    head = data[14 : 14 + int.from_bytes(data[10:14], "little")]
    changed = head.replace(b'["seen","<i8"', b'["seen",' + json.dumps(kind).encode())
    body = data[:10] + len(changed).to_bytes(4, "little") + changed + data[14 + len(head) : -DIGEST]
    with pytest.raises(CorruptSummary, match=r"array 'seen'|unhashable"):
        Summary.from_bytes(body + blake2b(body, digest_size=DIGEST).digest())


class Fails(HostSorter):
    """Fails at the fifth sort, and only then."""

    batch = 1 << 12
    asked = 5

    def sort(self, windows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        self.asked += 1
        if self.asked == 5:
            raise MemoryError("no room")
        return np.sort(windows, axis=1)


@pytest.mark.parametrize("name", [each for each in SUMMARIES if each != "sliding, kept whole"])
def test_a_failed_update_leaves_the_summary_as_it_was(name: str) -> None:
    whole = SUMMARIES[name].copy()
    failing = type(whole).from_bytes(whole.to_bytes(), sorter=(sorter := Fails()))
    values = STREAM % 1009
    failing.update(values[:777])
    before, sorter.asked = failing.to_bytes(), 0
    with pytest.raises(MemoryError):
        failing.update(values)
    assert failing.to_bytes() == before
    with pytest.raises(UnsupportedKeys):
        failing.update(iter([values, "more"]))
    assert failing.to_bytes() == before
    failing.update(values)
    whole.update(values[:777])
    whole.update(values)
    assert failing == whole


def test_answers_are_of_the_stream_until_now() -> None:
    for summary in (FrequencySummary(0.1), SlidingFrequencies(0.1, 100)):
        for times in (1, 2, 3):
            summary.update(5)
            assert summary.estimate(5) == times
    left, right = FrequencySummary(0.1), FrequencySummary(0.1)
    left.update([1])
    right.update([1])
    assert left.estimate(1) + left.merge(right).estimate(1) == 3
