"""Lesson 5, what it cost in 2005: a card's data sheet in pictures, and the price of a sort."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from shadersort.drawing.cost.estimate import estimate
from shadersort.drawing.profiles import Profile
from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.prices import (
    BASE,
    CARD,
    CAUSES,
    UPGRADES,
    causes,
    faster,
    program_of,
    quicksort_seconds,
)
from shadersort.lessons.style import look, subplots
from shadersort.pictures.palette import BLUE, CIVIDIS, ORANGE, SKY, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "BASE",
    "CARD",
    "CAUSES",
    "EXERCISES",
    "UPGRADES",
    "causes",
    "faster",
    "pass_seconds",
    "program_of",
    "quicksort_seconds",
    "scaled",
    "show_figure_3",
    "show_figure_4",
    "show_pipes",
    "show_shares",
    "show_texel",
    "show_upgrades",
]

Numbers = npt.NDArray[Any]

SIZES = [1 << p for p in range(10, 24)]


def show_pipes(card: Profile = CARD) -> "Figure":
    """Draw the host, the card's memory and its pipelines, joined by pipes as wide as the flow."""
    figure, (ax,) = subplots(width=7.2, height=2.5)
    boxes = ((0.0, "host"), (3.6, "the card's\nmemory"), (7.2, "16 pipelines\nof 400 MHz"))
    flows = ((card.upload_bandwidth.value, "bus"), (card.memory_bandwidth.value, "memory"))
    widest = card.memory_bandwidth.value
    for (x, _), (rate, name), colour in zip(boxes, flows, (ORANGE, SKY), strict=False):
        ax.barh(0, 1.6, height=1.7 * rate / widest, left=x + 2, color=colour)
        ax.text(x + 2.8, 0.95, f"{name}\n{rate / 1e9:g} GB/s", ha="center", va="bottom")
    for x, name in boxes:
        ax.barh(0, 2, height=1.8, left=x, color="white", edgecolor="#222222", linewidth=1.5)
        ax.text(x + 1, 0, name, ha="center", va="center")
    ax.set(xlim=(-0.1, 9.3), ylim=(-1.1, 1.7))
    ax.set_axis_off()
    return figure


def show_texel(card: Profile = CARD) -> "Figure":
    """Draw what arithmetic and memory need for one texel of halves, in cycles of a pipeline."""
    kinds = {
        "copy": (card.cycles_per_copy, 2),
        "MIN or MAX blending": (card.cycles_per_blend, 3),
        "comparison by a\nprogram (Purcell)": (card.cycles_per_comparison, 3),
    }
    figure, (ax,) = subplots(width=7.2, height=2.6)
    for row, (cycles, moved) in enumerate(kinds.values()):
        pair = (cycles.float16.value, 8 * moved / card.bytes_per_cycle)
        for shift, value, colour in zip((-0.2, 0.2), pair, (VERMILION, SKY), strict=True):
            decides = value == max(pair)
            ax.barh(row + shift, value, height=0.36, color=colour, alpha=1 if decides else 0.45)
            ax.text(value + 0.5, row + shift, f"{value:.1f}", va="center", fontsize=9)
    ax.set_yticks(range(len(kinds)), list(kinds))
    ax.invert_yaxis()
    ax.set(xlabel="cycles of one pipeline, for one texel", xlim=(0, 60))
    for name, colour in (("arithmetic", VERMILION), ("memory", SKY)):
        ax.barh(0, 0, color=colour, label=name)
    ax.legend(loc="upper right", frameon=False)
    return figure


def _keys_axis(ax: "Axes") -> None:
    ax.set_xscale("log", base=2)
    ax.set_xlabel("keys")


def show_shares() -> "Figure":
    """Draw into what the time goes, as shares of all of it, for few keys and for many."""
    parts = [causes(n) for n in SIZES]
    shares = [[100 * each[name] / sum(each.values()) for each in parts] for name in CAUSES]
    figure, (ax,) = subplots(width=7.2, height=3.0)
    ax.stackplot(SIZES, shares, colors=list(CAUSES.values()), labels=list(CAUSES))
    _keys_axis(ax)
    ax.set(ylabel="share of the time, %", xlim=(SIZES[0], SIZES[-1]), ylim=(0, 100))
    handles, labels = ax.get_legend_handles_labels()
    ax.legend(handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def show_figure_4() -> "Figure":
    """Draw drawing and transfers against the number of keys, and what 8M keys foretell."""
    costs = [estimate(n) for n in SIZES]
    figure, (ax,) = subplots(width=7.2, height=3.4)
    drawing = [1e3 * cost.gpu_seconds for cost in costs]
    ax.plot(SIZES, drawing, **look("blend"), label="sorting on the GPU")
    moving = [1e3 * cost.transfer_seconds for cost in costs]
    ax.plot(SIZES, moving, color=ORANGE, marker="v", label="transfers over the bus")
    sizes = np.array(SIZES)
    foretold = _scaled(drawing[-1], BASE, sizes)
    dots: Any = {"color": CIVIDIS[-1], "markeredgecolor": "black", "zorder": 3}
    ax.plot(sizes, foretold, "o", **dots, label="foretold from the last point")
    _keys_axis(ax)
    ax.set(yscale="log", ylabel="milliseconds", title=f"{CARD.title}: by its data sheet")
    ax.legend()
    return figure


def show_figure_3() -> "Figure":
    """Draw the paper's sort, the bitonic sort before it, and quicksort, by what the text tells."""
    figure, (ax,) = subplots(width=7.2, height=3.4)
    options: Any = {"network": "bitonic", "method": "fragment", "precision": "float16"}
    one_each = [estimate(4 * n, **options).seconds for n in SIZES]
    four_each = [estimate(n, **options).seconds for n in SIZES]
    style = look("bitonic")
    low, high = np.multiply(1e3, four_each), np.multiply(1e3, one_each)
    ax.fill_between(SIZES, low, high, color=style["color"], alpha=0.3, linewidth=0)
    ax.plot(SIZES, high, **style, label="bitonic sort, one key to a texel")
    ax.plot(SIZES, low, **style, linestyle=":", label="bitonic sort, four keys to a texel")
    ours = [1e3 * estimate(n).seconds for n in SIZES]
    ax.plot(SIZES, ours, **look("pbsn"), label="PBSN by blending")
    quick = 1e3 * quicksort_seconds(np.array(SIZES))
    ax.plot(SIZES, quick, **look("np.sort"), label="quicksort, Pentium 4")
    _keys_axis(ax)
    ax.set(yscale="log", ylabel="milliseconds", title="by data sheets: not measured")
    ax.legend()
    return figure


def show_upgrades(n: int) -> "Figure":
    """Draw how many times faster n keys are sorted by cards that are twice as good in one respect.

    All these figures have one size and one scale, for a film.
    """
    figure, (ax,) = subplots(width=7.2, height=2.6)
    before = estimate(n).seconds
    gains = [before / estimate(n, profile=faster(upgrade)).seconds for upgrade in UPGRADES]
    colours = [CAUSES["bus"], CAUSES["copying"], BLUE, BLUE, CAUSES["setup"]]
    ax.barh(range(len(gains)), [gain - 1 for gain in gains], left=1, color=colours)
    for row, gain in enumerate(gains):
        ax.text(gain + 0.01, row, f"{gain:.2f} ×", va="center")
    ax.set_yticks(range(len(gains)), list(UPGRADES))
    ax.invert_yaxis()
    ax.set(xlim=(1, 2.1), xlabel="times faster, if this alone is twice as good")
    ax.set_title(f"{n:,} keys: {1e3 * before:,.3g} ms", loc="left")
    return figure


def rounded(values: Any) -> Numbers:
    """Round to six digits that count, so that the order of a calculation does not.

    Examples
    --------
    >>> rounded([0.1 + 0.2]).tolist()
    [0.3]
    """
    given = np.asarray(values, float)
    return np.array([float(f"{value:.6g}") for value in given.ravel()]).reshape(given.shape)


def _pass_seconds(texels: int, bytes_each: float, cycles_each: float) -> float:
    slowest = max(cycles_each, bytes_each / CARD.bytes_per_cycle)
    return float(rounded(CARD.setup_time.value + texels * slowest / CARD.texel_rate))


def _rounded_seconds(answer: Answer, *case: Any) -> float:
    return float(rounded(answered(answer(*case))))


pass_seconds = Exercise(
    name="pass_seconds",
    specification=_pass_seconds,
    cases=lambda rng: [
        (0, 24, 6.5),
        (1 << 20, 24, 6.5),
        (1 << 20, 16, 1.0),
        (1 << 21, 48, 6.5),
        (1 << 12, 24, 53.0),
        (1, 0, 1.0),
    ],
    hints=(
        "Begin with one texel: its cycles are cycles_each or bytes_each / 5.5, whichever is more.",
        "All texels together take that many cycles each, shared by 16 pipelines. "
        "A cycle takes 1 / 400e6 seconds.",
        "Whatever the pass draws, it waits for its setup first: add 5e-6 seconds, once.",
    ),
    outcome=_rounded_seconds,
)


def _scaled(seconds: float, base: int, sizes: Numbers) -> Numbers:
    return rounded(seconds * sizes / base * (np.log2(sizes / 4) / np.log2(base / 4)) ** 2)


def _rounded(answer: Answer, *case: Any) -> Numbers:
    return rounded(answered(answer(*case)))


def _some_growths(rng: np.random.Generator) -> Iterator[Case]:
    """One size that is the base's, one that is half; then many."""
    yield 1.4, BASE, np.array([BASE])
    yield 1.4, BASE, np.array([BASE // 2])
    yield 1.4, BASE, np.array(SIZES[4:])
    yield 0.008, 1 << 16, np.array(SIZES)


def _growth_beside(case: Case, yours: Any, expected: Any) -> "Figure":
    _, _, sizes = case
    figure, (ax,) = subplots(width=7.2, height=2.8)
    ax.plot(sizes, expected, "o-", color=BLUE, label="expected")
    ax.plot(sizes, yours, "x--", color=VERMILION, label="yours")
    _keys_axis(ax)
    ax.set(yscale="log", ylabel="seconds")
    ax.legend()
    return figure


scaled = Exercise(
    name="scaled",
    specification=_scaled,
    cases=_some_growths,
    hints=(
        "Twice as many keys make each pass twice as long. How many more passes are there?",
        "A channel holds n / 4 keys, so there are log2(n / 4) stages of log2(n / 4) steps. "
        "np.log2 takes arrays.",
        "Multiply the seconds by two ratios: sizes / base, and the square of "
        "np.log2(sizes / 4) / np.log2(base / 4).",
    ),
    outcome=_rounded,
    draw=_growth_beside,
)

EXERCISES: Sequence[Exercise] = (pass_seconds, scaled)
