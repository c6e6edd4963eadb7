"""A program: passes in their order, which any device executes; a frozen value."""

import json
from dataclasses import dataclass

from shadersort.drawing.networks import Network
from shadersort.drawing.passes import Answer, Pass, Record
from shadersort.drawing.tables import tabulated
from shadersort.shown import Row, Shown, first_rows

FORMAT, VERSION = "shadersort program", 1
"""What `to_json` writes."""


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
        The `record` of all its passes: a texel holds 4 keys, 2 records of two channels, or 1
        record of four.
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

    def to_json(self, indent: int | None = None) -> str:
        """Return the program as JSON, for a machine that runs GLSL and no Python.

        `docs/programs.md` describes the format.

        Examples
        --------
        >>> import json
        >>> from shadersort.drawing.networks import pbsn
        >>> from shadersort.drawing.compile import compile
        >>> data = json.loads(compile(pbsn(4), 2, 2, "blend").to_json())
        >>> data["passes"][1], data["commands"][1]["blend"]
        ([1, 'texture', 'frame'], 'min')
        """
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
            **tabulated(self.passes, (self.width, self.height)),
        }
        return json.dumps(data, indent=indent, separators=(",", ":") if indent is None else None)

    def _told(self) -> str:
        what = self.method if self.answer != "texture" else f"{self.network.name} by {self.method}"
        return f"{what}, {len(self.passes):,} passes over {self.width} × {self.height} texels"

    def _rows(self) -> list[Row]:
        passes = [
            (
                f"pass {index}",
                each.shader,
                each.blend,
                f"{each.source} to {each.target}",
                each.quad_count,
                each.texels,
            )
            for index, each in enumerate(self.passes)
        ]
        return [
            ("", "shader", "blend", "buffers", "quads", "texels"),
            *first_rows(passes, "passes"),
        ]
