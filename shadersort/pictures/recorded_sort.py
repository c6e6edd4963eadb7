"""A recorded sort: its program, and the texture before and after each pass. Plain values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.passes import TEXTURE, Pass
from shadersort.drawing.program import Program
from shadersort.keys.types import Integers, Keys
from shadersort.shown import Row, Shown, first_rows
from shadersort.web.roles import Role, pass_facts, step_ranges, usual_role


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


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class TracedPass(Shown):
    """One pass that was drawn. The textures are read-only arrays of shape (height, width, 4).

    Attributes
    ----------
    program, index
        The pass is `program.passes[index]`; a slice of a trace does not renumber it.
    steps
        The steps of the network that the pass belongs to; none for the copy before the first.
    source
        The texture that the pass read.
    before
        The texture of its target before the pass: what the last pass to write that target left.
        None if no pass had written it yet.
    after
        The texture of its target after the pass.
    """

    program: Program
    index: int
    steps: range
    source: Texels
    before: Texels | None
    after: Texels

    @property
    def command(self) -> Pass:
        """The pass itself."""
        return self.program.passes[self.index]

    @property
    def caption(self) -> str:
        """One line that says which pass and step this is, and what it does."""
        does = pass_facts(self.program, self.index, self.steps)["does"]
        return f"pass {self.index} (last {len(self.program.passes) - 1}) · {does}"

    @property
    def roles(self) -> Roles:
        """What the pass did to each texel, and with which partner."""
        return roles_of(self.program, self.command)

    def _told(self) -> str:
        return self.caption

    def _rows(self) -> list[Row]:
        command = self.command
        counts = np.bincount(self.roles.role.ravel(), minlength=len(Role)).tolist()
        texels = [(f"texels: {role.name.lower()}", counts[role]) for role in Role if counts[role]]
        return [
            ("program", self.program._told()),
            ("buffers", f"{command.source} to {command.target}"),
            ("quads", command.quad_count),
            *texels,
        ]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class RecordedSort(Shown):
    """What the pictures of a sort need. The attributes are those of a `Trace`."""

    program: Program
    passes: tuple[TracedPass, ...]
    input: Texels
    result: Keys

    def _told(self) -> str:
        keys = f"{len(self.result):,} {self.result.dtype} keys"
        few = len(self.passes) < len(self.program.passes)
        here = f", {len(self.passes):,} of them here" if few else ""
        return f"{keys}, {self.program._told()}{here}"

    def _rows(self) -> list[Row]:
        passes = [(f"pass {each.index}", each.caption) for each in self.passes]
        return first_rows(passes, "passes")


def traced_passes(
    program: Program, texture: Texels, textures: Sequence[Texels]
) -> Iterator[TracedPass]:
    """Yield every pass of a program, given its input and the texture that each pass left."""
    buffers: dict[str, Texels] = {TEXTURE: texture}
    steps = step_ranges(program.passes)
    for index, (each, after) in enumerate(zip(program.passes, textures, strict=True)):
        source, before = buffers[each.source], buffers.get(each.target)
        buffers[each.target] = after
        yield TracedPass(program, index, steps[index], source, before, after)
