"""The animated picture of the README: two sorts by drawing, step by step.

python -m scripts.film docs/sorting.png
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import shadersort as ss
from shadersort.lessons.shared.images import draw_ranks
from shadersort.lessons.shared.pictures import film
from shadersort.lessons.shared.style import subplots
from shadersort.names import NetworkName

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIDE = 32
NETWORKS: dict[NetworkName, str] = {
    "pbsn": "periodic balanced network",
    "bitonic": "bitonic network",
}
EVERY = 2
"""Steps from one frame to the next."""

Texels = npt.NDArray[Any]


def main() -> None:
    """Write the film into the file that the command line names."""
    (path,) = sys.argv[1:]
    caption = "one channel of a texture, from noise to order, by two sorting networks"
    Path(path).write_bytes(film(_frames(), caption, seconds=0.12).png)


def _steps(network: NetworkName) -> list[Texels]:
    """Return one channel of a texture before a sort by blending, and after each of its steps."""
    keys = np.random.default_rng(2005).random(4 * SIDE * SIDE, np.float32)
    traced = ss.trace(keys, network=network, method="blend")
    last = {each.steps.start: each.after for each in traced if each.steps}
    return [traced.input[..., 0], *(last[step][..., 0] for step in sorted(last))]


def _frames() -> Iterator["Figure"]:
    seen = {network: _steps(network) for network in NETWORKS}
    figure, axes = subplots(1, 2, width=5.2, height=2.9)
    for at in range(0, max(map(len, seen.values())) + EVERY - 1, EVERY):
        for ax, (network, texels) in zip(axes, seen.items(), strict=True):
            step = min(at, len(texels) - 1)
            ax.clear()
            title = f"{NETWORKS[network]}\nstep {step} of {len(texels) - 1}"
            draw_ranks(ax, texels[step], texels[0], title)
        yield figure


if __name__ == "__main__":
    main()
