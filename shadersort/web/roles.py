"""What pictures and players say of a pass: its role, its steps, and what it draws into."""

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from shadersort.drawing.passes import Pass
from shadersort.drawing.program import Program
from shadersort.palette import MAX, MIN


class Role(IntEnum):
    """What a pass does to a texel."""

    UNTOUCHED = 0
    COPIED = 1
    MIN = 2
    MAX = 3


ROLE_COLOURS = {
    Role.UNTOUCHED: "#f2f2f2",
    Role.COPIED: "#b0b0b0",
    Role.MIN: MIN,
    Role.MAX: MAX,
}

ROLE_OF_BLEND = {None: Role.COPIED, "min": Role.MIN, "max": Role.MAX}


def usual_role(each: Pass) -> Role:
    """Return the role of the texels that a pass copies; of those of idle wires, if it has steps."""
    if not each.steps:
        return ROLE_OF_BLEND[each.blend]
    return Role.UNTOUCHED if each.shader == "keep" else Role.COPIED


def step_ranges(passes: Sequence[Pass]) -> list[range]:
    """Return, for each pass, the steps of the network that it belongs to; none before the first.

    A step begins with the pass for minima, or with the shader that runs it.
    """
    current, ranges = range(0), []
    for each in passes:
        begun = 1 if each.blend == "min" else len(each.steps) + len(each.inside)
        if begun:
            current = range(current.stop, current.stop + begun)
        ranges.append(current)
    return ranges


def pass_facts(program: Program, index: int, steps: range) -> dict[str, Any]:
    """Return what every film says of a pass: what it does, and what it draws into."""
    each, parts = program.passes[index], []
    if steps:
        step = program.network.steps[steps.stop - 1]
        number = f"step {steps.stop}" if len(steps) == 1 else f"steps {steps[0] + 1}–{steps.stop}"
        parts.append(f"{number} of {program.network.depth}: {step.pairing} {step.block}")
    if each.shader == "copy":
        parts.append(each.blend.upper() if each.blend else f"copy to {each.target}")
    elif each.shader == "inside":
        parts.append("within each texel")
    else:
        parts.append(each.shader)
    return {
        "does": " · ".join(parts),
        "buffers": [each.source, each.target],
        "blends": each.blend is not None,
    }
