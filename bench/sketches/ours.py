"""Our summaries, as the benchmark of sketches makes and asks them."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from bench.sketches.contestant import ALWAYS, ARRAYS, COUNT, RANK, TAIL, Contestant, Promise
from bench.streams.timing import SORTERS
from shadersort import FrequencySummary, QuantileSummary, TailSummary

RANK_ERRORS = (1e-2, 1e-3, 1e-4)
"""Error bounds of summaries of quantiles, and of the peers with such a bound."""
TAIL_ERROR = 1e-2
COUNT_ERROR = 1e-3


def ours(sorter: str) -> Iterator[Contestant]:
    """Yield our summaries over a sorter."""
    for epsilon in RANK_ERRORS:
        name = f"QuantileSummary({epsilon:g})"
        made = partial(QuantileSummary, epsilon)
        printed = partial(made, structure="exponential-histogram")
        yield _ours(name, made, sorter, RANK)
        yield _ours(f"{name}.compact()", made, sorter, RANK, finish=lambda each: each.compact())
        yield _ours(f"{name}, exponential histogram", printed, sorter, RANK)
    yield _ours(f"TailSummary({TAIL_ERROR:g})", partial(TailSummary, TAIL_ERROR), sorter, TAIL)
    counting = partial(FrequencySummary, COUNT_ERROR)
    yield _ours(
        f"FrequencySummary({COUNT_ERROR:g})",
        counting,
        sorter,
        COUNT,
        counts=True,
        answer=lambda summary, items: summary.estimate(items),
    )


def _ours(name: str, made: Callable[..., Any], sorter: str, kind: str, **more: Any) -> Contestant:
    usual: dict[str, Any] = {"answer": lambda summary, q: summary.quantile(q)}
    return Contestant(
        name=name,
        make=lambda: made(sorter=SORTERS[sorter]()),
        feeds=ARRAYS,
        promise=lambda ran: Promise(kind, ran.answers.epsilon, ALWAYS),
        label=_label,
        to_bytes=lambda summary: summary.to_bytes(),
        **(usual | more),
    )


def _label(ran: Any) -> str:
    """Return the kind of what answers, and what sorted for it."""
    structure = getattr(ran.answers, "structure", "")
    words = (type(ran.answers).__name__, structure, ran.fed.sorter.label(ran.fed.dtype))
    return ", ".join(word for word in words if word)
