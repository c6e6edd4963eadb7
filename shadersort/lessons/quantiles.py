"""Lesson 7, quantiles of a stream: ranks between bounds, their pictures, and the exercises."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.records import record
from shadersort.lessons.style import look, subplots
from shadersort.palette import BLACK, BLUE, CIVIDIS, GREY, ORANGE, VERMILION
from shadersort.streams import QuantileSummary
from shadersort.streams.ranked import Ranked, increments, ranked_samples
from shadersort.streams.ranks import Ranks, united

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "EXERCISES",
    "Entries",
    "bounds_at",
    "bounds_of",
    "compressed",
    "merged",
    "sampled",
    "show_band",
    "show_buckets",
    "show_entries",
    "show_guarantee",
    "show_seconds",
    "show_space",
    "show_stream",
    "show_window",
    "united_entries",
    "worst_error",
]

Keys = npt.NDArray[Any]

FAINT = "#d9d9d9"
SHARES = np.arange(1, 200) / 200
"""The quantiles that are asked for in pictures."""


class Entries(NamedTuple):
    """Some values of a set, in order, and between which bounds the rank of each lies.

    Attributes
    ----------
    values
        The first is the smallest of the set, the last the largest.
    smallest, largest
        The smallest and the largest rank that each may have; ranks count from 1.
    n
        How many values the set has.
    """

    values: Keys
    smallest: Keys
    largest: Keys
    n: int

    def __repr__(self) -> str:
        rows = (" ".join(f"{each:>4g}" for each in row) for row in self[:3])
        told = zip(("value        ", "smallest rank", "largest rank "), rows, strict=True)
        head = f"{len(self.values)} entries for {self.n} values"
        return "\n  ".join([head, *map(" ".join, told)])


def sampled(window: Keys, step: int) -> Entries:
    """Sort a window and keep its first value and every `step`-th; `step` divides its length.

    Examples
    --------
    >>> sampled(np.array([40, 10, 30, 20]), 2)
    3 entries for 4 values
      value           10   20   40
      smallest rank    1    2    4
      largest rank     1    2    4
    """
    ranks = np.union1d(0, np.arange(step - 1, len(window), step))
    return _entries(ranked_samples(np.sort(window)[None, ranks], ranks, len(window)), len(window))


def united_entries(a: Entries, b: Entries) -> Entries:
    """Return the entries of two sets as those of their union, with the bounds that they have there.

    Examples
    --------
    >>> united_entries(sampled(np.array([1, 3, 5, 7]), 2), sampled(np.array([2, 4]), 1)).largest
    array([1, 2, 3, 5, 6])
    """
    found = _ranks(a, b)
    return Entries(found.values, found.smallest, found.largest, found.n)


def compressed(entries: Entries, step: int) -> Entries:
    """Keep the first entry, and one for every `step` ranks.

    Examples
    --------
    >>> compressed(sampled(np.arange(9), 1), 3).values
    array([0, 2, 5, 8])
    """
    kept = _entries(_ranked(entries).compressed(entries.n, step), entries.n)
    own = np.append(True, np.diff(kept.smallest) > 0)  # an empty slot repeats the one before
    return Entries(kept.values[own], kept.smallest[own], kept.largest[own], kept.n)


def bounds_of(entries: Entries, points: Any) -> tuple[Any, Any]:
    """Return how many values of the set are at most each of some points, at least and at most.

    Examples
    --------
    >>> bounds_of(sampled(np.array([10, 20, 30, 40]), 2), [5, 25])
    (array([0, 2]), array([0, 3]))
    """
    low, high = _ranks(entries).bounds(np.asarray(points), "right")
    return low[()], high[()]


def worst_error(summary: QuantileSummary, ordered: Keys) -> float:
    """Return by how many ranks the worst of many quantiles is off, given the stream in order."""
    return float(np.abs(_errors(summary, ordered)).max())


def _errors(summary: QuantileSummary, ordered: Keys) -> Keys:
    """Return by how many ranks each quantile of `SHARES` is off; equal values may be in any order.

    A value that fills several ranks is off only if the rank that is asked for is none of them.
    """
    found = summary.quantile(SHARES)
    asked = np.ceil(SHARES * len(ordered))
    first = np.searchsorted(ordered, found, side="left") + 1
    last = np.searchsorted(ordered, found, side="right")
    return np.clip(asked, first, last) - asked


def _ranked(entries: Entries) -> Ranked:
    """Return entries as summaries keep them: what the bounds grow by."""
    lower = np.diff(entries.smallest, prepend=0)
    upper = np.diff(entries.largest, append=entries.n + 1)
    return Ranked(
        entries.values[None], *(increments(each, entries.n)[None] for each in (lower, upper))
    )


def _ranks(*sets: Entries) -> Ranks:
    """Return what is known of the union of some sets."""
    return united([_ranked(each) for each in sets], np.empty(0, sets[0].values.dtype))


def _entries(ranked: Ranked, n: int) -> Entries:
    largest = 1 + np.cumsum(ranked.upper[0]) - ranked.upper[0]
    return Entries(ranked.values[0], np.cumsum(ranked.lower[0]), largest, n)


def show_stream(stream: Keys) -> "Figure":
    """Draw how often each response time comes, its mean, median and 99th percentile."""
    figure, (ax,) = subplots(height=2.6)
    ax.hist(stream, np.geomspace(10, 10_000, 150).tolist(), color=FAINT)
    marks = {
        "median": (np.median(stream), BLUE, -4, "right"),
        "mean": (stream.mean(dtype=np.float64), ORANGE, 4, "left"),
        "99th percentile": (np.quantile(stream, 0.99), VERMILION, 4, "left"),
    }
    for name, (at, colour, gap, side) in marks.items():
        ax.axvline(at, color=colour)
        where: Any = {"textcoords": "offset points", "ha": side, "va": "top", "color": colour}
        ax.annotate(f"{name}\n{at:.0f} ms", (at, ax.get_ylim()[1]), (gap, 0), **where)
    ax.set(xscale="log", xlabel="response time, milliseconds", ylabel="how many requests")
    return figure


def show_window(window: Keys, entries: Entries) -> "Figure":
    """Draw a window as it came, and in order; the values that are kept are blue."""
    figure, axes = subplots(1, 2, height=2.6, sharey=True)
    places = np.arange(1, len(window) + 1)
    kept = np.isin(places, entries.smallest)
    axes[0].bar(places, window, color=GREY)
    axes[0].set(title="as they came", xlabel="arrival", ylabel="milliseconds")
    ordered = np.sort(window)
    bars = axes[1].bar(places, ordered, color=np.where(kept, BLUE, FAINT))
    told = [f"{value:g}" if each else "" for value, each in zip(ordered, kept, strict=True)]
    axes[1].bar_label(bars, told, fontsize=9)
    axes[1].set(title=f"in order; {len(entries.values)} of them are kept", xlabel="rank")
    for ax in axes:
        ax.set_xticks(places[::3])
    return figure


def show_band(sets: Sequence[tuple[str, Entries, Keys]]) -> "Figure":
    """Draw, for entries with the values that they stand for, the bounds of every rank as a band."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = subplots(1, len(sets), height=3.0)
    for ax, (title, entries, values) in zip(axes, sets, strict=True):
        ends = values.min() - 0.06 * np.ptp(values), values.max() + 0.06 * np.ptp(values)
        points = np.concatenate([ends[:1], entries.values, ends[1:]])
        low, high = bounds_of(entries, points)
        ax.fill_between(points, low, high, step="post", color=BLUE, alpha=0.3, label="the bounds")
        stairs = np.concatenate([ends[:1], np.sort(values), ends[1:]])
        truth = np.searchsorted(np.sort(values), stairs, side="right")
        ax.step(stairs, truth, where="post", color=BLACK, linewidth=1.2, label="the truth")
        ax.vlines(entries.values, entries.smallest, entries.largest, color=BLUE, linewidth=3)
        ax.plot(entries.values, entries.smallest, "o", color=BLUE, markersize=4, label="entries")
        ax.plot(entries.values, entries.largest, "o", color=BLUE, markersize=4)
        ax.set(title=title, xlabel="x", ylabel="how many values are at most x")
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes[-1].legend(loc="lower right", frameon=False)
    return figure


def show_entries(sets: Sequence[tuple[str, Any]]) -> "Figure":
    """Draw entries side by side: each is a bar from its smallest rank to its largest."""
    count = max(len(of[0]) for _, of in sets)
    figure, axes = subplots(1, len(sets), height=0.9 + 0.19 * count, sharex=True)
    for ax, (title, (values, smallest, largest, *_)) in zip(axes, sets, strict=True):
        rows = np.arange(len(values))
        for row, low, high in zip(rows, smallest, largest, strict=True):
            ax.plot([low, high], [row, row], "o-", color=BLUE, markersize=5, linewidth=3)
        ax.set_yticks(rows, [f"{value:g}" for value in values])
        ax.set(title=title, xlabel="rank", ylabel="value", ylim=(count - 0.4, -0.6))
        ax.grid(axis="x", color=FAINT)
    return figure


def show_buckets(windows: int, most: int) -> "Figure":
    """Draw which buckets an exponential histogram holds after so many windows."""
    figure, (ax,) = subplots(height=2.5)
    levels = most.bit_length()
    held = [level for level in reversed(range(levels)) if windows >> level & 1]
    start = 0
    for level in held:
        shade = CIVIDIS[2 + 11 * level // max(1, levels - 1)]
        ax.barh(level, 1 << level, left=start, height=0.75, color=shade, edgecolor="white")
        start += 1 << level
    sizes = " + ".join(str(1 << level) for level in held) or "0"
    ax.set_yticks(range(levels), [f"{1 << level}" for level in range(levels)])
    ax.set(
        xlim=(0, most),
        ylim=(-0.6, levels - 0.4),
        xlabel="windows of the stream, oldest first",
        ylabel="windows in a bucket",
    )
    ax.set_title(f"{windows} windows = {sizes}")
    return figure


def show_guarantee(summary: QuantileSummary, ordered: Keys) -> "Figure":
    """Draw how far off the quantiles of a summary are: in ranks, and in values."""
    epsilon, n = summary.epsilon, len(ordered)
    figure, axes = subplots(1, 2, height=3.1)
    axes[0].fill_between([0, 1], -100 * epsilon, 100 * epsilon, color=BLUE, alpha=0.2)
    axes[0].plot(SHARES, 100 * _errors(summary, ordered) / n, ".", color=BLUE, markersize=4)
    axes[0].set(xlabel="quantile asked for", ylabel="error of the rank, % of N", ylim=(-5.5, 5.5))
    axes[0].set_title(f"ε = {epsilon:g}: {len(summary):,} entries of {n:,}")
    low, high = (
        ordered[np.clip(np.ceil((SHARES + off) * n).astype(int) - 1, 0, n - 1)]
        for off in (-epsilon, epsilon)
    )
    axes[1].fill_between(SHARES, low, high, color=BLUE, alpha=0.2, label="within ±εN ranks")
    axes[1].plot(SHARES, ordered[np.ceil(SHARES * n).astype(int) - 1], color=BLACK, label="true")
    axes[1].plot(SHARES, summary.quantile(SHARES), ".", color=BLUE, markersize=3, label="answered")
    axes[1].set(xlabel="quantile asked for", ylabel="milliseconds", yscale="log", ylim=(15, 9000))
    axes[1].legend(loc="upper left", frameon=False)
    return figure


def show_space(lengths: Sequence[int], entries: Sequence[int]) -> "Figure":
    """Draw how many entries a summary holds after so many values."""
    figure, (ax,) = subplots(width=5.0, height=3.0)
    ax.plot(lengths, lengths, color=GREY, linestyle="--", label="keep everything")
    ax.plot(lengths, entries, "o-", color=BLUE, label="QuantileSummary(0.01)")
    ax.set(xscale="log", yscale="log", xlabel="values of the stream", ylabel="values that are held")
    ax.legend(frameon=False)
    return figure


def show_seconds() -> "Figure":
    """Draw figure 7 of the paper again: seconds for 100 million halves, against ε."""
    figure, (ax,) = subplots(width=6.0, height=3.2)
    made = record("streams-figures-numpy")
    ways = {
        "QuantileSummary": {"color": BLUE, "marker": "o"},
        "np.sort of the windows": look("np.sort"),
        "KLL, k=200": {"color": ORANGE, "marker": "D"},
    }
    for way, style in ways.items():
        rows = made.where(workload="quantiles", method=way)
        seconds = [row["keys"] / row["mvalues_per_s"] / 1e6 for row in rows]
        ax.plot([row["epsilon"] for row in rows], seconds, **style, label=way)
    ax.set(xscale="log", xlabel="ε", ylabel="seconds for 100 million values", ylim=(0, 8))
    ax.invert_xaxis()
    ax.set_title(made.label)
    ax.legend(loc="upper center", ncols=3, frameon=False)
    return figure


def _different(rng: np.random.Generator, first: int, every: int, count: int) -> Keys:
    """Return different values: `first`, and multiples of `every` above it."""
    return first + every * rng.permutation(3 * count)[:count]


def _cases_of_bounds(rng: np.random.Generator) -> Iterator[Case]:
    """Points between entries, on entries, before the first one and behind the last."""
    simple = sampled(np.arange(10, 90, 10), 4)
    for x in (45, 40, 10, 80, 5, 95):
        yield simple, x
    blurred = united_entries(
        sampled(_different(rng, 0, 2, 12), 4), sampled(_different(rng, 1, 2, 12), 4)
    )
    for x in (*blurred.values.tolist(), *(blurred.values + 1).tolist(), -1):
        yield blurred, x


def _two_numbers(answer: Answer, entries: Entries, x: int) -> Any:
    yours = answered(answer(entries, x))
    return [each.item() if isinstance(each, np.generic) else each for each in yours]


bounds_at = Exercise(
    name="bounds_at",
    specification=lambda entries, x: [int(each) for each in bounds_of(entries, x)],
    cases=_cases_of_bounds,
    hints=(
        "i = np.searchsorted(entries.values, x, side='right') says how many entries are at most x. "
        "So entry i − 1 is the last that is at most x, and entry i the first that is larger.",
        "Entry i − 1 is at most x, and so is all that comes before it: at least smallest[i − 1] "
        "values. Where there is no such entry, i is 0, and all that is known is: at least 0.",
        "Entry i is larger than x. At most largest[i] − 1 values come before it, so no more than "
        "these can be at most x. Where there is no such entry, i is len(entries.values), and all "
        "n values are at most x.",
    ),
    outcome=_two_numbers,
)


def _cases_of_merging(rng: np.random.Generator) -> Iterator[Case]:
    """Pairs of sets that have no value in common."""
    yield sampled(np.array([2, 4, 6, 8]), 1), sampled(np.array([1, 3, 5, 7]), 1)
    yield sampled(np.array([2, 4, 6, 8]), 2), sampled(np.array([11, 13, 15, 17]), 2)
    yield sampled(np.arange(2, 26, 2), 4), sampled(np.arange(7, 23, 2), 4)
    for count, other in ((8, 8), (16, 8)):
        yield (
            sampled(_different(rng, 0, 2, count), 4),
            sampled(_different(rng, 1, 2, other), 4),
        )
    one, two = (sampled(_different(rng, first, 4, 8), 4) for first in (0, 2))
    yield united_entries(one, two), sampled(_different(rng, 1, 2, 16), 8)


def _rows(of: Any) -> Keys:
    """Return the columns of entries as the rows of one array."""
    columns = [np.asarray(column) for column in of[:3]]
    if len(of) != 4 or len({column.shape for column in columns}) > 1:
        raise ValueError("return Entries(values, smallest, largest, n), with arrays of one length")
    return np.stack(columns)


def _merged_rows(answer: Answer, a: Entries, b: Entries) -> Keys:
    yours = answered(answer(a, b))
    rows = _rows(yours)
    if yours[3] != a.n + b.n:
        raise ValueError(f"n is {yours[3]}, and both sets together have {a.n + b.n} values")
    return rows


def _beside(case: Case, yours: Any, expected: Any) -> "Figure":
    return show_entries([("yours", yours), ("expected", expected)])


merged = Exercise(
    name="merged",
    specification=lambda a, b: _rows(united_entries(a, b)),
    cases=_cases_of_merging,
    hints=(
        "How many values of the union come up to an entry of a? Those of a, and those of b. Its "
        "own bounds limit the first number, and bounds_of(b, a.values) the second.",
        "For the entries of a: low, high = bounds_of(b, a.values), and their new bounds are "
        "a.smallest + low and a.largest + high. It is the same for the entries of b, the other "
        "way round.",
        "np.concatenate([a.values, b.values]) puts both one after the other; do so with all three. "
        "order = np.argsort(values) says in which order they belong: values[order], and so on.",
    ),
    outcome=_merged_rows,
    draw=_beside,
)

EXERCISES = (bounds_at, merged)
