"""What every summary shares, tried on one that only remembers."""

import copy
import pickle
from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np
import pytest

from shadersort.errors import (
    BadEpsilon,
    BadOption,
    CorruptSummary,
    KeysNotFlat,
    NaNRefused,
    SummariesDiffer,
    SummaryVersion,
    UnsupportedKeys,
)
from shadersort.keys.types import Keys
from shadersort.streams import HostSorter, NumPySorter
from shadersort.streams.blob import Blob, pack, unpack
from shadersort.streams.summary import Summary
from shadersort.streams.windowed import WindowedSummary


class Remembering(WindowedSummary):
    """Holds every window, sorted."""

    window = 8

    def __init__(self, epsilon: float = 0.1, **options: Any) -> None:
        super().__init__(epsilon, **options)
        self.windows: Keys = np.empty((0, 8))

    def _absorb(self, windows: Any) -> None:
        self._append(self.sorter.sort(windows))

    def _append(self, rows: Keys) -> None:
        self.windows = np.concatenate([self.windows.astype(rows.dtype), rows])

    def _merge_state(self, other: Self) -> None:
        self._append(other.windows)

    def _entries(self) -> int:
        return self.windows.size

    def _arrays(self) -> dict[str, Keys]:
        return {**super()._arrays(), "windows": self.windows.ravel()}

    def _restore(self, arrays: Mapping[str, Keys]) -> None:
        super()._restore(arrays)
        self.windows = arrays["windows"].reshape(-1, 8)


def remembering(values: Any, **options: Any) -> Remembering:
    summary = Remembering(**options)
    summary.update(values)
    return summary


STREAM = np.random.default_rng(6).normal(size=101).astype(np.float32)


class Fails(HostSorter):
    """Fails at its third window."""

    batch = 8

    def __init__(self) -> None:
        self.calls = 0

    def sort(self, windows: Keys) -> Keys:
        self.calls += 1
        if self.calls == 3:
            raise MemoryError("no room")
        return np.sort(windows, axis=1)


@pytest.mark.parametrize("batch", [1, 8, 24, 1 << 20])
@pytest.mark.parametrize("cut", [1, 3, 8, 9, 50, 101])
def test_it_does_not_matter_how_the_stream_is_cut(cut: int, batch: int) -> None:
    sorter = NumPySorter(batch=batch)
    whole, cut_up = remembering(STREAM), Remembering(sorter=sorter)
    for start in range(0, len(STREAM), cut):
        cut_up.update(STREAM[start : start + cut])
    assert cut_up == whole == remembering(iter(np.array_split(STREAM, cut)))
    assert cut_up.n == len(STREAM) == len(cut_up)
    np.testing.assert_array_equal(whole.windows, np.sort(STREAM[:96].reshape(-1, 8), axis=1))
    np.testing.assert_array_equal(whole._waiting(), STREAM[96:])


def test_scalars_lists_and_arrays_are_alike() -> None:
    summary = Remembering(dtype="float32")
    for value in STREAM[:20]:
        summary.update(value)
    summary.update([float(value) for value in STREAM[20:40]])
    summary.update(float(STREAM[40]))
    summary.update(STREAM[41:].astype(">f4"))
    assert summary == remembering(STREAM, dtype="float32")


def test_nans_are_counted_and_left_out() -> None:
    spoilt = np.insert(STREAM, [0, 5, 50, 101], np.nan)
    summary = remembering(spoilt)
    assert (summary.n, summary.nans) == (101, 4)
    np.testing.assert_array_equal(summary.windows, remembering(STREAM).windows)
    assert "4 NaNs left out" in repr(summary)
    with pytest.raises(NaNRefused):
        remembering(spoilt, nan="raise")


def broken() -> Iterator[Any]:
    yield STREAM
    yield STREAM.reshape(1, -1)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        (["1", "2"], UnsupportedKeys),
        ("17", UnsupportedKeys),
        (None, UnsupportedKeys),
        ([1, [2]], UnsupportedKeys),
        ({3, 4}, UnsupportedKeys),
        (np.array([True]), UnsupportedKeys),
        (np.array([1j]), UnsupportedKeys),
        (np.array(["2005-06-14"], "M8[D]"), UnsupportedKeys),
        (np.array([1], np.longdouble), UnsupportedKeys),
        (np.ma.masked_array([1.0, 2.0], [True, False]), UnsupportedKeys),
        (np.zeros((2, 2), np.float32), KeysNotFlat),
        (np.array([0.1], "float64"), UnsupportedKeys),
        (1e300, UnsupportedKeys),
        (1 << 70, UnsupportedKeys),
        (broken(), KeysNotFlat),
    ],
)
def test_a_failed_update_leaves_the_summary_as_it_was(values: Any, error: type[Exception]) -> None:
    summary = remembering(STREAM[:13])
    before = summary.to_bytes()
    with pytest.raises(error):
        summary.update(values)
    assert summary.to_bytes() == before
    summary.update(STREAM[13:])
    assert summary == remembering(STREAM)


def test_a_sorter_that_fails_leaves_the_summary_as_it_was() -> None:
    summary = Remembering(sorter=Fails())
    summary.update(STREAM[:13])
    before = summary.to_bytes()
    with pytest.raises(MemoryError):
        summary.update(STREAM[13:])
    assert summary.to_bytes() == before
    summary.update(STREAM[13:])
    assert summary == remembering(STREAM)


def test_values_of_other_types_are_taken_if_nothing_is_lost() -> None:
    summary = remembering(np.array([1, 2], "int32"))
    summary.update(np.array([3, 4], "float64"))
    summary.update(np.int8(-5))
    assert summary._waiting().tolist() == [1, 2, 3, 4, -5]
    for bad in (
        0.5,
        1 << 31,
        np.array([1 << 63], "uint64"),
        np.array([np.inf], "float32"),
        np.array([np.nan], "float64"),
    ):
        with pytest.raises(UnsupportedKeys):
            summary.update(bad)
    wide = remembering(np.array([1 << 63], "uint64"))
    with pytest.raises(UnsupportedKeys):
        wide.update(np.array([-1], "int64"))
    doubles = remembering(np.array([1], "float64"))
    with pytest.raises(UnsupportedKeys):
        doubles.update(np.array([(1 << 53) + 1], "int64"))
    nothing = remembering([])
    assert nothing.dtype is None
    assert nothing == Remembering()


@pytest.mark.parametrize("at", [0, 5, 8, 40])
def test_merging_adds_up(at: int) -> None:
    left, right = remembering(STREAM[:at]), remembering(STREAM[at:])
    kept = right.to_bytes()
    assert left.merge(right) is left
    assert left.n == 101
    assert right.to_bytes() == kept
    everything = np.concatenate([left.windows.ravel(), left._waiting()])
    np.testing.assert_array_equal(np.sort(everything), np.sort(STREAM))
    doubled = right.copy().merge(right)
    assert doubled.n == 2 * right.n


def test_summaries_that_were_not_made_alike_do_not_merge() -> None:
    summary = remembering(STREAM)
    for other in (
        Remembering(0.2),
        Remembering(nan="raise"),
        Remembering(dtype="float32"),
        remembering(STREAM.astype(np.float64)),
    ):
        with pytest.raises(SummariesDiffer):
            summary.merge(other)
    assert summary == remembering(STREAM)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint64"])
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 100])
def test_bytes_pickles_and_copies_are_equal(count: int, dtype: str) -> None:
    summary = remembering(np.arange(count).astype(dtype), sorter=NumPySorter())
    for other in (
        Remembering.from_bytes(summary.to_bytes()),
        pickle.loads(pickle.dumps(summary)),
        copy.copy(summary),
        copy.deepcopy(summary),
    ):
        assert other == summary
        assert other.to_bytes() == summary.to_bytes()
        other.update(np.ones(3, dtype))
        assert other != summary
    assert Summary.from_bytes(summary.to_bytes(), sorter=summary.sorter) == summary
    assert summary != "a summary"
    with pytest.raises(TypeError):
        hash(summary)


def test_bytes_are_little_endian_everywhere() -> None:
    data = pack(Blob("Any", {}, {"a": np.array([1, 2], ">i4")}))
    assert data == pack(Blob("Any", {}, {"a": np.array([1, 2], "<i4")}))
    assert np.array([1, 2], "<i4").tobytes() in data
    assert unpack(data).arrays["a"].dtype.isnative


def test_bytes_that_are_no_summary() -> None:
    data = remembering(STREAM).to_bytes()
    newer = bytearray(data)
    newer[8] += 1
    with pytest.raises(SummaryVersion):
        Remembering.from_bytes(bytes(newer))
    for bad in (b"", data[:-1], data + b"\0", b"x" + data, "text", None):
        with pytest.raises(CorruptSummary):
            Remembering.from_bytes(bad)  # type: ignore[arg-type]
    for forged in (
        Blob("Remembering", {"epsilon": 0.1}, {}),
        Blob("Remembering", {"epsilon": 2}, {"seen": np.zeros(2, np.int64)}),
        Blob("Remembering", {"strange": 2}, {"seen": np.zeros(2, np.int64)}),
        Blob("Remembering", {"epsilon": 0.1}, {"seen": np.array([-1, 0])}),
        Blob("Unknown", {"epsilon": 0.1}, {"seen": np.zeros(2, np.int64)}),
    ):
        with pytest.raises(CorruptSummary):
            Remembering.from_bytes(pack(forged))


@pytest.mark.parametrize("epsilon", [0, 1, -0.1, 2, np.nan, np.inf, "0.1", None, True, 1j])
def test_epsilon_lies_between_0_and_1(epsilon: Any) -> None:
    with pytest.raises(BadEpsilon):
        Remembering(epsilon)


def test_options_that_are_not() -> None:
    with pytest.raises(BadOption):
        Remembering(nan="keep")
    with pytest.raises(UnsupportedKeys):
        Remembering(dtype="complex64")
    with pytest.raises(UnsupportedKeys):
        Remembering(dtype="no type")
