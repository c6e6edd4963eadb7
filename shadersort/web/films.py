"""What a page needs to show a sort: its program, and what each pass is, costs and comes from.

A page computes none of it. The captions are those of `ss.trace`, the prices those of `ss.estimate`,
the rules those of the network, and the lines are noted while the program is compiled.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.drawing.cost.calibration import find_profile
from shadersort.drawing.cost.estimate import price, price_of_pass
from shadersort.drawing.networks import network
from shadersort.drawing.program import Program
from shadersort.drawing.tables import Table
from shadersort.drawing.texture_size import texture_size
from shadersort.errors import ProfileLimit
from shadersort.names import DrawingMethod, NetworkName
from shadersort.pictures.roles import caption, step_ranges
from shadersort.web.lines import Lines, program_and_lines

CARD = "geforce-6800-ultra"
"""The card of the paper."""

PRECISIONS = ("float32", "float16")


def film_of(name: NetworkName, method: DrawingMethod, texels: int) -> dict[str, Any]:
    """Return a network's program over a texture of one window, with what is told of each pass.

    Examples
    --------
    >>> film = film_of("pbsn", "blend", 16)
    >>> film["told"]["captions"][film["told"]["passes"][1][0]]
    'step 1 of 16: mirror 16 · MIN'
    """
    program, lines = program_and_lines(network(name, texels), *texture_size(texels), method)
    return {"program": json.loads(program.to_json()), "told": told(program, lines)}


def told(program: Program, lines: Sequence[Lines]) -> dict[str, Any]:
    """Return tables, and for each pass the places of its rows in them.

    `rules` has the numbers of steps.glsl for the last step of a pass, and none for a pass that only
    copies. `prices` has seconds, by the precision of the keys; one that the card cannot draw has a
    reason instead.
    """
    captions, rules, sources = Table(), Table(), Table()
    passes = []
    for index, (each, steps) in enumerate(
        zip(program.passes, step_ranges(program.passes), strict=True)
    ):
        what = caption(program, index, steps).split(" · ", 1)[1]
        rule = _rule(each.steps[-1]) if each.steps else None
        passes.append(
            [
                captions.place(what, what),
                rules.place(rule, rule),
                sources.place(lines[index], [list(line) for line in lines[index]]),
            ]
        )
    return {
        "captions": captions.rows,
        "rules": rules.rows,
        "lines": sources.rows,
        "passes": passes,
        "prices": {name: _prices(program, name) for name in PRECISIONS},
    }


def _rule(step: Any) -> tuple[int, int, int, int]:
    return step.mask, step.half, step.offset, step.period


def _prices(program: Program, precision: str) -> dict[str, Any]:
    """Return the seconds of each pass and of the transfers on the paper's card, or why none."""
    card, dtype = find_profile(CARD), np.dtype(precision)
    try:
        whole = price(program, card, dtype)
    except ProfileLimit as limit:
        return {"refused": str(limit)}
    seconds = Table()
    passes = [
        seconds.place(cost, cost)
        for each in program.passes
        for cost in [price_of_pass(each, card, dtype).gpu_seconds]
    ]
    return {
        "card": CARD,
        "seconds": seconds.rows,
        "passes": passes,
        "transfers": whole.transfer_seconds,
    }
