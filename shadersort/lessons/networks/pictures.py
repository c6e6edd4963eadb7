"""Lesson 2: networks at work, in pictures."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shadersort.drawing.networks import NETWORKS, Network
from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import key_colours, look, subplots
from shadersort.palette import BLACK, CIVIDIS
from shadersort.pictures.matplotlib_types import Figure
from shadersort.pictures.plots import WIRE, columns_of, draw_comparator


def _states(network: Network, keys: Keys) -> list[Keys]:
    """Return the keys before a network, and after each of its steps."""
    parts = (Network("part", network.n, network.steps[:done]) for done in range(network.depth + 1))
    return [part.apply(keys) for part in parts]


def show_journey(network: Network, keys: Keys, steps_done: int) -> Figure:
    """Draw a small network with the keys after some steps.

    Comparators that have run are coloured, later ones are grey. A wire has the colour of its key,
    and takes another one at a comparator that has run; it is grey beyond one that has not.
    """
    states, values = np.array(_states(network, keys)), np.unique(keys)
    colours = key_colours()(np.searchsorted(values, states) / max(1, len(values) - 1))
    columns = [columns_of(step, network.n) for step in network.steps]
    width = sum(len(each) + 1 for each in columns)
    figure, (ax,) = subplots(width=min(7.2, 1.6 + 0.3 * width), height=0.6 + 0.3 * network.n)
    begins = [(-0.5, 0)] * network.n  # where each wire's last piece begins, and after which step

    def draw_piece(wire: int, end: float) -> None:
        start, done = begins[wire]
        style: Any = {"color": WIRE, "linewidth": 1}
        if done <= steps_done:
            style = {"color": colours[done, wire], "linewidth": 4}
        ax.plot([start, end], [wire, wire], solid_capstyle="butt", **style)

    x = 0.0
    for number, step_columns in enumerate(columns):
        for column in step_columns:
            for pair in column:
                for wire in pair:
                    draw_piece(wire, x)
                    begins[wire] = x, number + 1
                draw_comparator(ax, x, *pair, waiting=number >= steps_done)
            x += 1
        x += 0.6
    for wire, (first, now) in enumerate(zip(keys, states[steps_done], strict=True)):
        draw_piece(wire, x + 0.5)
        ax.text(-0.8, wire, f"{first:g}", ha="right", va="center", fontsize=10)
        ax.text(x + 0.7, wire, f"{now:g}", ha="left", va="center", fontsize=10, fontweight="bold")
    ax.set(xlim=(-1.8, x + 1.8), ylim=(network.n - 0.5, -0.9))
    ax.set_axis_off()
    ax.set_title(f"{network.name}: after {steps_done} of {network.depth} steps")
    return figure


def show_orders(networks: Sequence[Network], keys: Keys) -> Iterator[Figure]:
    """Yield one figure again and again: the keys over their wires after each step of some networks.

    A network that has finished waits for the others.
    """
    states = [_states(network, keys) for network in networks]
    figure, axes = subplots(1, len(networks), width=3.6 * len(networks), height=3.1)
    drawn = []
    for ax, network in zip(axes, networks, strict=True):
        colour = look(network.name)["color"]
        drawn += ax.plot(np.arange(network.n), keys, "o", color=colour, markersize=3.2)
        ax.set(xlabel="wire", ylabel="key", xlim=(-2, network.n + 1), ylim=(-2, network.n + 1))
        ax.set_title(f"{network.name}: 0 of {network.depth} steps")
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # the places are those of all frames
    for moment in range(max(map(len, states))):
        for ax, network, dots, each in zip(axes, networks, drawn, states, strict=True):
            done = min(moment, network.depth)
            dots.set_ydata(each[done])
            ax.set_title(f"{network.name}: {done} of {network.depth} steps")
        yield figure


def show_threshold(keys: Keys, threshold: float) -> Figure:
    """Draw keys as bars, and beside them as zeros and ones: below a threshold or not."""
    figure, axes = subplots(1, 2, height=2.4)
    wires = np.arange(len(keys))
    large = keys >= threshold
    colours = [CIVIDIS[-2] if each else CIVIDIS[1] for each in large]
    axes[0].bar(wires, keys, color=colours)
    axes[0].axhline(threshold - 0.5, color=BLACK)
    axes[0].set(title=f"keys, and a threshold under {threshold:g}", xlabel="wire", ylabel="key")
    axes[1].bar(wires, large + 0.03, color=colours)
    axes[1].set(title="smaller: 0, at least: 1", xlabel="wire", yticks=[0, 1])
    for ax in axes:
        ax.set_xticks(wires)
    return figure


def show_counts(sizes: Sequence[int]) -> Figure:
    """Draw steps and comparators of every network against the number of keys."""
    figure, axes = subplots(1, 2, height=3.0)
    for name, build in NETWORKS.items():
        built = [build(n) for n in sizes]
        depths = [network.depth for network in built]
        per_key = [network.comparator_count / network.n for network in built]
        axes[0].plot(sizes, depths, **look(name), label=name, markersize=5)
        axes[1].plot(sizes, per_key, **look(name), label=name, markersize=5)
    for ax, label in zip(axes, ("steps", "comparators for each key"), strict=True):
        ax.set(xlabel="keys", ylabel=label, ylim=(0, None))
        ax.set_xscale("log", base=2)
    axes[0].legend(frameon=False)
    return figure
