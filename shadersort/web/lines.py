"""The lines that make each pass: where `Pass` and `Quad` are called while a network is compiled.

They are noted while the program is compiled, so there is no second list that could differ from it.
"""

import sys
from os.path import split
from pathlib import Path
from traceback import walk_stack
from types import FrameType
from typing import Any

from shadersort.drawing import compile as compiling
from shadersort.drawing.networks import Network
from shadersort.drawing.passes import Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad

ROOM = Path(compiling.__file__).parent  # the folder of the code that makes programs
INITS = {each.__init__.__code__ for each in (Pass, Quad)}

Line = tuple[str, int]  # a file of the room, and the number of one of its lines


def program_and_lines(
    network: Network, width: int, height: int, method: str
) -> tuple[Program, list[list[Line]]]:
    """Compile a network anew; return the program, and the lines that made each pass.

    They are the lines that were being run when its `Pass` was called, and each of its `Quad`s.
    """
    made: dict[int, tuple[object, set[Line]]] = {}  # the objects, too, so that no id comes again
    inside, shared = str(ROOM), compiling.build.__code__  # all passes share the line of `build`

    def note(frame: FrameType, event: str, argument: Any) -> None:
        """Note the callers of a constructor; None says that no lines inside are wanted."""
        if frame.f_code in INITS:
            new = frame.f_locals["self"]
            made[id(new)] = (
                new,
                {
                    (split(each.f_code.co_filename)[1], number)
                    for each, number in walk_stack(frame)
                    if each.f_code.co_filename.startswith(inside) and each.f_code is not shared
                },
            )

    before = sys.gettrace()
    sys.settrace(note)
    try:
        program = compiling.build(network, width, height, method)
    finally:
        sys.settrace(before)
    parts = [[each, *(quads.quad for quads in each.quads)] for each in program.passes]
    return program, [sorted(set().union(*(made[id(part)][1] for part in each))) for each in parts]
