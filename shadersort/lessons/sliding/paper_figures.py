"""The figures 7 to 9 of Govindaraju, Raghuvanshi and Manocha 2005, redrawn from our records."""

from collections.abc import Sequence

from shadersort.lessons.shared.records import Record, Row
from shadersort.lessons.shared.style import subplots
from shadersort.pictures.matplotlib_types import Axes, Figure
from shadersort.pictures.palette import BLACK, BLUE, GREEN

EVERY, ONE, ANY = "the whole stream", "the last n: n fixed", "the last n: any n up to the window"

COLOURS = {EVERY: BLACK, ONE: BLUE, ANY: GREEN}


def show_figures(quantiles: Record, frequencies: Record) -> Figure:
    """Draw the seconds for a stream over ε, and the dashed seconds of sorting."""
    figure, axes = subplots(1, 3, height=3.7, sharey=True)
    _draw(axes[0], EVERY, quantiles.where(method="QuantileSummary"))
    for ax, rows in (
        (axes[1], frequencies.where(window=10**6, data="zipf 1.2")),
        (axes[2], quantiles.where(window=10**7)),
    ):
        _draw(ax, ONE, [row for row in rows if row["shortest"] > 1])
        _draw(ax, ANY, [row for row in rows if row["shortest"] == 1])
    titles = ("7: quantiles\nof a whole stream", "8: frequencies,\nlast million")
    for ax, title in zip(axes, (*titles, "9: quantiles,\nlast 10 million"), strict=True):
        ax.set(xscale="log", yscale="log", xlabel="ε", title=title)
        ax.invert_xaxis()
    axes[0].set_ylabel("seconds for 100 million values")
    found = [each for ax in axes[:2] for each in ax.get_legend_handles_labels()[0]]
    figure.legend(handles=found, loc="outside lower center", ncols=3, fontsize=9, frameon=False)
    figure.suptitle(f"NumPy, {quantiles.label}; dashed: sorting", fontsize=9)
    return figure


def _draw(ax: Axes, name: str, rows: Sequence[Row]) -> None:
    """Draw one way; hollow markers show windows whose values are kept without blocks."""
    epsilons, colour = [row["epsilon"] for row in rows], COLOURS[name]
    seconds = [row["keys"] / row["mvalues_per_s"] / 1e6 for row in rows]
    ax.plot(epsilons, seconds, color=colour, label=name)
    shares = [row.get("sort_share") for row in rows]
    for epsilon, took, share in zip(epsilons, seconds, shares, strict=True):
        face = "white" if share is None else colour
        ax.plot(epsilon, took, "o", color=colour, markerfacecolor=face, markersize=6)
    sorting = [
        (epsilon, took * share)
        for epsilon, took, share in zip(epsilons, seconds, shares, strict=True)
        if share is not None
    ]
    ax.plot(*zip(*sorting, strict=True), "--", color=colour, linewidth=1.2)
