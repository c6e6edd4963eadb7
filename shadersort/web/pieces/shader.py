"""A shader to edit, and a function of one to write: the browser draws while the reader types."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
    *("gpu/executor.js", "gpu/decode.js", "gpu/capabilities.js", "textures/grid.js"),
    *("textures/editor.js", "textures/compiler_words.js", "textures/shader_bench.js"),
    "textures/shader.js",
)

STYLES = ("textures/textures.css", "textures/shader.css")

SIDE = 8
"""Texels along a side of the texture of `shader_piece`."""

FILE = "copy.frag"
"""The shader in whose place the reader's text stands."""

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
"""The words that stand for a type, all of which the page explains."""


@dataclass(frozen=True, eq=False, slots=True)
class DrawnCase:
    """A case of an exercise, with everything that a browser compares."""

    told: str  # the case in a few words
    program: Program  # one "copy" pass, which draws it
    before: str  # what stands before the function
    texels: Texels
    expected: Texels | None  # what the frame should hold; None: what the given text draws
    outcomes: tuple[Texels, ...] = ()  # what it holds after each of the known mistakes


@dataclass(frozen=True, eq=False, slots=True)
class ShaderText:
    """A text to edit, and what is asked for. Rules and habits are regular expressions."""

    name: str
    told: str  # what it asks for, in a sentence or two
    text: str  # what is given: with dots to replace, if it is an exercise
    after: str = "\n"  # what stands after it
    signature: str | None = None  # of an exercise: the first line, which stays, without its bracket
    part: int = 1  # the frame is this many times narrower and lower than the texture
    rules: tuple[tuple[str, str], ...] = ()  # what each forbids, and what is said of it
    hints: tuple[str, ...] = ()  # from the gentlest to the last but one step
    mistakes: tuple[dict[str, str], ...] = ()  # what is `said` of each known one, and its `hint`
    habits: tuple[tuple[str, str], ...] = ()  # what people who know Python write in a line
    words: dict[str, str] | None = None  # what words of the text mean


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
    keys = permuted_keys(SIDE, channels=True) if keys is None else keys
    text = (directory() / FILE).read_text(encoding="utf-8")
    shader = ShaderText(FILE, ASKS, text, words=words_in(text))
    texels = small_texture(keys, sides=(SIDE,))
    case = DrawnCase("", mirrored_copy(), "#line 1 0\n", texels, None)
    height = height or 870 + 20 * len(text.splitlines())
    return _piece(f"Edit the shader {FILE}", shader, [case], height)


def shader_exercise_piece(function: ShaderText, cases: Sequence[DrawnCase]) -> Piece:
    """Return a page on which a function of a shader is written and checked."""
    return _piece(f"Write the function {function.name}", function, cases, 620)


def _piece(title: str, text: ShaderText, cases: Sequence[DrawnCase], height: int) -> Piece:
    data = asdict(text) | {
        "glsl": glsl_sources(["quads.vert"]),
        "palette": CIVIDIS,
        "file": FILE,
        "cases": [_case(each) for each in cases],
    }
    return Piece(title, page(title, SCRIPTS, data, STYLES), height)


def _case(each: DrawnCase) -> dict[str, Any]:
    return {
        "told": each.told,
        "program": json.loads(each.program.to_json()),
        "before": each.before,
        "texels": encode_array(each.texels, "float32"),
        "expected": None if each.expected is None else encode_array(each.expected, "float32"),
        "outcomes": [encode_array(outcome, "float32") for outcome in each.outcomes],
    }


def words_in(text: str) -> dict[str, str]:
    """Return the words of a shader's text that the page explains, and what they mean."""
    code = re.sub("//.*", "", text)
    found = {word for word in WORDS if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code)}
    return {word: means for word, means in WORDS.items() if word in found or word in MACROS}


def mirrored_copy() -> Program:
    """Return the program of one pass that the shader of `shader_piece` draws."""
    network = Network(f"mirror {SIDE * SIDE}", SIDE * SIDE, (Step("mirror", SIDE * SIDE),))
    quads = Quads(Quad(0, 0, SIDE, SIDE, SIDE, 0, 0, SIDE))
    return Program(network, "blend", SIDE, SIDE, (Pass("copy", TEXTURE, FRAME, (quads,)),), FRAME)
