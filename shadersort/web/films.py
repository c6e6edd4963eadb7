"""What a page needs to show a sort: its program, and what each pass is, costs and comes from.

A page computes none of it. The captions are those of `ss.trace`, the prices those of `ss.estimate`,
the rules those of the network, and the lines are noted while the program is compiled.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from shadersort.drawing.commands import rule_of, uniform_of
from shadersort.drawing.cost.estimate import price, price_of_pass
from shadersort.drawing.cost.profiles import GEFORCE_6800_ULTRA
from shadersort.drawing.methods.butterflies import Fusion
from shadersort.drawing.networks import network
from shadersort.drawing.passes import texture_size
from shadersort.drawing.program import Program, Table
from shadersort.drawing.quads import whole
from shadersort.errors import ProfileLimit
from shadersort.names import DrawingMethod, NetworkName
from shadersort.web.lines import Lines, program_and_lines
from shadersort.web.roles import caption, step_ranges, usual_role

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

    `roles` has what sources.frag is told of a pass: its last step, if it has steps, and a role.
    `prices` has seconds, by the precision of the keys; one that the card cannot draw has a reason
    instead. `layouts` has, for each bit of a wire's number, the bits to flip in its address after
    the pass, or none where wires lie row by row.
    """
    captions, roles, sources, layouts = Table(), Table(), Table(), Table()
    passes = []
    for index, (each, steps) in enumerate(
        zip(program.passes, step_ranges(program.passes), strict=True)
    ):
        what = caption(program, index, steps).split(" · ", 1)[1]
        rule = rule_of(each.steps[-1]) if each.steps else None
        role = int(usual_role(each))
        passes.append(
            [
                captions.place(what, what),
                roles.place((rule, role), {"rule": rule, "role": role}),
                sources.place(lines[index], [list(line) for line in lines[index]]),
                layouts.place(each.fusion, _addresses(each.fusion, program)),
            ]
        )
    return {
        "captions": captions.rows,
        "roles": roles.rows,
        "whole": uniform_of(whole(program.width, program.height), (program.width, program.height)),
        "lines": sources.rows,
        "layouts": layouts.rows,
        "passes": passes,
        "prices": {name: _prices(program, name) for name in PRECISIONS},
    }


def _addresses(fusion: Fusion | None, program: Program) -> list[int] | None:
    """Return the addresses of the wires 1, 2, 4 and so on after a pass, layer after layer."""
    if not fusion or fusion.writes.layers == 1:
        return None
    texels = program.width * program.height
    addresses = fusion.writes.addresses(texels)
    return [int(addresses[1 << bit]) for bit in range(texels.bit_length() - 1)]


def _prices(program: Program, precision: str) -> dict[str, Any]:
    """Return the seconds of each pass and of the transfers on the paper's card, or why none."""
    card, dtype = GEFORCE_6800_ULTRA, np.dtype(precision)
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
        "card": GEFORCE_6800_ULTRA.name,
        "seconds": seconds.rows,
        "passes": passes,
        "transfers": whole.transfer_seconds,
    }
