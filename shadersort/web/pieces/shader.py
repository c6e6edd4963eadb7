"""A shader to edit: one of the package's own, compiled and run in the browser as it is typed."""

import json
import re

from shadersort.drawing.networks import Network, Step
from shadersort.drawing.passes import FRAME, TEXTURE, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad, Quads
from shadersort.drawing.shaders import directory
from shadersort.drawing.verify import verify
from shadersort.keys.types import Keys
from shadersort.web.encoded import encoded
from shadersort.web.glsl import glsl_of
from shadersort.web.look import look
from shadersort.web.page import page
from shadersort.web.piece import Piece
from shadersort.web.pieces.texels import permuted, texels_of

EDITING = (
    *("elements.js", "executor.js", "capabilities.js", "encoded.js"),
    *("pieces/svg.js", "pieces/grid.js", "pieces/editor.js", "pieces/compiler_words.js"),
    "pieces/edited_shader.js",
)
"""The scripts of a piece in which a shader is edited."""

SCRIPTS = (*EDITING, "pieces/shader.js")

SIDE = 8
"""Texels along a side of the texture."""

FILE = "copy.frag"
"""The shader."""

ASKS = (
    "One quad covers the frame. Its texture coordinates run backwards from left to right, so the "
    "copy is mirrored. Make it draw something else: 255.0 minus the keys, or the keys one row "
    "below."
)
"""What is drawn, and what to try."""

WORDS = {
    "uniform": "a value that is set before the pass, and is the same for every texel",
    "SAMPLER": "the type of a texture that a shader can read",
    "TEXEL": "the type of a texel: four numbers, one in each channel",
    "KEY": "the type of one of these numbers",
    "flat in": "a value that comes from the quad, and is the same for every texel under it",
    "out": "what the shader draws: the new texel",
    "ivec2": "two integers: a column and a row",
    "gl_FragCoord.xy": "the place that is being drawn; ivec2 makes its numbers integers",
    "texelFetch": (
        "texelFetch(texture, place, 0) reads the texel at a place. The 0 asks for the texture "
        "itself; other numbers ask for smaller copies of it, which this texture does not have"
    ),
}
"""What a reader may not know in the text of a shader."""

MACROS = ("SAMPLER", "TEXEL", "KEY")
"""The words that stand for a type, of which the page tells all."""


def shader_piece(keys: Keys | None = None, *, height: int | None = None) -> Piece:
    """Return the text of the shader copy.frag, which is compiled and run as the reader types.

    Parameters
    ----------
    keys
        The keys of the texture, of shape (8, 8) or (8, 8, 4). None takes the numbers from 0 to 255.
    height
        Pixels of the frame in a notebook. None takes what the text needs, with a few errors.

    Raises
    ------
    KeysNotFlat, NotFinite
        The keys are not those of such a texture.

    Examples
    --------
    >>> shader_piece()
    <Piece: Edit the shader copy.frag>
    """
    texels = texels_of(permuted(SIDE, channels=True) if keys is None else keys, sides=(SIDE,))
    text = (directory() / FILE).read_text(encoding="utf-8")
    data = {
        "glsl": glsl_of(["quads.vert", FILE]),
        "palette": look()["palette"],
        "program": json.loads(mirrored_copy().to_json()),
        "texels": encoded(texels),
        "file": FILE,
        "text": text,
        "told": ASKS,
        "words": words_in(text),
    }
    title = f"Edit the shader {FILE}"
    styles = ("pieces/pieces.css", "pieces/shader.css")
    return Piece(
        title,
        page(title, "<main></main>", SCRIPTS, {"piece": data}, styles),
        height or 870 + 20 * len(text.splitlines()),
    )


def words_in(text: str) -> dict[str, str]:
    """Return the words of a shader's text that the page explains, and what they mean.

    Examples
    --------
    >>> list(words_in("uniform SAMPLER keys;"))
    ['uniform', 'SAMPLER', 'TEXEL', 'KEY']
    """
    code = re.sub("//.*", "", text)
    found = {word for word in WORDS if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code)}
    return {word: told for word, told in WORDS.items() if word in found or word in MACROS}


def mirrored_copy() -> Program:
    """Return the program of one pass that the shader draws.

    Examples
    --------
    >>> mirrored_copy()
    <Program: mirror 64 by blend, 1 passes over 8 × 8 texels>
    """
    network = Network(f"mirror {SIDE * SIDE}", SIDE * SIDE, (Step("mirror", SIDE * SIDE),))
    mirrored = Quads(Quad(0, 0, SIDE, SIDE, SIDE, 0, 0, SIDE))
    drawn = Pass("copy", TEXTURE, FRAME, (mirrored,))
    program = Program(network, "blend", SIDE, SIDE, (drawn,), FRAME)
    verify(program)
    return program
