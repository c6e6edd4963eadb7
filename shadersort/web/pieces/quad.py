"""A quad to drag: what texture coordinates and MIN and MAX blending do to a small texture."""

import json
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.drawing.methods.blending import halves
from shadersort.drawing.networks import Step, network
from shadersort.drawing.passes import CHANNELS, FRAME, TEXTURE, Blend, Pass
from shadersort.drawing.program import Program
from shadersort.drawing.quads import Quad, whole
from shadersort.errors import BadOption, KeysNotFlat, NotFinite, choices
from shadersort.keys.types import Keys
from shadersort.palette import BLACK, CIVIDIS, MAX, MIN
from shadersort.web.export import encode_array, glsl_sources
from shadersort.web.page import page
from shadersort.web.piece import Piece

TITLE = "Drag a quad over a texture"

SCRIPTS = (*("gpu/executor.js", "textures/grid.js", "textures/outline.js", "textures/quad.js"),)

BLENDS: tuple[Blend | None, ...] = (None, "min", "max")
SIDES = (2, 4, 8)  # texels along a side of a small texture: few, so that their keys can be read


def quad_piece(keys: Keys | None = None, *, preset: str = "MIN of the first half") -> Piece:
    """Return a texture with a quad whose corners and texture coordinates can be dragged.

    Parameters
    ----------
    keys
        The keys of the texture: of shape (height, width), or (height, width, 4) for four channels.
        None takes 4 × 4 texels with the numbers from 0 to 15.
    preset
        The quad to begin with: one of those that `presets` names.

    Raises
    ------
    KeysNotFlat, NotFinite
        The keys are not those of a small texture.
    BadOption
        No preset has this name.
    """
    texels = small_texture(permuted_keys(4) if keys is None else keys)
    rows, columns, _ = texels.shape
    begins = presets(columns, rows)
    names = [each["name"] for each in begins]
    if preset not in names:
        raise BadOption(f"no preset is called {preset!r}: use {choices(names)}")
    data = {
        "glsl": glsl_sources(["quads.vert", "copy.frag"]),
        "palette": CIVIDIS,
        "colours": {"None": BLACK, "min": MIN, "max": MAX},
        "programs": {str(blend): template(columns, rows, blend) for blend in BLENDS},
        "presets": begins,
        "preset": preset,
        "texels": encode_array(texels),
        "channels": bool((texels != texels[..., :1]).any()),
    }
    return Piece(TITLE, page(TITLE, SCRIPTS, data, "QuadPiece"), 920)


def template(width: int, height: int, blend: Blend | None) -> Any:
    """Return a program of one pass, which draws one quad; the page puts other quads into it.

    The quad is the one uniform of the program, as `docs/programs.md` describes it.
    """
    drawn = Pass("copy", TEXTURE, FRAME, (whole(width, height),), blend)
    program = Program(network("pbsn", 1), "blend", width, height, (drawn,), FRAME)
    return json.loads(program.to_json())


def presets(width: int, height: int) -> list[dict[str, Any]]:
    """Return quads with their names, their numbers, how each blends, and what it teaches."""
    (low,), (high,) = halves(Step("mirror", width * height), width, height)
    x, y = (width + 1) // 2, (height + 1) // 2
    corner = Quad(0, 0, x, y, width - x, height - y, width, height)
    across = Quad(0, 0, width, height, width, 0, 0, height)
    down = Quad(0, 0, width, height, 0, height, width, 0)
    mirrored = "the texture coordinates run backwards {}, so the texture appears mirrored."
    half = "each texel of the {} half keeps the {} of itself and its mirror image in the other half"
    small = f"{half.format('first', 'smaller')}: ComputeMin of the paper."
    large = f"{half.format('second', 'larger')}: ComputeMax of the paper."
    named: list[tuple[str, Quad, Blend | None, str]] = [
        ("copy", whole(width, height).quad, None, "each texel is drawn where it was."),
        ("copy a corner", corner, None, "a part of the texture, moved."),
        ("mirror left-right", across, None, mirrored.format("from left to right")),
        ("mirror top-bottom", down, None, mirrored.format("from top to bottom")),
        ("MIN of the first half", low.quad, "min", small),
        ("MAX of the second half", high.quad, "max", large),
    ]
    return [
        {"name": name, "quad": astuple(quad), "blend": str(blend), "told": told}
        for name, quad, blend, told in named
    ]


def permuted_keys(side: int, *, channels: bool = False) -> Keys:
    """Return the numbers from 0, in an order that looks random, as a square texture."""
    shape = (side, side, CHANNELS) if channels else (side, side)
    keys: Keys = np.random.default_rng(1).permutation(int(np.prod(shape)))
    return keys.reshape(shape).astype(np.float32)


def small_texture(keys: Keys, sides: Sequence[int] = SIDES) -> Texels:
    """Return keys as texels of four channels of float32; keys of one channel fill all four.

    Raises
    ------
    KeysNotFlat
        The keys are not of shape (height, width) or (height, width, 4), or are too many to show.
    NotFinite
        A key is no finite number.
    """
    keys = np.asarray(keys)
    if keys.ndim == 2:
        keys = np.repeat(keys[..., np.newaxis], CHANNELS, axis=2)
    if keys.shape[2:] != (CHANNELS,) or not {*keys.shape[:2]} <= {*sides}:
        raise KeysNotFlat(
            f"keys of a small texture have shape (height, width) or (height, width, {CHANNELS}), "
            f"with {choices(map(str, sides))} texels a side; their shape is {keys.shape}"
        )
    texels: Texels = keys.astype(np.float32)
    if not np.isfinite(texels).all():
        raise NotFinite("a key of a small texture is NaN or infinite; only finite keys are drawn")
    return texels + np.float32(0)  # so that −0.0 is 0.0: hardware may change it
