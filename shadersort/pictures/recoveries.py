"""Pictures of compressed sensing: where sparse arrays are recovered.

The plots need matplotlib: `pip install 'shadersort[plots]'`.
"""

from shadersort.palette import GREEN
from shadersort.pictures.matplotlib_types import Axes, check_matplotlib
from shadersort.sparse.phase_transition import PhaseTransition


def draw_phase_transition(found: PhaseTransition, ax: Axes | None = None) -> Axes:
    """Draw the share of trials that recovered x: green if all did, white if none.

    Measurements grow to the right, entries that are not zero upwards; each cell has its number. If
    `ax` is None, a new figure is made.

    Examples
    --------
    >>> from shadersort.sparse.phase_transition import phase_transition
    >>> found = phase_transition(20, shares=(0.5, 1.0), loads=(0.1, 0.5), trials=1, steps=5)
    >>> ax = draw_phase_transition(found)
    >>> len(ax.texts)
    4
    """
    check_matplotlib()
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    rows, columns = found.rates.shape
    if ax is None:
        ax = Figure(
            figsize=(2 + 0.6 * columns, 1.2 + 0.5 * rows), layout="constrained"
        ).add_subplot()
    colours = LinearSegmentedColormap.from_list("recovered", ["white", GREEN])
    ax.imshow(found.rates, cmap=colours, vmin=0, vmax=1, origin="lower", aspect="auto")
    for row in range(rows):
        for column in range(columns):
            ax.text(column, row, f"{found.rates[row, column]:.0%}", ha="center", va="center")
    ax.set_xticks(range(columns), [f"{share:.2g}" for share in found.shares])
    ax.set_yticks(range(rows), [f"{load:.2g}" for load in found.loads])
    ax.set_xlabel("measurements / size of x")
    ax.set_ylabel("entries / measurements")
    ax.set_title(f"recovered of {found.trials} random x of size {found.n}")
    return ax
