"""The role and the partner of each texel in a pass, and the steps of the network it belongs to.

These functions turn a pass of a program into two arrays of the texture's shape, so that pictures
and players do not depend on the form of a pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from shadersort.drawing.passes import Pass
from shadersort.drawing.program import Program
from shadersort.keys.types import Integers


class Role(IntEnum):
    """What a pass does to a texel."""

    UNTOUCHED = 0
    COPIED = 1
    MIN = 2
    MAX = 3


ROLE_OF_BLEND = {None: Role.COPIED, "min": Role.MIN, "max": Role.MAX}


@dataclass(frozen=True, eq=False, slots=True)
class Roles:
    """Two arrays of shape (height, width)."""

    role: npt.NDArray[np.uint8]  # a `Role` for each texel, as uint8
    # the number of the texel whose keys are drawn here, counted row by row; a texel that is not
    # drawn has its own number
    partner: Integers

    def read(self) -> "Roles":
        """Return, for each texel of the source, the role and number of its reader."""
        role = np.full_like(self.role, Role.UNTOUCHED)
        reader: Integers = np.arange(role.size, dtype=np.int64).reshape(role.shape)
        drawn = self.role != Role.UNTOUCHED
        role.flat[self.partner[drawn]] = self.role[drawn]
        partner: Integers = reader.copy()
        partner.flat[self.partner[drawn]] = reader[drawn]
        return Roles(role, partner)


def roles_of(program: Program, each: Pass) -> Roles:
    """Return the role and the partner of every texel in one pass of a program.

    If a shader runs several steps, the roles are those of the last step.
    """
    count = program.width * program.height
    texels = np.arange(count, dtype=np.int64).reshape(program.height, program.width)
    role = np.full(texels.shape, Role.UNTOUCHED, np.uint8)
    partner: Integers = texels.copy()
    if steps := each.steps:
        partner = steps[-1].partner(texels)
        among = [texels < partner, texels > partner]
        role[:] = np.select(among, [Role.MIN, Role.MAX], usual_role(each))
        return Roles(role, partner)
    for quads in each.quads:
        (x, s), (y, t) = quads.columns(), quads.rows()
        role[np.ix_(y, x)] = usual_role(each)
        partner[np.ix_(y, x)] = texels[np.ix_(t, s)]
    return Roles(role, partner)


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


def caption(program: Program, index: int, steps: range) -> str:
    """Return one line that says which pass and step this is, and what it does."""
    each, last = program.passes[index], len(program.passes) - 1
    parts = [f"pass {index} (last {last})"]
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
    return " · ".join(parts)
