"""GLSL sources: where they are, and how one is made for the key type of a texture.

A shader of `shaders/` is written once for every key type. `source` puts `#version` in front, and
macros for the types that depend on what a texture holds and for what the caller defines. It then
replaces `#include "file"` by the file. `#line` directives keep the compiler's line numbers those
of the files.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
import numpy.typing as npt

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
) -> str:
    """Return the GLSL of the file `name` for textures of this key type.

    Examples
    --------
    >>> print(source("copy.frag", "uint32").splitlines()[0])
    #version 330 core
    """
    kind = np.dtype(dtype)
    sampler, texel, key = TYPES[kind.kind]
    image, image_format = IMAGES[kind.name]
    macros = {"SAMPLER": sampler, "TEXEL": texel, "KEY": key}
    macros |= {"IMAGE": image, "FORMAT": image_format}
    head = [f"#version {version} core"]
    head += [f"#define {macro} {value}" for macro, value in (*macros.items(), *defines)]
    return "\n".join([*head, *_lines(name)]) + "\n"


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
