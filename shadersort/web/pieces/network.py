"""A network to build: comparators between wires, and the zeros and ones it does not sort."""

from collections.abc import Sequence
from typing import SupportsIndex

from shadersort.drawing.networks import NETWORKS, Network
from shadersort.errors import BadOption, choices
from shadersort.web.page import page
from shadersort.web.piece import Piece

TITLE = "Build a sorting network"

SCRIPTS = ("charts/zeros_ones.js", "charts/diagram.js", "charts/network.js")

HEIGHTS = {2: 640, 4: 760, 8: 960, 16: 1140}
"""Pixels of a frame, by the wires of a network in the page. It tries all inputs of zeros and ones:
65,536 of 16 wires."""

Comparators = Sequence[tuple[SupportsIndex, SupportsIndex]]

ALMOST = ((0, 1), (2, 3), (0, 2), (1, 3))  # four of the five comparators that sort four keys


def network_piece(wires: int = 4, comparators: Comparators | Network | None = None) -> Piece:
    """Return wires between which comparators are put, and what is left unsorted.

    Parameters
    ----------
    wires
        Wires to begin with: 2, 4, 8 or 16.
    comparators
        Comparators to begin with: a `Network`, or pairs (low, high) in their order. None takes four
        of five that four wires need, and none for other numbers of wires.

    Raises
    ------
    BadOption
        No such number of wires is shown, or a pair does not name two of them, the lower first.

    Examples
    --------
    >>> network_piece(4, [(0, 1), (2, 3)])
    <Piece: Build a sorting network>
    """
    if wires not in HEIGHTS:
        raise BadOption(f"the piece has {choices(map(str, HEIGHTS))} wires, not {wires}")
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
    networks = {
        str(n): {name: steps_of(build(n)) for name, build in NETWORKS.items()} for n in HEIGHTS
    }
    data = {"wires": wires, "comparators": pairs, "networks": networks}
    return Piece(TITLE, page(TITLE, SCRIPTS, data, "NetworkPiece"), HEIGHTS[wires])


def steps_of(network: Network) -> list[list[tuple[int, int]]]:
    """Return the comparators of each step as pairs (low, high)."""
    pairs = (step.comparators(network.n) for step in network.steps)
    return [list(zip(low.tolist(), high.tolist(), strict=True)) for low, high in pairs]
