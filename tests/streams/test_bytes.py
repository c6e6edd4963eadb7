"""Bytes of summaries: damaged and forged ones give CorruptSummary, or a summary that behaves."""

import json
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
import pytest

from shadersort.errors import CorruptSummary, TooManyKeys
from shadersort.keys.types import Keys
from shadersort.streams import FrequencySummary
from shadersort.streams.blob import DIGEST, Blob, pack, unpack
from shadersort.streams.summary import Summary
from tests.soaking import SEED
from tests.streams.adversaries import ADVERSARIES
from tests.streams.behaving import behaves
from tests.streams.every import MAKERS, made, stream_for
from tests.streams.forging import Random, changed_arrays, damaged, forged, some

TRIALS = 60 if SEED is None else 17_000
"""Forged bytes of each kind: more than 200,000 of all kinds in a round of a soak."""
DAMAGED = 300
"""Damaged bytes of each kind."""
LENGTHS = (0, 1, 90, 1_500, 9_100, 27_077)


@cache
def blobs(name: str) -> tuple[Blob, ...]:
    """What the bytes of honest summaries of a kind hold, after streams of several lengths."""
    streams = [stream_for(name, n) for n in LENGTHS]
    if "frequencies" in name or "quantiles" in name:
        random = np.random.default_rng(9)
        streams += [np.asarray(ADVERSARIES["extremes"](random, n)) for n in (90, 9_000)]
        streams += [np.arange(9_000) % 97]
        with np.errstate(over="ignore"):
            narrow = np.float16 if "halves" in name else np.float64
            streams = [each.astype(narrow) if "halves" in name else each for each in streams]
    made_of = [made(name, [each]) for each in streams]
    if name.startswith("sliding"):
        made_of.append(made(name, streams[3:4]).expire(9))
    if name in ("sliding quantiles", "sliding frequencies"):  # windows by time, too
        kind, times = type(made_of[0]), np.repeat(np.arange(500.0), 4)
        made_of.append(kind(0.2, 100.0).update(np.arange(2_000) % 7, times=times))
    if name == "quantiles":
        made_of += [made_of[5].compact(), made_of[3] + made_of[4]]
    return tuple(unpack(each.to_bytes()) for each in made_of)


def is_refused(blob: Blob, arrays: dict[str, Keys]) -> bool:
    """Whether a state in bytes whose digest is right is refused; if not, it has to behave."""
    try:
        summary = Summary.from_bytes(pack(Blob(blob.kind, blob.parameters, arrays)))
    except CorruptSummary:
        return True
    behaves(summary)
    return False


@pytest.mark.parametrize("name", MAKERS)
def test_damaged_bytes_are_refused(name: str) -> None:
    data, random = pack(blobs(name)[4]), np.random.default_rng(len(name))
    for _ in range(DAMAGED):
        if (bad := damaged(data, random)) != data:
            with pytest.raises(CorruptSummary, match="summary") as caught:
                Summary.from_bytes(bad)
            assert isinstance(caught.value, ValueError)


@pytest.mark.explores
@pytest.mark.parametrize("name", MAKERS)
def test_forged_bytes_are_refused_or_are_a_summary_that_behaves(name: str) -> None:
    names, accepted = list(MAKERS), 0
    for trial in range(TRIALS):
        seed = [names.index(name), trial, *([] if SEED is None else [SEED])]
        random: Random = np.random.default_rng(seed)
        other = some(random, blobs(name if random.random() < 0.5 else some(random, names)))
        try:
            summary = Summary.from_bytes(forged(some(random, blobs(name)), other, random))
        except CorruptSummary:
            continue
        accepted += 1
        behaves(summary)
    assert 0 < accepted < TRIALS


@pytest.mark.parametrize("name", MAKERS)
def test_honest_summaries_behave(name: str) -> None:
    for blob in blobs(name):
        behaves(Summary.from_bytes(pack(blob)))


@pytest.mark.parametrize("name", MAKERS)
def test_forged_states_are_refused_or_behave(name: str) -> None:
    """Arrays of another length, missing ones and more of them are refused, and most other types."""
    for blob in blobs(name)[4::5]:
        arrays = dict(blob.arrays)
        for array, values in arrays.items():
            untied = array in ("waiting", "times") or "waiting" not in arrays
            for changed in changed_arrays(values, np.random.default_rng(1)):
                alike = len(changed) == len(values) and (untied or changed.dtype == values.dtype)
                assert is_refused(blob, arrays | {array: changed}) or alike, array
            others = {each: arrays[each] for each in arrays if each != array}
            assert is_refused(blob, others) or array == "expired", array
        assert is_refused(blob, arrays | {"more": np.zeros(1)})
        assert is_refused(blob, dict(reversed(arrays.items())))
        for seen in ([1 << 62, 0], [-1, 0], [5]):
            assert is_refused(blob, arrays | {"seen": np.array(seen)}), seen
        for more in ({"sorter": "none"}, {"epsilon": [0.1]}, {"strange": None}, {"dtype": "f2"}):
            assert is_refused(Blob(blob.kind, {**blob.parameters, **more}, arrays), arrays), more


@pytest.mark.parametrize("name", MAKERS)
def test_a_long_window_gets_no_room_before_it_has_values(name: str) -> None:
    """Forged bytes with a tiny ε may have a window of terabytes."""
    for blob in blobs(name)[3::6]:
        is_refused(Blob(blob.kind, {**blob.parameters, "epsilon": 1e-10}, {}), dict(blob.arrays))


@pytest.mark.parametrize("kind", ["SlidingQuantiles", "SlidingFrequencies"])
@pytest.mark.parametrize("printed", [False, True])
def test_parameters_alone_take_no_memory(kind: str, printed: bool) -> None:
    """Levels for a window of 2^60 values have blocks of 10^9 entries."""
    window = {"window": 1 << 60, "shortest": 1 << 60 if printed else 1, "epsilon": 1e-9}
    parameters = {**window, "dtype": None, **({"as_printed": True} if printed else {})}
    assert not is_refused(Blob(kind, parameters, {}), {"seen": np.zeros(2, np.int64)})


@pytest.mark.parametrize("depth", [-2, 1 << 60, (1 << 63) - 1, 1 << 63])
def test_a_list_of_an_impossible_depth_is_refused(depth: int) -> None:
    blob = blobs("quantiles")[-1]
    lists = blob.arrays["lists"].astype(np.uint64 if depth >= 1 << 63 else np.int64)
    lists[-4] = depth
    assert is_refused(blob, {**blob.arrays, "lists": lists})


def test_buckets_of_pairs_have_the_levels_and_the_entries_of_their_stream() -> None:
    """A bucket of level b stands for 2^b windows; compressing repeats entries as ε says."""
    blob = blobs("sums")[3]
    level = max(int(name.split()[1]) for name in blob.arrays if name.startswith("values "))
    high = {name.replace(f" {level}", f" {10**13}"): each for name, each in blob.arrays.items()}
    assert is_refused(blob, high)
    size = 64 * 10**12
    ranks, masses = [1, size - 1], [0, 0]
    arrays = {
        **{"seen": np.array([size, 0]), "x": np.empty(0), "y": np.empty(0)},
        **{"sum": np.array([float(size)]), "values 0": np.ones(2)},
        "lower 0": np.array([*ranks, *masses, *masses], np.float64),
        "upper 0": np.array([*ranks[::-1], *masses, *masses], np.float64),
    }
    assert is_refused(Blob("CorrelatedSum", {"epsilon": 2.0**-40, "dtype": None}, {}), arrays)


def test_masses_that_contradict_each_other_are_refused() -> None:
    sums = blobs("sums")[-1]
    for name in [each for each in sums.arrays if each.startswith("lower")]:
        masses = sums.arrays[name].reshape(3, -1).copy()
        masses[1] = np.cumsum(masses[1])[-1] * (np.arange(masses.shape[1]) == 0)
        assert is_refused(sums, {**sums.arrays, name: masses.ravel()}), "lower bounds above upper"
        masses[0, :2] = np.finfo(np.float64).max
        assert is_refused(sums, {**sums.arrays, name: masses.ravel()}), "counts that overflow"


def test_forged_texts_and_prefixes() -> None:
    words = unpack(FrequencySummary(0.1).update(["b", "a", "ü", "b"]).to_bytes())
    for name, array in (
        ("letters", np.frombuffer(b"ba\xc3\xbc", np.uint8)),  # not in order
        ("letters", np.frombuffer(b"ab\xff\xff", np.uint8)),
        *(("widths", np.array(widths)) for widths in ([1, 1, 1], [1, -1, 1 << 62], [1, 3])),
        *(("waiting", np.array(codes)) for codes in ([1, 0, 9, 1], [1, 0, 1, 1])),
    ):
        assert is_refused(words, {**words.arrays, name: array})
    bits = blobs("heavy bits")[2]
    assert is_refused(bits, {**bits.arrays, "waiting": bits.arrays["waiting"] + np.uint32(1 << 20)})


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
    data = pack(blobs("frequencies")[5])
    head = data[14 : 14 + int.from_bytes(data[10:14], "little")]
    rest = data[14 + len(head) : -DIGEST]
    for kind in ("a4", "<U2", ">i8", "O", "<i8,<i8", "bool", None, ["<i8"], 7):
        changed = head.replace(b'["seen","<i8"', b'["seen",' + json.dumps(kind).encode())
        body = data[:10] + len(changed).to_bytes(4, "little") + changed + rest
        with pytest.raises(CorruptSummary, match=r"array 'seen'|unhashable"):
            Summary.from_bytes(body + blake2b(body, digest_size=DIGEST).digest())


def test_bytes_that_are_no_summary() -> None:
    data, none = pack(blobs("quantiles")[5]), {"seen": np.zeros(2, np.int64)}
    newer = bytearray(data)
    newer[8] += 1
    bad: Any
    for bad in (bytes(newer), b"", data[:-1], data + b"\0", b"x" + data, "text", None):
        with pytest.raises(CorruptSummary):
            Summary.from_bytes(bad)
    kind = "QuantileSummary"
    for parameters, arrays in (({"epsilon": 0.1}, {}), ({"epsilon": 2}, none), ({"odd": 2}, none)):
        assert is_refused(Blob(kind, parameters, {}), arrays)
    assert is_refused(Blob("Unknown", {"epsilon": 0.1}, {}), none)
    with pytest.raises(CorruptSummary, match="are a QuantileSummary, not a FrequencySummary"):
        FrequencySummary.from_bytes(data)


def test_bytes_are_little_endian_everywhere() -> None:
    data = pack(Blob("Any", {}, {"a": np.array([1, 2], ">i4")}))
    assert data == pack(Blob("Any", {}, {"a": np.array([1, 2], "<i4")}))
    assert np.array([1, 2], "<i4").tobytes() in data
    assert unpack(data).arrays["a"].dtype.isnative
