"""A network to build: comparators between wires, and the zeros and ones it does not sort."""

from collections.abc import Sequence
from typing import SupportsIndex

from shadersort.drawing.networks import NETWORKS, Network
from shadersort.errors import BadOption, choices
from shadersort.web.page import page
from shadersort.web.piece import Piece

TITLE = "Build a sorting network"

SCRIPTS = (
    *("elements.js", "pieces/svg.js", "pieces/zeros_ones.js", "pieces/network_text.js"),
    *("pieces/diagram.js", "pieces/network.js"),
)

WIRES = (2, 4, 8, 16)
"""Of a network in the page, which tries all inputs of zeros and ones: 65,536 of 16 wires."""

HEIGHTS = {2: 640, 4: 760, 8: 960, 16: 1140}
"""Pixels of a frame, by wires."""

Comparators = Sequence[tuple[SupportsIndex, SupportsIndex]]

ALMOST = ((0, 1), (2, 3), (0, 2), (1, 3))
"""Four of the five comparators that sort four keys."""


def network_piece(
    wires: int = 4, comparators: Comparators | Network | None = None, *, height: int | None = None
) -> Piece:
    """Return wires between which comparators are put, and what is left unsorted.

    Parameters
    ----------
    wires
        Wires to begin with: 2, 4, 8 or 16.
    comparators
        Comparators to begin with: a `Network`, or pairs (low, high) in their order. None takes four
        of five that four wires need, and none for other numbers of wires.
    height
        Pixels of the frame in a notebook. None takes what the wires need.

    Raises
    ------
    BadOption
        No such number of wires is shown, or a pair does not name two of them, the lower first.

    Examples
    --------
    >>> network_piece(4, [(0, 1), (2, 3)])
    <Piece: Build a sorting network>
    """
    if wires not in WIRES:
        raise BadOption(f"the piece has {choices(map(str, WIRES))} wires, not {wires}")
    if comparators is None:
        comparators = ALMOST if wires == 4 else ()
    if isinstance(comparators, Network):
        comparators = [pair for step in steps_of(comparators) for pair in step]
    pairs = [(int(low), int(high)) for low, high in comparators]
    for low, high in pairs:
        if not 0 <= low < high < wires:
            raise BadOption(
                f"a comparator joins two of the wires 0 to {wires - 1}, the lower first, "
                f"not {low} and {high}"
            )
    data = {
        "wires": wires,
        "comparators": pairs,
        "networks": {
            str(n): {name: steps_of(build(n)) for name, build in NETWORKS.items()} for n in WIRES
        },
    }
    styles = ("pieces/pieces.css", "pieces/network.css")
    text = page(TITLE, "<main></main>", SCRIPTS, {"piece": data}, styles)
    return Piece(TITLE, text, height or HEIGHTS[wires])


def steps_of(network: Network) -> list[list[tuple[int, int]]]:
    """Return the comparators of each step as pairs (low, high).

    Examples
    --------
    >>> from shadersort.drawing.networks import bitonic
    >>> steps_of(bitonic(4))
    [[(0, 1), (2, 3)], [(0, 3), (1, 2)], [(0, 1), (2, 3)]]
    """
    pairs = (step.comparators(network.n) for step in network.steps)
    return [list(zip(low.tolist(), high.tolist(), strict=True)) for low, high in pairs]
