"""The picture of the page: for each comparison, what the factors predict and what was measured.

Bars of one panel share a problem, its size and a linear axis. A file says in its description what
it was drawn from, as those of the report do: another version of matplotlib may write other bytes.
"""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.report.svg import STYLE
from bench.shared import pictures
from bench.shared.words import three
from bench.then_and_now.comparisons import Comparison, Group
from shadersort.palette import BLACK, FAINT, GREY

BARS = {
    "if only the bandwidth had changed": FAINT,
    "if bandwidth and algorithm had changed": GREY,
    "measured": BLACK,
}
"""What the bars of a comparison say, and their colours."""

HEIGHT = 0.26
"""The height of a bar; a comparison has the height of one."""


def lengths(each: Comparison) -> tuple[float, float, float]:
    """Return the milliseconds of the bars of a comparison."""
    return each.by_bandwidth, each.by_both, each.now


def described(groups: Sequence[Group]) -> str:
    """Return what the picture is drawn from, in words."""
    return "\n".join(
        f"{group.title}; {each.name}: then {each.then:.6g} ms; "
        + ", ".join(f"{what} {ms:.6g} ms" for what, ms in zip(BARS, lengths(each), strict=True))
        for group in groups
        for each in group.comparisons
    )


def drawn(groups: Sequence[Group]) -> Figure:
    """Draw a panel for each group, with three bars for each comparison."""
    sizes = [len(group.comparisons) + 0.9 for group in groups]
    figure = Figure(figsize=(10.8, 0.78 * sum(sizes) + 1.0), layout="constrained")
    axes = figure.subplots(len(groups), 1, height_ratios=sizes)
    for ax, group in zip(axes, groups, strict=True):
        _fill(ax, group)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    return figure


def _fill(ax: Axes, group: Group) -> None:
    """Draw the bars of a group, each with its milliseconds."""
    longest = max(max(lengths(each)) for each in group.comparisons)
    for place, (what, colour) in enumerate(BARS.items()):
        ms = [lengths(each)[place] for each in group.comparisons]
        rows = [row + (place - 1) * HEIGHT for row in range(len(ms))]
        ax.barh(rows, ms, height=0.9 * HEIGHT, color=colour, label=what)
        for row, length in zip(rows, ms, strict=True):
            ax.text(length + longest / 150, row, three(length), va="center", fontsize=9)
    names = [f"{each.name}\n({three(each.then)} ms then)" for each in group.comparisons]
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.45, -0.55)
    ax.set_xlim(0, 1.08 * longest)
    ax.set_title(f"{group.title}: {group.problem}", loc="left", fontsize=11)
    ax.set_xlabel(f"milliseconds, {group.now}")
    ax.tick_params(axis="y", length=0)


def svg(groups: Sequence[Group]) -> str:
    """Return the picture as a file."""
    return pictures.svg(lambda: drawn(groups), STYLE, "Then and now", described(groups))
