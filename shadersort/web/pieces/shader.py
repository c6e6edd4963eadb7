"""A shader to edit, and a function of one to write: the browser draws while the reader types."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.networks import Network, Step
from shadersort.drawing.passes import FRAME, TEXTURE, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad, Quads
from shadersort.drawing.shaders import directory
from shadersort.keys.types import Keys
from shadersort.palette import CIVIDIS
from shadersort.web.export import encode_array, glsl_sources
from shadersort.web.page import page
from shadersort.web.piece import Piece
from shadersort.web.pieces.quad import permuted_keys, small_texture

SCRIPTS = (
    *("gpu/executor.js", "textures/grid.js", "page/answer.js"),
    *("textures/compiler_words.js", "textures/shader.js"),
)

SIDE = 8  # texels along a side of the texture of `shader_piece`
FILE = "copy.frag"  # the shader in whose place the reader's text stands

ASKS = (
    "One quad covers the frame. Its texture coordinates run backwards from left to right, so the "
    "copy is mirrored. Make it draw something else: 255.0 minus the keys, or the keys one row "
    "below."
)
"""What is drawn, and what to try."""

WORDS = {
    "uniform": "a value that is set before the pass, and is the same for every texel",
    "SAMPLER": "here sampler2D, the type of a texture that a shader can read",
    "TEXEL": "here vec4, the type of a texel: four numbers, one in each channel",
    "flat in": "a value that comes from the quad, and is the same for every texel under it",
    "out": "what the shader draws: the new texel",
    "ivec2": "two integers: a column and a row",
    "gl_FragCoord.xy": "the place that is being drawn; ivec2 makes its numbers integers",
    "texelFetch": (
        "texelFetch(texture, place, 0) reads the texel at a place. The 0 asks for the texture "
        "itself; other numbers ask for smaller copies of it, which this texture does not have"
    ),
}
"""What a reader may not know in the text of this shader."""


def shader_piece(keys: Keys | None = None) -> Piece:
    """Return the text of the shader copy.frag, which is compiled and run as the reader types.

    Parameters
    ----------
    keys
        The keys of the texture, of shape (8, 8) or (8, 8, 4). None takes the numbers from 0 to 255.

    Raises
    ------
    KeysNotFlat, NotFinite
        The keys are not those of such a texture.
    """
    keys = permuted_keys(SIDE, channels=True) if keys is None else keys
    text = (directory() / FILE).read_text(encoding="utf-8")
    told = {"name": FILE, "told": ASKS, "text": text, "words": WORDS}
    case = shader_case("", mirrored_copy(), "#line 1 0\n", small_texture(keys, sides=(SIDE,)))
    return shader_page(f"Edit the shader {FILE}", told, [case], 1100)


def shader_page(
    title: str, text: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], height: int = 620
) -> Piece:
    """Return a page on which a text of a shader is edited, drawn in each case, and judged.

    A text has a `name`, what it asks for (`told`), and `text`. One that is no exercise may have the
    meaning of its `words`; an exercise has dots to replace in its text, and

    - `signature`, `after`: its first line without the bracket, which stays; what stands after it;
    - `part`: the frame is this many times narrower and lower than the texture;
    - `rules`, `habits`: regular expressions of what is forbidden, and of lines that Python's users
      write by habit, each with what is said of it;
    - `hints`, from the gentlest on; `mistakes`: what is `said` of each known one, and its `hint`.
    """
    more = {"glsl": glsl_sources(["quads.vert"]), "palette": CIVIDIS, "file": FILE, "cases": cases}
    return Piece(title, page(title, SCRIPTS, {**text, **more}, "ShaderPage"), height)


def shader_case(
    told: str,
    program: Program,
    before: str,
    texels: Texels,
    expected: Texels | None = None,
    outcomes: Sequence[Texels] = (),
) -> dict[str, Any]:
    """Return a case with everything that a browser compares.

    `program` is one "copy" pass, which draws it; `before` stands before the text. The frame should
    hold `expected`, or what the given text draws; after each known mistake it holds an outcome.
    """
    return {
        "told": told,
        "program": json.loads(program.to_json()),
        "before": before,
        "texels": encode_array(texels, "float32"),
        "expected": None if expected is None else encode_array(expected, "float32"),
        "outcomes": [encode_array(outcome, "float32") for outcome in outcomes],
    }


def mirrored_copy() -> Program:
    """Return the program of one pass that the shader of `shader_piece` draws."""
    network = Network(f"mirror {SIDE * SIDE}", SIDE * SIDE, (Step("mirror", SIDE * SIDE),))
    quads = Quads(Quad(0, 0, SIDE, SIDE, SIDE, 0, 0, SIDE))
    return Program(network, "blend", SIDE, SIDE, (Pass("copy", TEXTURE, FRAME, (quads,)),), FRAME)
