"""Lesson 6, the same shaders today: what each method costs on a GPU of today, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from shadersort.devices import Device, open_device
from shadersort.drawing import texture_size
from shadersort.keys import random_keys
from shadersort.lessons.exercise import Answer, Case, Exercise, answered
from shadersort.lessons.pictures import Bundle, Picture, picture
from shadersort.lessons.records import Record
from shadersort.lessons.style import look, subplots
from shadersort.networks import NETWORKS, Step, network
from shadersort.palette import GREY
from shadersort.passes import Program
from shadersort.program import METHODS, build
from shadersort.timing import measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
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

Keys = npt.NDArray[Any]
Row = dict[str, Any]

WRITING, BLENDING = 3.51, 0.99
"""Thousand million texels of four 32-bit floats that an H200 draws in a second: of its record."""
SHOWN_NETWORKS = ("pbsn", "bitonic")
PEERS = {"np.sort": "np.sort, on the CPU", "cupy.sort": "cupy.sort", "cupy.max": "one read"}
SIZES_HERE = {"hardware": 1 << 20, "egl": 1 << 12, "software": 1 << 8}
"""Keys that are sorted live: by a GPU, by OpenGL on a CPU, by the software device."""


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


def show_ladder(*records: Record) -> "Figure":
    """Draw the milliseconds of every method, and of the peers, one record beside the other."""
    figure, axes = subplots(1, len(records), width=7.2, height=3.7)
    for ax, each in zip(axes, records, strict=True):
        _draw_bars(ax, each.rows)
        ax.set_title(_title(each), fontsize=9)
    return figure


def _title(record: Record) -> str:
    """Name the device, without the details of its driver, the day and the number of keys."""
    device = record.device.split("/")[0].split(" (")[0]
    when = f"recorded {record.date}" if record.date else "now, here"
    return f"{device}, {when}\n2^{int(record.rows[0]['keys']).bit_length() - 1} keys"


def _draw_bars(ax: "Axes", rows: Sequence[Row]) -> None:
    """Draw a bar for each way to sort, the logarithm of its time as the length."""
    shown = [row for row in rows if row["network"] in (*SHOWN_NETWORKS, "")]
    shown.sort(key=lambda row: (*SHOWN_NETWORKS, "").index(row["network"]))
    for place, row in enumerate(shown):
        colour = GREY if row["method"] == "cupy.max" else look(row["method"])["color"]
        took = row["program_ms"]
        ax.barh(place, took, color=colour, height=0.7)
        ax.text(took * 1.15, place, _short(took), va="center", fontsize=8)
    names = [f"{row['network']} {row['method']}".strip() for row in shown]
    ax.set_yticks(range(len(names)), [PEERS.get(name, name) for name in names])
    ax.invert_yaxis()
    times = [row["program_ms"] for row in shown]
    ax.set(xscale="log", xlabel="milliseconds", xlim=(min(times) / 2, max(times) * 6))


def _short(value: float) -> str:
    if value >= 10:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


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
            ax.text(rate * 1.1, place, _short(rate), va="center", fontsize=9)
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


def timed_here(device: Device, keys: int, seconds: float = 0.05) -> list[Row]:
    """Time every method on a device, PBSN and bitonic, after its answer was checked.

    The rows are like those of a record of the ladder.

    Examples
    --------
    >>> with open_device("software") as device:
    ...     rows = timed_here(device, 64)
    >>> [row["method"] for row in rows[:3]], rows[-1]["method"]
    (['blend', 'fragment', 'fused'], 'np.sort')
    """
    values = random_keys(keys, "float32", seed=keys)
    rows: list[Row] = []
    on_cpu = []
    for name, method in product(SHOWN_NETWORKS, METHODS):
        if method == "compute" and not device.computes:
            continue
        timing = measure(device, values, network=name, method=method, seconds=seconds)
        row = {"keys": keys, "network": name, "method": method, "program_ms": timing.program_ms}
        rows.append(row)
        on_cpu.append(timing.numpy_ms)
    fastest = {"keys": keys, "network": "", "method": "np.sort", "program_ms": min(on_cpu)}
    return [*rows, fastest]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Live:
    """A recorded ladder with a button that measures the same on this machine.

    A notebook's file keeps the picture of the record. Where a notebook runs, the button draws a
    second ladder beside it, of fewer keys; a GPU is given more than a CPU.
    """

    record: Record

    def __repr__(self) -> str:
        return f"<Live: {self.record.label}, and a button to measure here>"

    def still(self) -> Picture:
        """Return the picture of the record alone."""
        return picture(show_ladder(self.record), f"the ladder: {self.record.label}")

    def measured(self) -> Picture:
        """Measure here, and return a picture of the record beside it."""
        with open_device() as device:
            size = SIZES_HERE["hardware" if device.hardware else device.kind]
            rows = timed_here(device, size)
            here = Record("here", device.renderer, "", "", tuple(rows))
        return picture(show_ladder(self.record, here), "the record, and this machine now")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        data, metadata = self.still()._repr_mimebundle_()
        try:
            import ipywidgets  # noqa: F401
        except ModuleNotFoundError:  # the still picture is all, as on a plain viewer
            return data, metadata
        return {**self.player()._repr_mimebundle_(), **data, "text/plain": repr(self)}, metadata

    def player(self) -> Any:
        """Return the widget: the picture, and a button under it."""
        import ipywidgets as widgets

        shown = widgets.Image(value=self.still().png, format="png")
        shown.layout.width = "662px"
        button = widgets.Button(description="Measure here")

        def pressed(_: Any) -> None:
            button.disabled, button.description = True, "Measuring …"
            try:
                shown.value = self.measured().png
            finally:
                button.disabled, button.description = False, "Measure again"

        button.on_click(pressed)
        return widgets.VBox([shown, button])


def _after_one_step(keys: Keys, partner: Keys) -> Keys:
    wires = np.arange(len(keys))
    other = keys[partner]
    return np.where(wires < partner, np.minimum(keys, other), np.maximum(keys, other))


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
