"""The lines that make each pass: where `Pass` and `Quad` are called while a network is compiled.

They are noted while the program is compiled, so there is no second list that could differ from it.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os.path import split
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from shadersort.drawing import compile as compiling
from shadersort.drawing.networks import Network
from shadersort.drawing.passes import Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad

ROOM = Path(compiling.__file__).parent
"""The folder of the code that makes programs."""


class Line(NamedTuple):
    """A line of a file of `shadersort/drawing`."""

    file: str
    number: int


Lines = tuple[Line, ...]


def program_and_lines(
    network: Network, width: int, height: int, method: str
) -> tuple[Program, list[Lines]]:
    """Compile a network anew; return the program, and the lines that made each pass.

    They are the lines that were being run when its `Pass` was called, and each of its `Quad`s.

    Examples
    --------
    >>> from shadersort.drawing.networks import pbsn
    >>> program, lines = program_and_lines(pbsn(4), 2, 2, "blend")
    >>> sorted({line.file for line in lines[1]})
    ['blending.py']
    """
    made: list[tuple[object, Lines]] = []  # the objects, too, so that no other one gets an id
    with _seen_made((Pass, Quad), lambda each, frame: made.append((each, _lines(frame)))):
        program = compiling.build(network, width, height, method)
    lines_of = {id(each): lines for each, lines in made}
    return program, [
        tuple(sorted({line for part in _parts(each) for line in lines_of[id(part)]}))
        for each in program.passes
    ]


def _parts(each: Pass) -> Iterator[object]:
    """Yield a pass and its quads."""
    yield each
    for quads in each.quads:
        yield quads.quad


def _lines(frame: FrameType | None) -> Lines:
    """Return the lines of the room that are being run, from a frame outwards.

    All passes share that of `build`, so it says nothing.
    """
    lines = []
    inside = str(ROOM)
    while frame:
        folder, name = split(frame.f_code.co_filename)
        if folder.startswith(inside) and frame.f_code is not compiling.build.__code__:
            lines.append(Line(name, frame.f_lineno))
        frame = frame.f_back
    return tuple(lines)


@contextmanager
def _seen_made(
    classes: tuple[type, ...], see: Callable[[object, FrameType | None], None]
) -> Iterator[None]:
    """Call `see` with each new object of some classes, and the frame that makes it."""
    codes: set[CodeType] = {each.__init__.__code__ for each in classes}  # type: ignore[misc]

    def called(frame: FrameType, _: str, __: Any) -> None:
        """Note a call; None says that the lines of what is called are not wanted."""
        if frame.f_code in codes:
            see(frame.f_locals["self"], frame.f_back)

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)
