"""Sketches of other libraries, each in the smallest size whose stated error is no larger than ours.

Where an error is not stated, or is of another kind, the size is the one that the library proposes.
A library that is not installed has a reason in place of its sketches.
"""

import importlib.util
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from bench.sketches.contestant import (
    ALWAYS,
    ARRAYS,
    AT_ONCE,
    BY_HISTOGRAM,
    BY_VALUE,
    COUNT,
    IN_PARTS,
    MOSTLY,
    NO_PROMISE,
    PART,
    RANK,
    TAIL,
    VALUE,
    Contestant,
    Promise,
)
from bench.sketches.ours import COUNT_ERROR, RANK_ERRORS
from bench.streams.frequencies import by_histogram, by_value, size_of
from shadersort.keys.types import Keys

REQ_SIZE = 40
"""The smallest size of REQ whose bound is no larger than that of our summary of tails."""
NEAR = 0.9
"""A quantile at which REQ is asked for its bounds: above it they are relatively the same, or 0."""
RELATIVE = 0.01
"""The error of values of DDSketch."""

PEERS: Mapping[str, tuple[str, ...]] = {
    "datasketches": ("KLL", "REQ", "t-digest of datasketches", "frequent_items"),
    "ddsketch": ("DDSketch",),
    "fastdigest": ("t-digest of fastdigest",),
}
"""What is measured of each library."""


def missing() -> dict[str, str]:
    """Return the reasons why sketches are not measured, by their names."""
    absent = [each for each in PEERS if not importlib.util.find_spec(each)]
    return {name: f"{each} is not installed" for each in absent for name in PEERS[each]}


def peers() -> Iterator[Contestant]:
    """Yield the sketches of the libraries that are installed."""
    for library, made in (
        ("datasketches", _datasketches),
        ("ddsketch", _ddsketch),
        ("fastdigest", _fastdigest),
    ):
        if importlib.util.find_spec(library):
            yield from made()


def _datasketches() -> Iterator[Contestant]:
    import datasketches

    kll = datasketches.kll_floats_sketch
    for epsilon in RANK_ERRORS:
        sizes = range(8, 1 << 16)
        k = next(each for each in sizes if kll.get_normalized_rank_error(each, False) <= epsilon)
        yield _sketch(f"KLL, k = {k}", partial(kll, k), _of_kll)
    req = partial(datasketches.req_floats_sketch, REQ_SIZE, True)
    yield _sketch(f"REQ, k = {REQ_SIZE}", req, _of_req)
    digest = datasketches.tdigest_float()
    answer: Any = {"answer": lambda sketch, qs: np.array([sketch.get_quantile(q) for q in qs])}
    name = f"t-digest of datasketches, k = {digest.k}"
    yield _sketch(name, datasketches.tdigest_float, lambda ran: NO_PROMISE, **answer)
    yield _frequent_items(datasketches)


def _sketch(name: str, made: Any, promise: Any, **more: Any) -> Contestant:
    """Return a sketch of datasketches for quantiles."""
    usual: Any = {"answer": lambda sketch, qs: np.array(sketch.get_quantiles(qs))}
    return Contestant(
        name=name,
        make=made,
        feeds=ARRAYS,
        promise=promise,
        label=lambda ran: f"{type(ran.fed).__name__}, k = {ran.fed.k}",
        to_bytes=lambda sketch: sketch.serialize(),
        **(usual | more),
    )


def _of_kll(ran: Any) -> Promise:
    return Promise(RANK, ran.fed.normalized_rank_error(False), MOSTLY)


def _of_req(ran: Any) -> Promise:
    """Three standard deviations, which are meant to hold with 99 %."""
    off = ran.fed.get_rank_upper_bound(NEAR, 3) - NEAR
    return Promise(TAIL, off / (1 - NEAR), MOSTLY)


def _frequent_items(datasketches: Any) -> Contestant:
    sketch = datasketches.frequent_items_sketch
    size = size_of(sketch, COUNT_ERROR)
    doubles = datasketches.PyDoublesSerDe()
    return Contestant(
        name=f"frequent_items, 2^{size}",
        make=partial(sketch, size),
        feeds={BY_VALUE: by_value, BY_HISTOGRAM: by_histogram},
        promise=lambda ran: Promise(COUNT, ran.fed.epsilon, ALWAYS),
        label=lambda ran: f"{type(ran.fed).__name__}, ε = {ran.fed.epsilon:.3g}",
        to_bytes=lambda made: made.serialize(doubles),
        answer=partial(_estimates, datasketches.frequent_items_error_type.NO_FALSE_NEGATIVES),
        counts=True,
    )


def _estimates(which: Any, sketch: Any, items: Keys) -> Any:
    """Return the counts of items, which are in order; those that the sketch lacks count as 0."""
    held = sketch.get_frequent_items(which, 0)
    found = np.zeros(items.size, np.int64)
    of = np.array([each[0] for each in held], items.dtype)
    found[np.searchsorted(items, of)] = [each[1] for each in held]
    return found


def _ddsketch() -> Iterator[Contestant]:
    from ddsketch import DDSketch
    from ddsketch.pb import proto

    as_proto: Any = proto.DDSketchProto.to_proto

    def fed(sketch: Any, stream: Keys) -> None:
        for value in stream.tolist():
            sketch.add(value)

    def accuracy(sketch: Any) -> float:
        """Return the error of values, given that a bin is larger than the last one by γ."""
        gamma: float = as_proto(sketch).mapping.gamma
        return (gamma - 1) / (gamma + 1)

    yield Contestant(
        name=f"DDSketch({RELATIVE:g})",
        make=partial(DDSketch, RELATIVE),
        feeds={BY_VALUE: fed},
        promise=lambda ran: Promise(VALUE, accuracy(ran.fed), ALWAYS),
        label=lambda ran: f"{type(ran.fed).__name__}, α = {accuracy(ran.fed):.3g}",
        to_bytes=lambda sketch: as_proto(sketch).SerializeToString(),
        answer=lambda sketch, qs: np.array([sketch.get_quantile_value(q) for q in qs]),
    )


def _fastdigest() -> Iterator[Contestant]:
    from fastdigest import TDigest

    def in_parts(digest: Any, stream: Keys) -> None:
        for first in range(0, stream.size, PART):
            digest.batch_update(stream[first : first + PART])

    yield Contestant(
        name=f"t-digest of fastdigest, {TDigest().max_centroids:,} centroids",
        make=TDigest,
        feeds={AT_ONCE: lambda digest, stream: digest.batch_update(stream), IN_PARTS: in_parts},
        promise=lambda ran: NO_PROMISE,
        label=lambda ran: f"fastdigest.{type(ran.fed).__name__}, {ran.fed.max_centroids} centroids",
        to_bytes=lambda digest: digest.to_bytes(),
        answer=lambda digest, qs: np.array(digest.quantile_vec(qs)),
    )
