"""Forged bytes of every kind, with a right digest: a clean error, or a summary that behaves."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import shadersort as ss
from shadersort.errors import CorruptSummary
from shadersort.streams.blob import Blob, pack, unpack
from shadersort.streams.summary import Summary
from tests.soaking import SEED
from tests.streams.adversaries import ADVERSARIES
from tests.streams.behaving import behaves
from tests.streams.every import MAKERS, made, stream_for
from tests.streams.forging import Random, forged, some

TRIALS = 60 if SEED is None else 17_000
"""Forged bytes of each kind: more than 200,000 of all kinds in a round of a soak."""

LENGTHS = (0, 1, 90, 1_500, 5_200, 27_077)


@cache
def blobs(name: str) -> tuple[Blob, ...]:
    """What the bytes of honest summaries of a kind hold, after streams of several lengths."""
    streams = [stream_for(name, n) for n in LENGTHS]
    if "frequencies" in name or "quantiles" in name:
        random = np.random.default_rng(9)
        narrow = np.float16 if "halves" in name else np.float64
        streams += [np.asarray(ADVERSARIES["extremes"](random, n)) for n in (90, 9_000)]
        streams += [np.arange(9_000) % 97]
        with np.errstate(over="ignore"):
            streams = [each.astype(narrow) if "halves" in name else each for each in streams]
    return tuple(unpack(made(name, [each]).to_bytes()) for each in streams)


def trials(name: str, count: int) -> Iterator[tuple[Random, bytes]]:
    """Yield forged bytes of a kind, and what chose them."""
    names = list(MAKERS)
    for trial in range(count):
        seed = [names.index(name), trial, *([] if SEED is None else [SEED])]
        random = np.random.default_rng(seed)
        other = some(random, blobs(name if random.random() < 0.5 else some(random, names)))
        yield random, forged(some(random, blobs(name)), other, random)


@pytest.mark.explores
@pytest.mark.parametrize("name", MAKERS)
def test_forged_bytes_are_refused_or_are_a_summary_that_behaves(name: str) -> None:
    accepted = 0
    for _, data in trials(name, TRIALS):
        try:
            summary = Summary.from_bytes(data)
        except CorruptSummary:
            continue
        accepted += 1
        behaves(summary)
    assert 0 < accepted < TRIALS


@pytest.mark.parametrize("name", MAKERS)
def test_honest_summaries_behave(name: str) -> None:
    for blob in blobs(name):
        behaves(Summary.from_bytes(pack(blob)))


@pytest.mark.parametrize("depth", [-2, 1 << 60, (1 << 63) - 1, 1 << 63])
def test_a_list_of_an_impossible_depth_is_refused(depth: int) -> None:
    one, other = (made("quantiles", [stream_for("quantiles", n)]) for n in (900, 1_800))
    blob = unpack((one + other).to_bytes())
    lists = blob.arrays["lists"].astype(np.uint64 if depth >= 1 << 63 else np.int64)
    lists[-4] = depth
    with pytest.raises(CorruptSummary):
        Summary.from_bytes(pack(Blob(blob.kind, blob.parameters, {**blob.arrays, "lists": lists})))


@pytest.mark.parametrize("kept", [0, 5])
def test_values_without_ranks_are_refused(kept: int) -> None:
    blob = unpack(ss.QuantileSummary(0.1).update(np.arange(1_000)).compact().to_bytes())
    values = blob.arrays["values"][:kept]
    with pytest.raises(CorruptSummary):
        Summary.from_bytes(
            pack(Blob(blob.kind, blob.parameters, {**blob.arrays, "values": values}))
        )


@pytest.mark.parametrize("name", MAKERS)
def test_a_long_window_gets_no_room_before_it_has_values(name: str) -> None:
    """Forged bytes with a tiny ε may have a window of terabytes."""
    blob = unpack(made(name, [stream_for(name, 1_500)]).to_bytes())
    tiny = {"epsilon": 1e-10} if "epsilon" in blob.parameters else {}
    try:
        parameters = {**blob.parameters, **tiny}
        summary = Summary.from_bytes(pack(Blob(blob.kind, parameters, blob.arrays)))
    except CorruptSummary:
        return
    behaves(summary)


@pytest.mark.parametrize("kind", ["SlidingQuantiles", "SlidingFrequencies"])
@pytest.mark.parametrize("printed", [False, True])
def test_parameters_alone_take_no_memory(kind: str, printed: bool) -> None:
    """Levels for a window of 2^60 values have blocks of 10^9 entries."""
    window = {"window": 1 << 60, "shortest": 1 << 60 if printed else 1, "epsilon": 1e-9}
    parameters = {**window, "dtype": None, **({"as_printed": True} if printed else {})}
    summary = Summary.from_bytes(pack(Blob(kind, parameters, {"seen": np.zeros(2, np.int64)})))
    behaves(summary)


def test_levels_of_pairs_are_bounded() -> None:
    """A bucket of level b stands for 2^b windows."""
    blob = unpack(made("sums", [stream_for("sums", 2_000)]).to_bytes())
    level = max(int(name.split()[1]) for name in blob.arrays if name.startswith("values "))
    arrays = {name.replace(f" {level}", f" {10**13}"): each for name, each in blob.arrays.items()}
    with pytest.raises(CorruptSummary, match="levels"):
        Summary.from_bytes(pack(Blob(blob.kind, blob.parameters, arrays)))


def test_buckets_of_pairs_have_the_entries_of_their_level() -> None:
    """Compressing repeats entries, as often as epsilon says: a few cannot stand for 10^14 pairs."""
    size = 64 * 10**12
    ranks, masses = [1, size - 1], [0, 0]
    arrays = {
        "seen": np.array([size, 0]),
        "x": np.empty(0),
        "y": np.empty(0),
        "sum": np.array([float(size)]),
        "values 0": np.ones(2),
        "lower 0": np.array([*ranks, *masses, *masses], np.float64),
        "upper 0": np.array([*ranks[::-1], *masses, *masses], np.float64),
    }
    parameters = {"epsilon": 2.0**-40, "dtype": None}
    with pytest.raises(CorruptSummary):
        Summary.from_bytes(pack(Blob("CorrelatedSum", parameters, arrays)))
