"""Lesson 2: networks at work, in pictures."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shadersort.drawing.networks import NETWORKS, Network
from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import key_colours, look, subplots
from shadersort.palette import BLACK, CIVIDIS
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.pictures.plots import WIRE, columns_of, draw_comparator

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

    Comparators that have run are coloured, later ones are grey. A wire has the colour of its key,
    and takes another one at a comparator that has run; it is grey beyond one that has not.
    """
    states = after_each_step(network, keys)
    columns = [columns_of(step, network.n) for step in network.steps]
    width = sum(len(each) + 1 for each in columns)
    figure, (ax,) = subplots(width=min(7.2, 1.6 + 0.3 * width), height=0.6 + 0.3 * network.n)
    colours = [_colours_of(state, keys) for state in states]
    from_x = [-0.5] * network.n  # where the piece of each wire that is not drawn yet begins
    x = 0.0
    for number, step_columns in enumerate(columns):
        run = number < steps_done
        for column in step_columns:
            for low, high in column:
                for wire in (low, high):
                    colour = colours[number][wire] if number <= steps_done else None
                    _draw_piece(ax, wire, from_x[wire], x, colour)
                    from_x[wire] = x
                draw_comparator(ax, x, low, high, waiting=not run)
            x += 1
        if not run and number == steps_done:
            touched = {wire for column in step_columns for pair in column for wire in pair}
            for wire in set(range(network.n)) - touched:
                _draw_piece(ax, wire, from_x[wire], x, colours[number][wire])
                from_x[wire] = x
        x += 0.6
    finished = steps_done == network.depth
    for wire in range(network.n):
        _draw_piece(ax, wire, from_x[wire], x + 0.5, colours[-1][wire] if finished else None)
    for wire, (first, now) in enumerate(zip(keys, states[steps_done], strict=True)):
        ax.text(-0.8, wire, f"{first:g}", ha="right", va="center", fontsize=10)
        ax.text(x + 0.7, wire, f"{now:g}", ha="left", va="center", fontsize=10, fontweight="bold")
    ax.set(xlim=(-1.8, x + 1.8), ylim=(network.n - 0.5, -0.9))
    ax.set_axis_off()
    ax.set_title(f"{network.name}: after {steps_done} of {network.depth} steps")
    return figure


def _colours_of(state: Keys, keys: Keys) -> list[Any]:
    """Return the colour of each key of a state, by its rank among the different keys."""
    values = np.unique(keys)
    return list(key_colours()(np.searchsorted(values, state) / max(1, len(values) - 1)))


def _draw_piece(ax: Axes, wire: int, start: float, end: float, colour: Any) -> None:
    """Draw a piece of a wire, in the colour of its key, or thin and grey if it is None."""
    style: Any = {"color": WIRE, "linewidth": 1}
    if colour is not None:
        style = {"color": colour, "linewidth": 4}
    ax.plot([start, end], [wire, wire], solid_capstyle="butt", **style)


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
    axes[0].axhline(threshold - 0.5, color=BLACK)
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
