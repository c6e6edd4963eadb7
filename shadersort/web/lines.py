"""The lines that make each pass: where `Pass` and `Quad` are called while a network is compiled.

They are noted while the program is compiled, so there is no second list that could differ from it.
"""

import sys
from os.path import split
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from shadersort.drawing import compile as compiling
from shadersort.drawing.networks import Network
from shadersort.drawing.passes import Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad

ROOM = Path(compiling.__file__).parent
"""The folder of the code that makes programs."""

INITS = {each.__init__.__code__ for each in (Pass, Quad)}  # type: ignore[misc]


class Line(NamedTuple):
    """A line of a file of `shadersort/drawing`."""

    file: str
    number: int


def program_and_lines(
    network: Network, width: int, height: int, method: str
) -> tuple[Program, list[list[Line]]]:
    """Compile a network anew; return the program, and the lines that made each pass.

    They are the lines that were being run when its `Pass` was called, and each of its `Quad`s.
    """
    made: dict[int, tuple[object, set[Line]]] = {}  # the objects, too, so that no id comes again

    def note(frame: FrameType, event: str, argument: Any) -> None:
        """Note the caller of a constructor; None says that no lines inside are wanted."""
        if frame.f_code in INITS:
            new = frame.f_locals["self"]
            made[id(new)] = new, _running_lines(frame.f_back)

    before = sys.gettrace()
    sys.settrace(note)
    try:
        program = compiling.build(network, width, height, method)
    finally:
        sys.settrace(before)
    return program, [
        sorted(set().union(*(made[id(part)][1] for part in (each, *_quads_of(each)))))
        for each in program.passes
    ]


def _quads_of(each: Pass) -> list[Quad]:
    return [quads.quad for quads in each.quads]


def _running_lines(frame: FrameType | None) -> set[Line]:
    """Return the lines of the room that are being run, from a frame outwards.

    All passes share that of `build`, so it says nothing.
    """
    lines, inside = set(), str(ROOM)
    while frame:
        folder, name = split(frame.f_code.co_filename)
        if folder.startswith(inside) and frame.f_code is not compiling.build.__code__:
            lines.add(Line(name, frame.f_lineno))
        frame = frame.f_back
    return lines
