"""What a page needs to play a sort: its program, and what each pass is, costs and comes from.

A page computes none of it. The captions are those of `ss.trace`, the prices those of `ss.estimate`,
the rules those of the network, and the lines are noted while the program is compiled.
"""

import json
from typing import Any

import numpy as np

from shadersort.drawing.commands import rule_of, uniform_of
from shadersort.drawing.cost.estimate import price, price_of_pass
from shadersort.drawing.cost.profiles import GEFORCE_6800_ULTRA
from shadersort.drawing.methods.butterflies import Fusion
from shadersort.drawing.networks import network
from shadersort.drawing.passes import texture_size
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.errors import ProfileLimit
from shadersort.names import DrawingMethod, NetworkName
from shadersort.web.lines import program_and_lines
from shadersort.web.roles import pass_facts, step_ranges, usual_role

# a browser has no compute shaders
METHODS: tuple[DrawingMethod, ...] = ("blend", "fragment", "kipfer", "fused")


def film_of(name: NetworkName, method: DrawingMethod, texels: int) -> dict[str, Any]:
    """Return a network's program over a texture of one window, with what is said of each pass.

    A pass has its facts (`pass_facts`), the lines of Python that made it, its shader, and

    - `rule`, `role`: what sources.frag needs to know of it: its last step, if it has steps, and a
      role;
    - `layout`: for each bit of a wire's number, the bits to flip in its address after the pass;
      None where wires lie row by row.

    `prices` has the seconds of each pass on the paper's card, by the precision of the keys, or why
    the card cannot draw it. `bytes` are what all passes read and write, with two bytes a key.
    `whole` is the uniform of a quad over everything.
    """
    program, lines = program_and_lines(network(name, texels), *texture_size(texels), method)
    ranges, halves = step_ranges(program.passes), np.dtype(np.float16)
    costs = [price_of_pass(each, GEFORCE_6800_ULTRA, halves) for each in program.passes]
    passes = [
        {
            **pass_facts(program, index, ranges[index]),
            "lines": lines[index],
            "shader": f"{each.shader}.frag",
            "rule": rule_of(each.steps[-1]) if each.steps else None,
            "role": int(usual_role(each)),
            "layout": _layout(each.fusion, program),
        }
        for index, each in enumerate(program.passes)
    ]
    return {
        "program": json.loads(program.to_json()),
        "whole": uniform_of(whole(program.width, program.height), (program.width, program.height)),
        "passes": passes,
        "bytes": sum(cost.bytes_read + cost.bytes_written for cost in costs),
        "prices": {name: _prices(program, name) for name in ("float32", "float16")},
    }


def _layout(fusion: Fusion | None, program: Program) -> list[int] | None:
    """Return the addresses of the wires 1, 2, 4 and so on after a pass, layer after layer."""
    if not fusion or fusion.writes.layers == 1:
        return None
    texels = program.width * program.height
    addresses = fusion.writes.addresses(texels)
    return [int(addresses[1 << bit]) for bit in range(texels.bit_length() - 1)]


def _prices(program: Program, precision: str) -> list[float] | str:
    card, dtype = GEFORCE_6800_ULTRA, np.dtype(precision)
    try:
        price(program, card, dtype)
    except ProfileLimit as limit:
        return str(limit)
    return [price_of_pass(each, card, dtype).gpu_seconds for each in program.passes]
