"""Lesson 16: the map of how many measurements recover how many entries, by trials.

As Donoho and Tanner 2009 draw it: the share of measurements m/n to the right, and the entries for
each measurement k/m upwards. Matrices and the entries of x are normally distributed.
"""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.shared.style import subplots
from shadersort.lessons.sparse.camera import RIGHT, STEPS, error, recovered
from shadersort.palette import GREEN
from shadersort.pictures.matplotlib_types import Figure

SHARES = (0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
LOADS = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55)


def success_rates(n: int = 64, trials: int = 5, steps: int = STEPS) -> Keys:
    """Return the share of trials that recover an x of this size: (loads, shares)."""
    rng, found = np.random.default_rng(0), np.zeros((len(LOADS), len(SHARES)))
    for place in np.ndindex(found.shape):
        m = round(SHARES[place[1]] * n)
        k = max(round(LOADS[place[0]] * m), 1)
        found[place] = np.mean([_is_recovered(rng, n, m, k, steps) for _ in range(trials)])
    return found


def _is_recovered(rng: np.random.Generator, n: int, m: int, k: int, steps: int) -> bool:
    matrix, x = rng.standard_normal((m, n)), np.zeros(n)
    x[rng.choice(n, k, replace=False)] = rng.standard_normal(k)
    return error(recovered(matrix @ x, matrix, k, steps), x) <= RIGHT


def show_transition(rates: Keys, n: int = 64, trials: int = 5) -> Figure:
    """Draw the share of trials that recovered x: green if all did, white if none."""
    from matplotlib.colors import LinearSegmentedColormap

    figure, (ax,) = subplots(width=5.6, height=3.6)
    colours = LinearSegmentedColormap.from_list("recovered", ["white", GREEN])
    ax.imshow(rates, cmap=colours, vmin=0, vmax=1, origin="lower", aspect="auto")
    for row, column in np.ndindex(rates.shape):
        ax.text(column, row, f"{rates[row, column]:.0%}", ha="center", va="center")
    ax.set_xticks(range(len(SHARES)), [f"{share:.2g}" for share in SHARES])
    ax.set_yticks(range(len(LOADS)), [f"{load:.2g}" for load in LOADS])
    ax.set_xlabel("measurements / size of x")
    ax.set_ylabel("entries / measurements")
    ax.set_title(f"recovered of {trials} random x of size {n}")
    for side in ax.spines.values():
        side.set_visible(False)
    return figure
