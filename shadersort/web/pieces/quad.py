"""A quad to drag: what texture coordinates and MIN and MAX blending do to a small texture."""

import json
from dataclasses import astuple
from typing import Any

from shadersort.drawing.methods.blending import halves
from shadersort.drawing.networks import Step, network
from shadersort.drawing.passes import FRAME, TEXTURE, Blend, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad, whole
from shadersort.errors import BadOption, choices
from shadersort.keys.types import Keys
from shadersort.palette import BLACK, MAX, MIN
from shadersort.web.encoded import encoded
from shadersort.web.glsl import glsl_of
from shadersort.web.look import look
from shadersort.web.page import page
from shadersort.web.piece import Piece
from shadersort.web.pieces.texels import permuted, texels_of

TITLE = "Drag a quad over a texture"

SCRIPTS = (
    *("elements.js", "executor.js", "capabilities.js", "encoded.js"),
    *("pieces/svg.js", "pieces/grid.js", "pieces/placed.js", "pieces/handles.js"),
    "pieces/quad.js",
)

BLENDS: tuple[Blend | None, ...] = (None, "min", "max")


def quad_piece(
    keys: Keys | None = None, *, preset: str = "MIN of the first half", height: int = 920
) -> Piece:
    """Return a texture with a quad whose corners and texture coordinates can be dragged.

    Parameters
    ----------
    keys
        The keys of the texture: of shape (height, width), or (height, width, 4) for four channels.
        None takes 4 × 4 texels with the numbers from 0 to 15.
    preset
        The quad to begin with: one of those that `presets` names.
    height
        Pixels of the frame in a notebook.

    Raises
    ------
    KeysNotFlat, NotFinite
        The keys are not those of a small texture.
    BadOption
        No preset has this name.

    Examples
    --------
    >>> quad_piece()
    <Piece: Drag a quad over a texture>
    """
    texels = texels_of(permuted(4) if keys is None else keys)
    rows, columns, _ = texels.shape
    names = [each["name"] for each in presets(columns, rows)]
    if preset not in names:
        raise BadOption(f"no preset is called {preset!r}: use {choices(names)}")
    data = {
        "glsl": glsl_of(["quads.vert", "copy.frag"]),
        "palette": look()["palette"],
        "colours": {"None": BLACK, "min": MIN, "max": MAX},
        "programs": {str(blend): template(columns, rows, blend) for blend in BLENDS},
        "presets": presets(columns, rows),
        "preset": preset,
        "texels": encoded(texels),
        "channels": bool((texels != texels[..., :1]).any()),
    }
    styles = ("pieces/pieces.css", "pieces/quad.css")
    return Piece(TITLE, page(TITLE, "<main></main>", SCRIPTS, {"piece": data}, styles), height)


def template(width: int, height: int, blend: Blend | None) -> Any:
    """Return a program of one pass, which draws one quad; the page puts other quads into it.

    The quad is the one uniform of the program, as `docs/programs.md` describes it.

    Examples
    --------
    >>> template(4, 4, None)["uniforms"]
    [['quads', [0, 0, 4, 4, 0, 0, 4, 4, 1, 0, 0, 4, 1, 0, 0, 4]]]
    """
    drawn = Pass("copy", TEXTURE, FRAME, (whole(width, height),), blend)
    program = Program(network("pbsn", 1), "blend", width, height, (drawn,), FRAME)
    return json.loads(program.to_json())


def presets(width: int, height: int) -> list[dict[str, Any]]:
    """Return quads with their names, their numbers, how each blends, and what it teaches.

    Examples
    --------
    >>> [each["quad"] for each in presets(4, 4)[2:4]]
    [(0, 0, 4, 4, 4, 0, 0, 4), (0, 0, 4, 4, 0, 4, 4, 0)]
    """
    (low,), (high,) = halves(Step("mirror", width * height), width, height)
    mirrored = "the texture coordinates run backwards {}, so the texture appears mirrored."
    half = "each texel of the {} half keeps the {} of itself and its mirror image in the other half"
    named: list[tuple[str, Quad, Blend | None, str]] = [
        ("copy", whole(width, height).quad, None, "each texel is drawn where it was."),
        ("copy a corner", _corner(width, height), None, "a part of the texture, moved."),
        (
            "mirror left-right",
            Quad(0, 0, width, height, width, 0, 0, height),
            None,
            mirrored.format("from left to right"),
        ),
        (
            "mirror top-bottom",
            Quad(0, 0, width, height, 0, height, width, 0),
            None,
            mirrored.format("from top to bottom"),
        ),
        (
            "MIN of the first half",
            low.quad,
            "min",
            f"{half.format('first', 'smaller')}: ComputeMin of the paper.",
        ),
        (
            "MAX of the second half",
            high.quad,
            "max",
            f"{half.format('second', 'larger')}: ComputeMax of the paper.",
        ),
    ]
    return [
        {"name": name, "quad": astuple(quad), "blend": str(blend), "told": told}
        for name, quad, blend, told in named
    ]


def _corner(width: int, height: int) -> Quad:
    """Return a quad over the upper left quarter that shows the lower right one."""
    x, y = (width + 1) // 2, (height + 1) // 2
    return Quad(0, 0, x, y, width - x, height - y, width, height)
