"""What every page looks like: its style, the colours of keys and roles, and the texts it shows."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from shadersort.drawing.shaders import directory
from shadersort.palette import CIVIDIS, MAX, MIN
from shadersort.web.lines import ROOM
from shadersort.web.roles import Role

ROLE_COLOURS = {
    Role.UNTOUCHED: "#f2f2f2",
    Role.COPIED: "#b0b0b0",
    Role.MIN: MIN,
    Role.MAX: MAX,
}

ROUTINES = ("methods/blending.py", "compile.py", "methods/kipfer.py", "methods/fused.py")
SHADERS = ("copy.frag", "keep.frag", "comparator.frag", "butterfly.frag")
"""What makes the passes that a browser draws."""


FILL = "#ffffff"
"""Of a key that only fills a texture up; no colour of the palette, so it stands out."""


def look(*, sources: bool = False) -> dict[str, Any]:
    """Return the colours of a page, and the files whose lines it lights.

    Examples
    --------
    >>> look()["roles"]
    ['#f2f2f2', '#b0b0b0', '#0072b2', '#d55e00']
    """
    routines = {Path(name).name: (ROOM / name).read_text(encoding="utf-8") for name in ROUTINES}
    shaders = {name: (directory() / name).read_text(encoding="utf-8") for name in SHADERS}
    return {
        "palette": CIVIDIS,
        "fill": FILL,
        "roles": [ROLE_COLOURS[role] for role in sorted(Role)],
        "files": {**routines, **shaders} if sources else {},
        "mains": {name: main_lines(text) for name, text in shaders.items()} if sources else {},
    }


def main_lines(text: str) -> list[int]:
    """Return the numbers of the lines inside the function `main` of a shader.

    Examples
    --------
    >>> main_lines((directory() / "copy.frag").read_text())
    [11]
    """
    lines = text.splitlines()
    start = lines.index("void main() {") + 1
    end = lines.index("}", start)
    return [number for number in range(start + 1, end + 1) if lines[number - 1].strip()]


def text_of(name: str) -> str:
    """Return the text of a file of this folder: a script, a style or a page."""
    return (files("shadersort.web") / name).read_text(encoding="utf-8")
