"""A program: passes in their order, which any device executes; a frozen value.

As JSON it goes to machines that know GLSL, and no Python. Passes repeat, because networks do: so
commands, draws and uniforms stand in tables there, each different one once, and are named by their
places. `docs/programs.md` describes all of it.
"""

import json
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.drawing.commands import Command, Uniform, command_of
from shadersort.drawing.networks import Network
from shadersort.drawing.passes import Answer, Pass, Record
from shadersort.shown import Row, Shown, first_rows

FORMAT, VERSION = "shadersort program", 1
"""What `to_json` writes."""

USUAL = {"blend": None, "layers": 1, "groups": None, "counts": False, "parameters": list[str]()}
"""What a command in JSON does not say, because most say it."""


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True, repr=False)
class Program(Shown):
    """Passes in their order, over buffers of width × height texels.

    Attributes
    ----------
    network, method
        What the program runs, and how it is drawn.
    width, height
        The size of every buffer, in texels.
    passes
        The passes. The input is in the buffer "texture".
    result
        The buffer that holds the answer after the last pass.
    record
        The `record` of all its passes: a texel holds 4 keys, or 2 records of two channels.
    answer
        "texture": the whole of `result`. "texel": the first texel of `result`. "counts": only what
        the counting passes counted. The last two leave the input as it is.
    """

    network: Network
    method: str
    width: int
    height: int
    passes: tuple[Pass, ...]
    result: str
    record: Record = 1
    answer: Answer = "texture"

    @property
    def blends(self) -> bool:
        """Whether it needs keys that blend; true of method "blend" even for a single key."""
        return self.method == "blend" or any(each.blend for each in self.passes)

    @property
    def texels(self) -> int:
        """Number of texels drawn by all passes together."""
        return sum(each.texels for each in self.passes)

    def to_json(self) -> str:
        """Return the program as JSON, for a machine that runs GLSL and no Python.

        Examples
        --------
        >>> import json
        >>> from shadersort.drawing.networks import pbsn
        >>> from shadersort.drawing.compile import compile
        >>> data = json.loads(compile(pbsn(4), 2, 2, "blend").to_json())
        >>> data["passes"][1], data["commands"][1]["blend"]
        ([1, 'texture', 'frame'], 'min')
        """
        tables = {name: Table() for name in ("shaders", "uniforms", "draws", "commands")}
        rows = []
        for each in self.passes:
            command = command_of(each, (self.width, self.height), np.dtype(np.float32))
            rows.append([_place_of(command, each.layers, tables), each.source, each.target])
        data = {
            "format": FORMAT,
            "version": VERSION,
            "network": self.network.name,
            "wires": self.network.n,
            "method": self.method,
            "width": self.width,
            "height": self.height,
            "record": self.record,
            **({"lists": self.network.lists} if self.network.lists > 1 else {}),
            "answer": self.answer,
            "result": self.result,
            **{name: table.rows for name, table in tables.items()},
            "passes": rows,
        }
        return json.dumps(data, separators=(",", ":"))

    def _told(self) -> str:
        what = self.method if self.answer != "texture" else f"{self.network.name} by {self.method}"
        return f"{what}, {len(self.passes):,} passes over {self.width} × {self.height} texels"

    def _rows(self) -> list[Row]:
        passes: list[Row] = []
        for index, each in enumerate(self.passes):
            buffers = f"{each.source} to {each.target}"
            columns = each.shader, each.blend, buffers, each.quad_count, each.texels
            passes.append((f"pass {index}", *columns))
        headings = ("", "shader", "blend", "buffers", "quads", "texels")
        return [headings, *first_rows(passes, "passes")]


class Table(dict[Hashable, tuple[int, Any]]):
    """Different values in the order in which they were met, each with its place and its row."""

    def place(self, value: Hashable, row: Any) -> int:
        """Return the place of a value, whose row is added if it is new."""
        return self.setdefault(value, (len(self), row))[0]

    @property
    def rows(self) -> list[Any]:
        """The rows, in the order of their places."""
        return [row for _, row in self.values()]


def _place_of(command: Command, layers: int, tables: dict[str, Table]) -> int:
    """Return the place of a command; the types of its shader are those of a texture."""

    def uniforms(some: tuple[Uniform, ...]) -> list[int]:
        return [tables["uniforms"].place(each, [each[0], list(each[1])]) for each in some]

    name, _, macros = command.shader
    row = {
        "shader": tables["shaders"].place((name, macros), [name, dict(macros)]),
        "blend": command.blend,
        "layers": layers,
        "uniforms": uniforms(command.uniforms),
        "draws": [
            tables["draws"].place(draw, [draw.count, uniforms(draw.uniforms)])
            for draw in command.draws
        ],
        "groups": command.groups,
        "counts": command.counts,
        "parameters": list(command.parameters),
    }
    row = {name: value for name, value in row.items() if USUAL.get(name, ...) != value}
    return tables["commands"].place((command, layers), row)
