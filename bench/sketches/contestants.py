"""Our summaries, and sketches of other libraries in the smallest size that is fair.

That size is the smallest whose stated error is no larger than ours. Where an error is not stated,
or is of another kind, it is the size that the library proposes.
"""

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bench.streams.timing import SORTERS
from shadersort import FrequencySummary, QuantileSummary
from shadersort.keys.types import Keys

RANK, TAIL, VALUE, COUNT = "rank", "tail", "value", "count"
"""Kinds of errors: shares of n, of the values above, of the value itself, and of n again."""

ALWAYS, MOSTLY, NOTHING = "deterministic", "99%", "none"
"""How sure a promise is."""

RANK_ERRORS = (1e-2, 1e-3, 1e-4)
"""Error bounds of summaries of quantiles, and of the peers with such a bound."""
COUNT_ERROR, RELATIVE_ERROR = 1e-3, 0.01
"""The error of counts, and the error of values of DDSketch."""

REQ_SIZE = 40
"""The smallest size of REQ whose bound is at most 1% of the values above."""
REQ_QUANTILE = 0.9
"""A quantile at which REQ is asked for its bounds: above it they are relatively the same, or 0."""

PART, HISTOGRAM = 1000, 1 << 16
"""Values in a short update, and in a histogram."""

AT_ONCE, IN_PARTS, BY_VALUE, BY_HISTOGRAM = (
    *("at once", f"updates of {PART:,}", "value by value", "histograms"),
)
"""Names of ways to give a stream to a sketch."""

LIBRARIES: Mapping[str, tuple[str, ...]] = {
    "datasketches": ("KLL", "REQ", "t-digest of datasketches", "frequent_items"),
    "ddsketch": ("DDSketch",),
    "fastdigest": ("t-digest of fastdigest",),
}
"""What is measured of each library."""


class Promise(NamedTuple):
    """What a library states: an error of a kind, and how sure it is."""

    kind: str | None = None
    error: float | None = None
    sure: str = NOTHING


def _at_once(sketch: Any, stream: Keys) -> None:
    sketch.update(stream)


def _in_parts(sketch: Any, stream: Keys) -> None:
    for first in range(0, stream.size, PART):
        sketch.update(stream[first : first + PART])


def _by_value(update: str, sketch: Any, stream: Keys) -> None:
    for value in stream.tolist():
        getattr(sketch, update)(value)


def _quantiles(sketch: Any, qs: Keys) -> Any:
    return sketch.quantile(qs)


Feed = Callable[[Any, Keys], Any]
ARRAYS: Mapping[str, Feed] = {AT_ONCE: _at_once, IN_PARTS: _in_parts}
"""Ways to feed what takes arrays by a method `update`."""


@dataclass(frozen=True, kw_only=True)
class Contestant:
    """A summary of ours, or a sketch of another library."""

    name: str  # of its rows
    make: Callable[[], Any]  # returns an empty sketch
    promise: Callable[[Any], Promise]  # what is promised of a sketch that was fed
    to_bytes: Callable[[Any], bytes]
    answer: Callable[[Any, Keys], Any] = _quantiles  # at shares; of counts, of an array of items
    feeds: Mapping[str, Feed] = field(default_factory=lambda: ARRAYS)  # ways to give it a stream
    finish: Callable[[Any], Any] = lambda sketch: sketch  # returns the object that answers
    counts: bool = False  # whether it is a sketch of counts

    def run(self, fed: str, stream: Keys) -> Any:
        """Return the sketch of a stream that was given to it in one of its ways."""
        sketch = self.make()
        self.feeds[fed](sketch, stream)
        return self.finish(sketch)


def ours(sorter: str) -> Iterator[Contestant]:
    """Yield our summaries over a sorter."""

    def summary(name: str, made: Callable[..., Any], kind: str, **more: Any) -> Contestant:
        return Contestant(
            name=name,
            make=lambda: made(sorter=SORTERS[sorter]()),
            promise=lambda fed: Promise(kind, fed.epsilon, ALWAYS),
            to_bytes=lambda fed: fed.to_bytes(),
            **more,
        )

    for epsilon in RANK_ERRORS:
        name, made = f"QuantileSummary({epsilon:g})", partial(QuantileSummary, epsilon)
        yield summary(name, made, RANK)
        yield summary(f"{name}.compact()", made, RANK, finish=lambda fed: fed.compact())
    counting: Any = {"counts": True, "answer": lambda fed, items: fed.estimate(items)}
    name = f"FrequencySummary({COUNT_ERROR:g})"
    yield summary(name, partial(FrequencySummary, COUNT_ERROR), COUNT, **counting)


def missing() -> dict[str, str]:
    """Return the reasons why sketches are not measured, by their names."""
    absent = [each for each in LIBRARIES if not importlib.util.find_spec(each)]
    return {name: f"{each} is not installed" for each in absent for name in LIBRARIES[each]}


def peers() -> Iterator[Contestant]:
    """Yield the sketches of the libraries that are installed."""
    for library, made in zip(LIBRARIES, (_datasketches, _ddsketch, _fastdigest), strict=True):
        if importlib.util.find_spec(library):
            yield from made()


def _datasketches() -> Iterator[Contestant]:
    import datasketches

    def sketch(name: str, made: Any, promise: Any, **more: Any) -> Contestant:
        usual: Any = {"answer": lambda fed, qs: np.array(fed.get_quantiles(qs))} | more
        return Contestant(
            name=name, make=made, promise=promise, to_bytes=lambda fed: fed.serialize(), **usual
        )

    def of_req(fed: Any) -> Promise:  # three standard deviations, which are meant to hold with 99%
        off = fed.get_rank_upper_bound(REQ_QUANTILE, 3) - REQ_QUANTILE
        return Promise(TAIL, off / (1 - REQ_QUANTILE), MOSTLY)

    kll = datasketches.kll_floats_sketch
    for epsilon in RANK_ERRORS:
        sizes = range(8, 1 << 16)
        k = next(each for each in sizes if kll.get_normalized_rank_error(each, False) <= epsilon)
        error = kll.get_normalized_rank_error(k, False)
        yield sketch(
            f"KLL, k = {k}", partial(kll, k), partial(_always, Promise(RANK, error, MOSTLY))
        )
    yield sketch(
        f"REQ, k = {REQ_SIZE}", partial(datasketches.req_floats_sketch, REQ_SIZE, True), of_req
    )
    one_by_one: Any = {"answer": lambda fed, qs: np.array([fed.get_quantile(q) for q in qs])}
    digest = datasketches.tdigest_float
    name = f"t-digest of datasketches, k = {digest().k}"
    yield sketch(name, digest, partial(_always, Promise()), **one_by_one)
    yield _frequent_items(datasketches)


def _always(promise: Promise, fed: Any) -> Promise:
    return promise


def _frequent_items(datasketches: Any) -> Contestant:
    sketch, doubles = datasketches.frequent_items_sketch, datasketches.PyDoublesSerDe()
    sizes = (each for each in range(3, 27) if sketch.get_epsilon_for_lg_size(each) <= COUNT_ERROR)
    size, none = next(sizes), datasketches.frequent_items_error_type

    def by_histogram(fed: Any, values: Keys) -> None:
        for first in range(0, values.size, HISTOGRAM):
            found = np.unique(values[first : first + HISTOGRAM], return_counts=True)
            for value, count in zip(*(each.tolist() for each in found), strict=True):
                fed.update(value, count)

    def counts(fed: Any, items: Keys) -> Any:
        """Return the counts of ascending items; those that the sketch lacks count as 0."""
        held = fed.get_frequent_items(none.NO_FALSE_NEGATIVES, 0)
        found = np.zeros(items.size, np.int64)
        of = np.array([each[0] for each in held], items.dtype)
        found[np.searchsorted(items, of)] = [each[1] for each in held]
        return found

    return Contestant(
        name=f"frequent_items, 2^{size}",
        make=partial(sketch, size),
        feeds={BY_VALUE: partial(_by_value, "update"), BY_HISTOGRAM: by_histogram},
        promise=lambda fed: Promise(COUNT, fed.epsilon, ALWAYS),
        to_bytes=lambda fed: fed.serialize(doubles),
        answer=counts,
        counts=True,
    )


def _ddsketch() -> Iterator[Contestant]:
    from ddsketch import DDSketch
    from ddsketch.pb import proto

    as_proto: Any = proto.DDSketchProto.to_proto
    yield Contestant(
        name=f"DDSketch({RELATIVE_ERROR:g})",
        make=partial(DDSketch, RELATIVE_ERROR),
        feeds={BY_VALUE: partial(_by_value, "add")},
        promise=partial(_always, Promise(VALUE, RELATIVE_ERROR, ALWAYS)),
        to_bytes=lambda fed: as_proto(fed).SerializeToString(),
        answer=lambda fed, qs: np.array([fed.get_quantile_value(q) for q in qs]),
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
        promise=partial(_always, Promise()),
        to_bytes=lambda fed: fed.to_bytes(),
        answer=lambda fed, qs: np.array(fed.quantile_vec(qs)),
    )
