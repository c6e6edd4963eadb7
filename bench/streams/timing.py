"""Ways to summarise a stream, checked and then timed in turns."""

import statistics
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import modern
from bench.shared.machines import a_card
from bench.shared.options import Options
from bench.shared.record import Row, described
from shadersort.drawing.compile import METHODS
from shadersort.drawing.devices import default_device
from shadersort.drawing.networks import NETWORKS
from shadersort.keys.types import Keys
from shadersort.streams import BySizeSorter, NumPySorter, Sorter, TextureSorter

DRAWN_FROM = 1 << 12
"""The least number of keys in a window that `by-size-fixed` draws."""


@dataclass(frozen=True)
class CountingSorter(BySizeSorter):
    """A sorter by size that counts the keys that each of its two sorters gets."""

    counts: list[int] = field(default_factory=lambda: [0, 0])  # the last is of those drawn

    def choose(self, windows: Keys) -> Sorter:
        """Return the sorter of some windows, and count their keys."""
        chosen = super().choose(windows)
        self.counts[chosen is self.large] += windows.size
        return chosen

    @property
    def drawn_share(self) -> float:
        """The share of the keys that was drawn."""
        return self.counts[1] / max(sum(self.counts), 1)


DRAWN: Mapping[str, Callable[[], Sorter]] = {
    **{
        f"{network}-{method}": partial(TextureSorter, network, method)
        for network, method in product(NETWORKS, METHODS)
    },
    "by-size-fixed": lambda: CountingSorter(
        large=TextureSorter(method="blend"), threshold=DRAWN_FROM
    ),
}
"""Sorters that draw, by name: by a network and a method; large windows only, as the paper draws."""

SORTERS: Mapping[str, Callable[[], Sorter]] = {
    "numpy": NumPySorter,
    "numpy-1": lambda: NumPySorter(threads=1),
    "cuda": modern.Sorter,
    "cuda-host": modern.Sorter,
    **DRAWN,
}
"""Sorters by name. `cuda` gets keys on the device, `cuda-host` keys in pinned memory."""

LONG = 5.0
"""A way that takes more seconds has one turn only. The check, which may compile, is no turn."""


class Way(NamedTuple):
    """A way to summarise a stream."""

    run: Callable[[], Any]
    # returns the worst error of the summary as a share, or what else was measured of it; raises
    # AssertionError if the summary breaks its guarantee
    check: Callable[[Any], Any] = lambda given: 0.0


class Last(NamedTuple):
    """The summary of the last turn, the seconds of that turn, and those of the median turn."""

    summary: Any
    seconds: float
    median: float


def cases(options: Options, usual: list[float]) -> Iterator[tuple[float, str]]:
    """Yield every error with every sorter; `usual` are the errors unless others are chosen."""
    return product(options.epsilon or usual, options.sorter or ["numpy", "numpy-1"])


def placed(stream: Keys, sorter: str) -> Any:
    """Return a stream in the memory that its sorter expects."""
    if not sorter.startswith("cuda"):
        return stream
    a_card()  # raises an error if something is missing
    import cupy
    import cupyx

    if sorter == "cuda":
        return cupy.asarray(stream)
    pinned = cupyx.empty_pinned(stream.shape, stream.dtype)
    pinned[:] = stream
    return pinned


def devices(sorters: Collection[str]) -> Mapping[str, Any] | None:
    """Describe the devices that some sorters use; None if only NumPy sorts."""
    card = a_card().described() if any(each.startswith("cuda") for each in sorters) else {}
    drawing = described(default_device()) if DRAWN.keys() & set(sorters) else {}
    return {**card, "textures": drawing} if card and drawing else card or drawing or None


def variant(options: Options) -> dict[str, Any]:
    """Return what makes a summary do as its paper prints; nothing for our own version."""
    return {"as_printed": True} if options.as_printed else {}


def summarised(given: Any, kind: Any, *arguments: Any, sorter: str, **named: Any) -> Any:
    """Return a summary of a stream."""
    summary = kind(*arguments, sorter=SORTERS[sorter](), **named)
    summary.update(given)
    return summary


def sliding(
    kind: Any,
    name: str,
    values: Keys,
    check_of: Callable[[Keys, float], Callable[[Any], float]],
    options: Options,
) -> Iterator[Row]:
    """Summarise the last values of a stream: of one length of window, and of all lengths.

    `check_of` makes the check of a summary from the last values and the error.
    """
    for (epsilon, sorter), window in product(
        cases(options, [1e-2, 1e-3]), options.window or [10**6]
    ):
        given, check = placed(values, sorter), check_of(values[-window:], epsilon)
        for shortest in (window,) if options.as_printed else (window, 1):
            of: Any = {"shortest": shortest, "sorter": sorter}
            run = partial(summarised, given, kind, epsilon, window, **of, **variant(options))
            told = {"data": name, "epsilon": epsilon, "window": window, **of}
            yield from rows(told, values.size, {kind.__name__: Way(run, check)}, options.turns)


def rows(told: Row, n: int, ways: Mapping[str, Way], turns: int) -> Iterator[Row]:
    """Check every way, then yield a row for each."""
    for name, (last, worst) in measured(ways, turns).items():
        row = {**told, "method": name, "mvalues_per_s": millions(n, last)}
        if hasattr(last.summary, "seconds"):
            row |= {"label": label_of(last.summary, told["sorter"]), **account(last, worst)}
            if isinstance(last.summary.sorter, CountingSorter):
                row["drawn_share"] = last.summary.sorter.drawn_share
        yield row


def measured(ways: Mapping[str, Way], turns: int) -> dict[str, tuple[Last, Any]]:
    """Check every way, then time all in turns; return its last turn and what its check returned.

    The result of a turn is freed before the next turn begins: streams may be long.
    """
    worst = {name: way.check(way.run()) for name, way in ways.items()}
    took: dict[str, list[float]] = {name: [] for name in ways}
    last: dict[str, Last] = {}
    for name, way in [*ways.items()] * turns:
        if not took[name] or took[name][0] <= LONG:
            last.pop(name, None)
            started = time.perf_counter()
            summary = way.run()
            took[name].append(time.perf_counter() - started)
            last[name] = Last(summary, took[name][-1], statistics.median_low(took[name]))
            del summary
    return {name: (last[name], worst[name]) for name in ways}


def millions(n: int, last: Last) -> float:
    """Return how many million values the median turn took in a second."""
    return round(n / last.median / 1e6, 2)


def label_of(summary: Any, sorter: str) -> str:
    """Return what sorted for a summary, with the variant, and if keys came from pinned memory."""
    label: str = summary.sorter.label(summary.dtype)
    label += ", keys from pinned memory" if sorter == "cuda-host" else ""
    return f"as printed, {label}" if getattr(summary, "as_printed", False) else label


def account(last: Last, worst: float) -> Row:
    """Return the size of a summary, its worst error, and the shares of its time by operation."""
    summary = last.summary
    shares = {
        f"{operation}_share": round(spent / last.seconds, 3)
        for operation, spent in sorted(summary.seconds.items())
    }
    return {"entries": len(summary), "bytes": summary.nbytes, "worst": worst, **shares}
