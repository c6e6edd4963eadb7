"""Bytes of summaries: damaged ones, each refused, and forged ones."""

import json
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

import numpy as np
import pytest

from shadersort.errors import CorruptSummary, TooManyKeys
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary, QuantileSummary
from shadersort.streams.blob import DIGEST, Blob, pack, unpack
from shadersort.streams.summary import Summary
from tests.streams.every import LISTS, MAKERS, made, stream_for
from tests.streams.forging import damaged

SUMMARIES = {
    name: made(name, np.split(stream_for(name, 27_077), [27_037 if name in LISTS else 0]))
    for name in MAKERS
}
"""One of each; in all of them some values wait."""
CASES = 300
"""Damaged bytes for each."""


@pytest.mark.parametrize("name", MAKERS)
def test_damaged_bytes_are_refused(name: str) -> None:
    data, random = SUMMARIES[name].to_bytes(), np.random.default_rng(len(name))
    refused = 0
    while refused < CASES:
        bad = damaged(data, random)
        if bad != data:
            with pytest.raises(CorruptSummary, match="summary") as caught:
                Summary.from_bytes(bad)
            assert isinstance(caught.value, ValueError)
            refused += 1


Forgery = tuple[str, Callable[[Keys], Keys]]
SEEN: Forgery = ("seen", lambda a: a + 1)
WAITING: tuple[Forgery, ...] = (
    ("waiting", lambda a: a[:-1]),
    ("waiting", lambda a: np.zeros(5_000, a.dtype)),
    ("waiting", lambda a: np.full(a.shape, np.nan)),
)
RECENT: tuple[Forgery, ...] = (
    ("recent", lambda a: a[1:]),
    ("recent", lambda a: a.astype(np.int8)),
    ("recent", lambda a: np.full_like(a, np.nan)),
)
RANKS: tuple[Forgery, ...] = (
    ("values", lambda a: a[::-1]),
    ("values", lambda a: a[:-1]),
    ("values", lambda a: a.astype(np.float64)),
    ("values", lambda a: np.full_like(a, np.nan)),
    ("lower", lambda a: a + 1),
    ("lower", lambda a: a * 2),
    ("upper", lambda a: -a),
    ("upper", lambda a: a.astype(np.float64)),
)
ITEMS: tuple[Forgery, ...] = (
    ("items", lambda a: a[::-1]),
    ("items", lambda a: a.astype(np.float64)),
    ("counts", lambda a: a * 0),
    ("counts", lambda a: a[1:]),
    ("counts", lambda a: a.astype(np.float64)),
)
FORGERIES: dict[str, tuple[Forgery, ...]] = {
    "quantiles": (
        *(SEEN, *WAITING, *RANKS),
        ("lists", lambda a: a[::-1]),
        ("lists", lambda a: a + 1),
        ("lists", lambda a: a[:4]),
        ("lists", lambda a: a[:-1]),
        ("lists", lambda a: a - 7 * (np.arange(a.size) == a.size - 1)),
        ("lists", lambda a: a + 30_000 * (np.arange(a.size) == a.size - 1)),
        ("lists", lambda a: a - (np.arange(a.size) == a.size - 4)),
    ),
    "quantiles, as printed": (
        *(SEEN, *WAITING, *RANKS),
        ("levels", lambda a: a[::-1]),
        ("levels", lambda a: a + 1),
        ("levels", lambda a: a - 1),
        ("levels", lambda a: a * 1e300),
    ),
    "frequencies": (
        *(SEEN, *WAITING, *ITEMS),
        ("seen", lambda a: a + (1040 << 20)),
        ("counts", lambda a: a + (1 << 40)),
        ("missed", lambda a: a + (1 << 40)),
        ("missed", lambda a: a - 1),
    ),
    "heavy": (
        SEEN,
        ("items 1", lambda a: a + np.uint32(1 << 24)),
        ("items 0", lambda a: a[::-1]),
        ("counts 2", lambda a: a * 2),
        ("waiting", lambda a: a.astype(np.uint64)),
    ),
    "sliding quantiles": (SEEN, *WAITING, *RECENT, *RANKS),
    "sliding frequencies": (
        *(SEEN, *WAITING, *RECENT, *ITEMS),
        ("counts", lambda a: a * 10_000),
        ("numbers", lambda a: a[::-1]),
        ("numbers", lambda a: a + 10_000),
        ("rows", lambda a: a[::-1]),
        ("rows", lambda a: a[1:]),
        ("rows", lambda a: a - (np.arange(a.size) == 0)),
        ("rows", lambda a: a - np.where(np.arange(a.size) == 1, 10**6, 0)),
    ),
    "sums": (
        SEEN,
        ("x", lambda a: a[1:]),
        ("x", lambda a: a.astype(np.float64)),
        ("y", lambda a: np.full_like(a, np.inf)),
        ("sum", lambda a: np.zeros(2)),
        ("values 3", lambda a: a[::-1]),
        ("values 3", lambda a: a.astype(np.float64)),
        ("lower 3", lambda a: a * 2),
        ("upper 3", lambda a: -a),
        ("upper 3", lambda a: a[:-1]),
    ),
}
"""Arrays, and how they are changed, so that no summary can have written them."""


def refused(blob: Blob, arrays: dict[str, Keys]) -> bool:
    """Whether a state in bytes whose digest is right is refused."""
    try:
        Summary.from_bytes(pack(Blob(blob.kind, blob.parameters, arrays)))
    except CorruptSummary:
        return True
    return False


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_states_are_refused(name: str) -> None:
    blob = unpack(SUMMARIES[name].to_bytes())
    arrays = dict(blob.arrays)
    assert not refused(blob, arrays)
    for number, (array, change) in enumerate(FORGERIES[name]):
        assert refused(blob, arrays | {array: change(arrays[array])}), (number, array)
    for array in arrays:
        assert refused(blob, {each: arrays[each] for each in arrays if each != array}), array


@pytest.mark.parametrize("name", MAKERS)
def test_bytes_hold_only_what_a_summary_writes(name: str) -> None:
    blob = unpack(made(name, [stream_for(name, 1_500)]).to_bytes())
    arrays = dict(blob.arrays)
    assert refused(blob, arrays | {"more": np.zeros(1)})
    assert refused(blob, dict(reversed(arrays.items())))
    for more in ({"sorter": "none"}, {"epsilon": [0.1]}, {"strange": None}):
        assert refused(Blob(blob.kind, {**blob.parameters, **more}, arrays), arrays), more
    if "dtype" in blob.parameters:
        halves = {**blob.parameters, "dtype": "f2"}  # a name that is not written
        assert refused(Blob(blob.kind, halves, arrays), arrays)


def test_forgeries_that_were_once_taken_are_refused() -> None:
    few = {name: unpack(made(name, [stream_for(name, 90)]).to_bytes()) for name in MAKERS}
    for name in MAKERS:
        arrays = dict(few[name].arrays)
        assert refused(few[name], arrays | {"seen": np.array([0, 0])}), "values, but none seen"
        assert refused(few[name], arrays | {"seen": np.array([1 << 62, 0])}), "too long"
    for whole in (QuantileSummary(0.1, 9_000, as_printed=True), FrequencySummary(0.1)):
        blob = unpack(whole.update(np.arange(2.0 * whole.window)).to_bytes())
        assert not len(blob.arrays["waiting"])
        untyped = {name: blob.arrays[name] for name in blob.arrays if name != "waiting"}
        assert refused(blob, untyped), "nothing waits, but its type was told there"
    long = dict(few["heavy bits"].arrays)
    long["waiting"] = long["waiting"] + np.uint32(1 << 20)
    assert refused(few["heavy bits"], long), "an item of 21 bits"
    sums = unpack(SUMMARIES["sums"].to_bytes())
    for name in [each for each in sums.arrays if each.startswith("lower")]:
        masses = sums.arrays[name].reshape(3, -1).copy()
        masses[1] = np.cumsum(masses[1])[-1] * (np.arange(masses.shape[1]) == 0)
        assert refused(sums, {**sums.arrays, name: masses.ravel()}), "lower bounds above the upper"
        masses[0, :2] = np.finfo(np.float64).max
        assert refused(sums, {**sums.arrays, name: masses.ravel()}), "counts whose sum overflows"


def test_no_more_values_are_counted_than_integers_hold() -> None:
    summary = FrequencySummary(0.1).update(np.zeros(1_030))
    while summary.n < 1 << 58:
        summary.merge(summary)
    assert summary.copy().estimate(0.0) == summary.n - summary.count_error
    summary.merge(summary)
    before = summary.to_bytes()
    with pytest.raises(TooManyKeys, match="fewer than 1,152,921,504,606,846,976"):
        summary.merge(summary)
    assert summary.to_bytes() == before


def test_arrays_are_of_the_types_that_are_written_and_no_others() -> None:
    data = SUMMARIES["frequencies"].to_bytes()
    head = data[14 : 14 + int.from_bytes(data[10:14], "little")]
    rest = data[14 + len(head) : -DIGEST]
    for kind in ("a4", "<U2", ">i8", "O", "<i8,<i8", "bool", None, ["<i8"], 7):
        changed = head.replace(b'["seen","<i8"', b'["seen",' + json.dumps(kind).encode())
        body = data[:10] + len(changed).to_bytes(4, "little") + changed + rest
        with pytest.raises(CorruptSummary, match=r"array 'seen'|unhashable"):
            Summary.from_bytes(body + blake2b(body, digest_size=DIGEST).digest())


def test_bytes_that_are_no_summary() -> None:
    data, none = SUMMARIES["quantiles"].to_bytes(), {"seen": np.zeros(2, np.int64)}
    newer = bytearray(data)
    newer[8] += 1
    with pytest.raises(CorruptSummary):
        Summary.from_bytes(bytes(newer))
    bad: Any
    for bad in (b"", data[:-1], data + b"\0", b"x" + data, "text", None):
        with pytest.raises(CorruptSummary):
            Summary.from_bytes(bad)
    kind = "QuantileSummary"
    for forged in (
        *(Blob(kind, {"epsilon": 0.1}, {}), Blob(kind, {"epsilon": 2}, none)),
        *(Blob(kind, {"strange": 2}, none), Blob("Unknown", {"epsilon": 0.1}, none)),
        *(Blob(kind, {"epsilon": 0.1}, {"seen": np.array([-1, 0])}),),
    ):
        with pytest.raises(CorruptSummary):
            Summary.from_bytes(pack(forged))
    with pytest.raises(CorruptSummary, match="are a QuantileSummary, not a FrequencySummary"):
        FrequencySummary.from_bytes(data)


def test_bytes_are_little_endian_everywhere() -> None:
    data = pack(Blob("Any", {}, {"a": np.array([1, 2], ">i4")}))
    assert data == pack(Blob("Any", {}, {"a": np.array([1, 2], "<i4")}))
    assert np.array([1, 2], "<i4").tobytes() in data
    assert unpack(data).arrays["a"].dtype.isnative
