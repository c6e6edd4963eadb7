"""Passes as tables of numbers: what a machine that knows GLSL, and no Python, is told of them.

Passes repeat, because networks do. So commands, draws and uniforms stand in tables, each different
one once, and are named by their places in them. `docs/programs.md` describes all of it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shadersort.drawing.commands import Command, Draw, ShaderKey, Size, Uniform, command_of
from shadersort.drawing.passes import Pass

USUAL: dict[str, Any] = {
    "blend": None,
    "layers": 1,
    "groups": None,
    "counts": False,
    "parameters": [],
}
"""What a command does not say, because most say it."""


@dataclass(slots=True)
class Table:
    """Different values in the order in which they were met."""

    places: dict[Hashable, int] = field(default_factory=dict)
    rows: list[Any] = field(default_factory=list)

    def place(self, value: Hashable, row: Any) -> int:
        """Return the place of a value, whose row is added if it is new."""
        if value not in self.places:
            self.places[value] = len(self.rows)
            self.rows.append(row)
        return self.places[value]


@dataclass(slots=True)
class Tables:
    """The tables of a program."""

    shaders: Table = field(default_factory=Table)
    uniforms: Table = field(default_factory=Table)
    draws: Table = field(default_factory=Table)
    commands: Table = field(default_factory=Table)

    def uniform(self, uniform: Uniform) -> int:
        """Return the place of a uniform."""
        name, numbers = uniform
        return self.uniforms.place(uniform, [name, list(numbers)])

    def draw(self, draw: Draw) -> int:
        """Return the place of a call."""
        return self.draws.place(draw, [draw.count, [self.uniform(each) for each in draw.uniforms]])

    def shader(self, key: ShaderKey) -> int:
        """Return the place of a shader; its types are those of the texture that it is run on."""
        return self.shaders.place((key.name, key.macros), [key.name, dict(key.macros)])

    def command(self, command: Command, layers: int) -> int:
        """Return the place of a command."""
        row = {
            "shader": self.shader(command.shader),
            "blend": command.blend,
            "layers": layers,
            "uniforms": [self.uniform(each) for each in command.uniforms],
            "draws": [self.draw(each) for each in command.draws],
            "groups": command.groups,
            "counts": command.counts,
            "parameters": list(command.parameters),
        }
        row = {name: value for name, value in row.items() if USUAL.get(name, ...) != value}
        return self.commands.place((command, layers), row)


def tabulated(passes: Sequence[Pass], size: Size) -> dict[str, Any]:
    """Return the passes of a program over buffers of a size, and the tables that they name."""
    tables = Tables()
    rows = []
    for each in passes:
        command = command_of(each, size, np.dtype(np.float32))
        rows.append([tables.command(command, each.layers), each.source, each.target])
    return {
        "shaders": tables.shaders.rows,
        "uniforms": tables.uniforms.rows,
        "draws": tables.draws.rows,
        "commands": tables.commands.rows,
        "passes": rows,
    }
