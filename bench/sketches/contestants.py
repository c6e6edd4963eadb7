"""Our summaries, and sketches of other libraries in the smallest size that is fair.

That size is the smallest whose stated error is no larger than ours. Where an error is not stated,
or is of another kind, it is the size that the library proposes.
"""

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

PART = 1000
"""Values in a short update."""


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


Feed = Callable[[Any, Keys], None]
ARRAYS: Mapping[str, Feed] = {"at once": _at_once, f"updates of {PART:,}": _in_parts}
"""Ways to feed what takes arrays by a method `update`."""


@dataclass(frozen=True, kw_only=True)
class Contestant:
    """A summary of ours, or a sketch of another library."""

    name: str  # of its rows
    make: Callable[[], Any]  # returns an empty sketch
    to_bytes: Callable[[Any], bytes]
    answer: Callable[[Any, Keys], Any]  # at an array of shares; of counts, of an array of items
    promise: Callable[[Any], Promise] = lambda fed: Promise()  # what is promised of a fed sketch
    feeds: Mapping[str, Feed] = field(default_factory=lambda: ARRAYS)  # ways to give it a stream
    finish: Callable[[Any], Any] = lambda sketch: sketch  # returns the object that answers
    counts: bool = False  # whether it is a sketch of counts
    sorter: str = ""  # what sorts for ours

    def run(self, fed: str, stream: Keys) -> Any:
        """Return the sketch of a stream that was given to it in one of its ways."""
        sketch = self.make()
        self.feeds[fed](sketch, stream)
        return self.finish(sketch)


def ours(sorter: str) -> Iterator[Contestant]:
    """Yield our summaries over a sorter."""
    usual: Any = {"to_bytes": lambda fed: fed.to_bytes(), "sorter": sorter}
    ranks: Any = {
        "promise": lambda fed: Promise(RANK, fed.epsilon, ALWAYS),
        "answer": lambda fed, qs: fed.quantile(qs),
    }
    for epsilon in RANK_ERRORS:
        name, made = f"QuantileSummary({epsilon:g})", partial(QuantileSummary, epsilon)
        of: Any = {"make": partial(_with_sorter, made, sorter), **usual, **ranks}
        yield Contestant(name=name, **of)
        yield Contestant(name=f"{name}.compact()", finish=lambda fed: fed.compact(), **of)
    yield Contestant(
        name=f"FrequencySummary({COUNT_ERROR:g})",
        make=partial(_with_sorter, partial(FrequencySummary, COUNT_ERROR), sorter),
        promise=lambda fed: Promise(COUNT, fed.epsilon, ALWAYS),
        answer=lambda fed, items: fed.estimate(items),
        counts=True,
        **usual,
    )


def _with_sorter(make: Callable[..., Any], sorter: str) -> Any:
    return make(sorter=SORTERS[sorter]())


def _datasketches() -> Iterator[Contestant]:
    import datasketches

    usual: Any = {
        "to_bytes": lambda fed: fed.serialize(),
        "answer": lambda fed, qs: np.array([fed.get_quantile(q) for q in qs]),
    }

    def of_req(fed: Any) -> Promise:  # three standard deviations, which are meant to hold with 99%
        off = fed.get_rank_upper_bound(REQ_QUANTILE, 3) - REQ_QUANTILE
        return Promise(TAIL, off / (1 - REQ_QUANTILE), MOSTLY)

    kll, req = (
        datasketches.kll_floats_sketch,
        partial(datasketches.req_floats_sketch, REQ_SIZE, True),
    )
    for epsilon in RANK_ERRORS:
        errors = ((k, kll.get_normalized_rank_error(k, False)) for k in range(8, 1 << 16))
        k, error = next(each for each in errors if each[1] <= epsilon)
        promise = Promise(RANK, error, MOSTLY)
        of: Any = {"promise": lambda fed, promise=promise: promise, **usual}
        yield Contestant(name=f"KLL, k = {k}", make=partial(kll, k), **of)
    yield Contestant(name=f"REQ, k = {REQ_SIZE}", make=req, promise=of_req, **usual)
    digest = datasketches.tdigest_float
    yield Contestant(name=f"t-digest of datasketches, k = {digest().k}", make=digest, **usual)
    yield _frequent_items(datasketches)


def _frequent_items(datasketches: Any) -> Contestant:
    sketch, doubles = datasketches.frequent_items_sketch, datasketches.PyDoublesSerDe()
    sizes = (each for each in range(3, 27) if sketch.get_epsilon_for_lg_size(each) <= COUNT_ERROR)
    size, none = next(sizes), datasketches.frequent_items_error_type.NO_FALSE_NEGATIVES

    def counts(fed: Any, items: Keys) -> Any:
        """Return the counts of ascending items; those that the sketch lacks count as 0."""
        held = fed.get_frequent_items(none, 0)
        found = np.zeros(items.size, np.int64)
        of = np.array([each[0] for each in held], items.dtype)
        found[np.searchsorted(items, of)] = [each[1] for each in held]
        return found

    return Contestant(
        name=f"frequent_items, 2^{size}",
        make=partial(sketch, size),
        feeds={"value by value": partial(_by_value, "update")},
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
        feeds={"value by value": partial(_by_value, "add")},
        promise=lambda fed: Promise(VALUE, RELATIVE_ERROR, ALWAYS),
        to_bytes=lambda fed: as_proto(fed).SerializeToString(),
        answer=lambda fed, qs: np.array([fed.get_quantile_value(q) for q in qs]),
    )


LIBRARIES: Mapping[str, Callable[[], Iterator[Contestant]]] = {
    "datasketches": _datasketches,
    "ddsketch": _ddsketch,
}
"""What yields the sketches of a library that is installed."""
