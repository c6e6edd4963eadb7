"""GLSL sources: where they are, and how one is made for the key type of a texture.

A shader of `shaders/` is written once for every key type. `source` puts `#version` in front, and
macros for the types that depend on what a texture holds and for what the caller defines. It then
replaces `#include "file"` by the file. `#line` directives keep the compiler's line numbers those
of the files.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import BLENDED

TYPES = {
    "f": ("sampler2D", "vec4", "float"),
    "i": ("isampler2D", "ivec4", "int"),
    "u": ("usampler2D", "uvec4", "uint"),
}
"""GLSL's types of a sampler, a texel and a key, by the kind of NumPy dtype."""

IMAGES = {
    "float16": ("image2D", "rgba16f"),
    "float32": ("image2D", "rgba32f"),
    "int32": ("iimage2D", "rgba32i"),
    "uint32": ("uimage2D", "rgba32ui"),
    "uint8": ("image2D", "rgba8"),
}
"""GLSL's image type and format, by dtype."""


def directory() -> Traversable:
    """Return the folder of GLSL files: inside an installed package, or beside it in the source."""
    packaged = files("shadersort") / "shaders"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "shaders"


@cache
def source(
    name: str,
    dtype: npt.DTypeLike,
    defines: tuple[tuple[str, int | str], ...] = (),
    version: int = 330,
    text: str | None = None,
) -> str:
    """Return the GLSL of the file `name`, or another text for it, for textures of this key type."""
    keys = np.dtype(dtype)
    image, image_format = IMAGES[keys.name]
    kind = "f" if keys in BLENDED else keys.kind
    macros = {**_types(kind), "IMAGE": image, "FORMAT": image_format, **dict(defines)}
    return f"#version {version} core\n{_defined(macros)}{body(name) if text is None else text}"


def head_of_es(kind: str) -> str:
    """Return what stands before a file's text in GLSL ES 3.00, of WebGL 2, by the kind of dtype.

    Without the precisions, integers and samplers would have the middle one, without a word.
    """
    types = _types(kind)
    precise = dict.fromkeys(["float", "int", types["SAMPLER"], "sampler2D", "usampler2D"])
    lines = ["#version 300 es", *(f"precision highp {each};" for each in precise)]
    return "\n".join(lines) + "\n" + _defined(types)


@cache
def body(name: str) -> str:
    """Return the text of a file, with included files in place of their directives."""
    return "\n".join(_lines(name)) + "\n"


def _types(kind: str) -> dict[str, int | str]:
    return dict(zip(("SAMPLER", "TEXEL", "KEY"), TYPES[kind], strict=True))


def _defined(macros: Mapping[str, int | str]) -> str:
    return "".join(f"#define {macro} {value}\n" for macro, value in macros.items())


def _lines(name: str) -> Iterator[str]:
    """Yield the lines of a file, with included files in place of their directives."""
    yield "#line 1"
    text = (directory() / name).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#include "):
            yield from _lines(line.split('"')[1])
            yield f"#line {number + 1}"
        else:
            yield line
