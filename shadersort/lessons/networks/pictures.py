"""Lesson 2: networks at work, in pictures."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shadersort.drawing.networks import NETWORKS, Network
from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import key_colours, look, subplots
from shadersort.palette import CIVIDIS, VERMILION
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.pictures.plots import COMPARATORS, WIRE, columns_of

Comparator = tuple[int, int]


def after_each_step(network: Network, keys: Keys) -> list[Keys]:
    """Return the keys before a network, and after each of its steps.

    Examples
    --------
    >>> from shadersort.drawing.networks import bitonic
    >>> [keys.tolist() for keys in after_each_step(bitonic(2), np.array([5, 3]))]
    [[5, 3], [3, 5]]
    """
    states = [np.array(keys)]
    for step in network.steps:
        states.append(Network("one step", network.n, (step,)).apply(states[-1]))
    return states


def show_journey(network: Network, keys: Keys, steps_done: int) -> Figure:
    """Draw a small network with the keys after some steps.

    Finished steps are coloured, later ones are grey. Wires have the colours of their keys.
    """
    states = after_each_step(network, keys)
    columns = [columns_of(step, network.n) for step in network.steps]
    width = sum(len(each) + 1 for each in columns)
    figure, (ax,) = subplots(width=min(7.2, 1.6 + 0.3 * width), height=0.6 + 0.3 * network.n)
    x = 0.0
    for number, (step_columns, before) in enumerate(zip(columns, states, strict=False)):
        done = number < steps_done
        _draw_keys_on_wires(ax, before, x - 0.5, x + len(step_columns), shown=number <= steps_done)
        colour = COMPARATORS[number % 2] if done else WIRE
        for column in step_columns:
            for low, high in column:
                ax.plot([x, x], [low, high], "o-", color=colour, markersize=5, zorder=3)
            x += 1
        x += 0.6
    finished = steps_done == network.depth
    _draw_keys_on_wires(ax, states[-1], x - 0.5, x + 0.4, shown=finished)
    for wire, (first, now) in enumerate(zip(keys, states[steps_done], strict=True)):
        ax.text(-0.8, wire, f"{first:g}", ha="right", va="center", fontsize=10)
        ax.text(x + 0.7, wire, f"{now:g}", ha="left", va="center", fontsize=10, fontweight="bold")
    ax.set(xlim=(-1.8, x + 1.8), ylim=(network.n - 0.5, -0.9))
    ax.set_axis_off()
    ax.set_title(f"{network.name}: after {steps_done} of {network.depth} steps")
    return figure


def _draw_keys_on_wires(ax: Axes, keys: Keys, x0: float, x1: float, *, shown: bool) -> None:
    """Draw a piece of every wire, in the colour of its key if `shown`."""
    ranks = np.searchsorted(np.unique(keys), keys) / max(1, len(np.unique(keys)) - 1)
    colours = key_colours()(ranks)
    for wire, colour in enumerate(colours):
        style: Any = {"color": colour, "linewidth": 4} if shown else {"color": WIRE, "linewidth": 1}
        ax.plot([x0, x1 + 0.1], [wire, wire], solid_capstyle="butt", **style)


def show_orders(networks: Sequence[Network], keys: Keys) -> Iterator[Figure]:
    """Yield one figure again and again: the keys over their wires after each step of some networks.

    A network that has finished waits for the others.
    """
    states = [after_each_step(network, keys) for network in networks]
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
    figure, axes = subplots(1, 2, width=7.2, height=2.4)
    wires = np.arange(len(keys))
    large = keys >= threshold
    colours = [CIVIDIS[-2] if each else CIVIDIS[1] for each in large]
    axes[0].bar(wires, keys, color=colours)
    axes[0].axhline(threshold - 0.5, color=VERMILION)
    axes[0].set(title=f"keys, and a threshold under {threshold:g}", xlabel="wire", ylabel="key")
    axes[1].bar(wires, large + 0.03, color=colours)
    axes[1].set(title="smaller: 0, at least: 1", xlabel="wire", yticks=[0, 1])
    for ax in axes:
        ax.set_xticks(wires)
    return figure


def show_counts(sizes: Sequence[int]) -> Figure:
    """Draw steps and comparators of every network against the number of keys."""
    figure, axes = subplots(1, 2, width=7.2, height=3.0)
    for name, build in NETWORKS.items():
        built = [build(n) for n in sizes]
        depths = [network.depth for network in built]
        per_key = [network.comparator_count / network.n for network in built]
        axes[0].plot(sizes, depths, **look(name), label=name, markersize=5)
        axes[1].plot(sizes, per_key, **look(name), label=name, markersize=5)
    axes[0].set(xlabel="keys", ylabel="steps", xscale="log")
    axes[1].set(xlabel="keys", ylabel="comparators for each key", xscale="log")
    for ax in axes:
        ax.set_xscale("log", base=2)
        ax.set_ylim(bottom=0)
    axes[0].legend(frameon=False)
    return figure
