"""Lesson 6, the same shaders today: what each method costs on a GPU of today, and why."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.drawing.networks import NETWORKS, Step, network
from shadersort.drawing.passes import Program
from shadersort.drawing.program import METHODS, build
from shadersort.drawing.texture_size import texture_size
from shadersort.keys.types import Keys
from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.ladders import Live, short, show_ladder, timed_here
from shadersort.lessons.records import Record
from shadersort.lessons.style import look, subplots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "EXERCISES",
    "Live",
    "after_one_step",
    "partners_of",
    "predicted_ms",
    "program_of",
    "show_chip",
    "show_ladder",
    "show_passes",
    "show_predicted",
    "show_rates",
    "timed_here",
    "written",
]


WRITING, BLENDING = 3.51, 0.99
"""Thousand million texels of four 32-bit floats that an H200 draws in a second: of its record."""


@lru_cache(maxsize=64)
def program_of(name: str, method: str, n: int) -> Program:
    """Return the passes that sort n keys, four channels side by side; n is a power of two."""
    return build(network(name, n // 4), *texture_size(n // 4), method)


def written(program: Program) -> tuple[int, int]:
    """Return how many texels a program writes without blending, and how many it blends.

    Examples
    --------
    >>> written(program_of("pbsn", "blend", 64)), written(program_of("pbsn", "fragment", 64))
    ((256, 256), (256, 0))
    """
    blended = sum(each.texels for each in program.passes if each.blend)
    return program.texels - blended, blended


def partners_of(step: Step, n: int) -> Keys:
    """Return, for each of n wires, the wire that a step compares it with; an idle one itself.

    Examples
    --------
    >>> partners_of(Step("mirror", 4), 8).tolist()
    [3, 2, 1, 0, 7, 6, 5, 4]
    """
    partners = np.arange(n)
    low, high = step.comparators(n)
    partners[low], partners[high] = high, low
    return partners


def show_passes(name: str = "bitonic", n: int = 1 << 15, last: int = 31) -> "Figure":
    """Draw into which passes each method cuts the last steps of a network.

    From left to right are the steps; a block is one pass. Blending draws three passes a step.
    """
    depth = network(name, n // 4).depth
    figure, axes = subplots(len(METHODS), 1, width=7.2, height=2.7, sharex=True)
    for ax, method in zip(axes, METHODS, strict=True):
        program = program_of(name, method, n)
        start = 0.0
        for each in program.passes:
            width = len(each.steps) or 1 / 3  # blending: MIN, MAX and copy make one step
            gap = min(0.3, width / 3)
            ax.barh(0, width - gap, left=start, color=look(method)["color"])
            start += width
        ax.set_yticks([0], [f"{method}\n{len(program.passes)} passes"])
        ax.tick_params(left=False)
        for side in ("left", "bottom"):
            ax.spines[side].set_visible(False)
        ax.tick_params(bottom=False)
    axes[-1].set(xlabel=f"step of the {name} network", xlim=(depth - last, depth + 0.2))
    axes[-1].tick_params(bottom=True)
    return figure


def show_rates(record: Record) -> "Figure":
    """Draw time against texels written, for every network and method; lines are equal rates."""
    figure, (ax,) = subplots(width=7.2, height=3.6)
    for method, name in product(METHODS, NETWORKS):
        (row,) = record.where(network=name, method=method)
        texels = sum(written(program_of(name, method, row["keys"])))
        marker = look(name)["marker"]
        style: Any = {"color": look(method)["color"], "marker": marker, "markersize": 8}
        ax.plot(texels / 1e9, row["program_ms"], linestyle="none", **style)
    span = np.array([0.04, 3.0])
    for rate, words in ((1.43, "1.4"), (3.5, "3.5"), (25, "25")):
        ax.plot(span, 1e3 * span / rate, color="#bbbbbb", linewidth=1, zorder=0)
        ax.text(
            3.2, 3000 / rate, f"{words} · 10⁹ a second", va="center", color="#555555", fontsize=9
        )
    ax.set(xscale="log", yscale="log", xlim=(0.04, 12))
    ax.set(xlabel="texels written, in thousand millions", ylabel="milliseconds", title=record.label)
    for method in METHODS:
        ax.plot([], [], color=look(method)["color"], linewidth=6, label=method)
    for name in NETWORKS:
        ax.plot([], [], linestyle="none", color="#555555", marker=look(name)["marker"], label=name)
    ax.legend(ncols=2, fontsize=9)
    return figure


def show_chip(record: Record) -> "Figure":
    """Draw what shaders of each kind compute, and what they write, in a second."""
    figure, axes = subplots(1, 2, width=7.2, height=2.5)
    stages = ("fragment", "fragment, blended", "compute")
    colours = [look(name)["color"] for name in ("fragment", "blend", "compute")]
    panels = (
        ("arithmetic", "f2", "tflops", "million million operations\nin a second"),
        ("write", "f4", "gtexels_s", "thousand million texels written\nin a second"),
    )
    for ax, (work, dtype, field, words) in zip(axes, panels, strict=True):
        rates = [record.where(work=work, dtype=dtype, stage=stage)[0][field] for stage in stages]
        ax.barh(range(3), rates, color=colours, height=0.6)
        for place, rate in enumerate(rates):
            ax.text(rate * 1.1, place, short(rate), va="center", fontsize=9)
        ax.set(xscale="log", xlabel=words, xlim=(0.5, max(rates) * 5))
        ax.set_yticks(range(3), stages if ax is axes[0] else [""] * 3)
        ax.invert_yaxis()
    figure.suptitle(record.label, fontsize=10)
    return figure


def show_predicted(record: Record) -> "Figure":
    """Draw times that two rates predict against the times that were measured, for what draws."""
    figure, (ax,) = subplots(width=4.6, height=4.0)
    for method, name in product(("blend", "fragment", "fused"), NETWORKS):
        (row,) = record.where(network=name, method=method)
        copied, blended = written(program_of(name, method, row["keys"]))
        predicted = _predicted(copied, blended, WRITING, BLENDING)
        style: Any = {"color": look(method)["color"], "marker": look(name)["marker"]}
        ax.plot(predicted, row["program_ms"], linestyle="none", markersize=8, **style)
    ax.plot([30, 2000], [30, 2000], color="#bbbbbb", linewidth=1, zorder=0)
    ax.text(900, 1000, "equal", rotation=45, ha="right", va="bottom", color="#555555")
    ax.set(xscale="log", yscale="log", xlabel="predicted, ms", ylabel="measured, ms")
    ax.set_title(record.label)
    for method in ("blend", "fragment", "fused"):
        ax.plot([], [], color=look(method)["color"], linewidth=6, label=method)
    ax.legend(loc="upper left")
    return figure


def _after_one_step(keys: Keys, partner: Keys) -> Keys:
    wires = np.arange(len(keys))
    other = keys[partner]
    return np.where(wires < partner, np.minimum(keys, other), np.maximum(keys, other))


def _without_change(answer: Answer, keys: Keys, partner: Keys) -> Any:
    """Return what the answer returns, if the keys that it was given are what they were."""
    before = keys.copy()
    after = answered(answer(keys, partner))
    if not np.array_equal(keys, before):
        raise ValueError("the keys that were given have changed: return new ones")
    return after


def _some_steps(rng: np.random.Generator) -> Iterator[Case]:
    """One comparator; then steps of every network, the last with idle wires."""
    yield np.array([7, 2]), np.array([1, 0])
    yield np.array([2, 7]), np.array([1, 0])
    for name, n in (("pbsn", 8), ("bitonic", 8), ("odd-even-merge", 8), ("bitonic", 32)):
        for step in network(name, n).steps[:4]:
            yield rng.permutation(n), partners_of(step, n)


after_one_step = Exercise(
    name="after_one_step",
    specification=_after_one_step,
    cases=_some_steps,
    hints=(
        "keys[partner] is what every texel fetches from its partner, all at once.",
        "A texel knows its own number: wires = np.arange(len(keys)). Where it is smaller than the "
        "partner's, the smaller key stays here.",
        "np.where(wires < partner, …, …) chooses between np.minimum and np.maximum of own "
        "and other.",
    ),
    outcome=_without_change,
)


def _predicted(copied: int, blended: int, writing: float, blending: float) -> float:
    return 1e3 * (copied / (writing * 1e9) + blended / (blending * 1e9))


def _rounded(answer: Answer, *case: Any) -> float:
    return float(f"{float(answered(answer(*case))):.6g}")


predicted_ms = Exercise(
    name="predicted_ms",
    specification=lambda *case: float(f"{_predicted(*case):.6g}"),
    cases=lambda rng: [
        (3_510_000_000, 0, 3.51, 0.99),
        (0, 990_000_000, 3.51, 0.99),
        (924_844_032, 0, 3.51, 0.99),
        (924_844_032, 924_844_032, 3.51, 0.99),
        (1 << 20, 1 << 19, 0.25, 0.125),
    ],
    hints=(
        "If 3.51 thousand million texels take a second, how long does one take?",
        "copied / (writing * 1e9) is in seconds. So is the same for what is blended.",
        "Add both, and multiply by 1000: milliseconds are wanted.",
    ),
    outcome=_rounded,
)

EXERCISES: Sequence[Exercise] = (after_one_step, predicted_ms)
