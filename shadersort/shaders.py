"""GLSL sources: where they lie, and how one is made for the key type of a texture.

A shader of `shaders/` is written once for every key type. Its first lines get `#version` and two
macros, `SAMPLER` and `TEXEL`, for the types that depend on what a texture holds. A `#line`
directive keeps the compiler's line numbers those of the file.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
import numpy.typing as npt

__all__ = ["directory", "source"]

TYPES = {"f": ("sampler2D", "vec4"), "i": ("isampler2D", "ivec4"), "u": ("usampler2D", "uvec4")}
"""GLSL's sampler and texel type, by the kind of NumPy dtype."""


def directory() -> Traversable:
    """Return the folder of GLSL files: inside an installed package, or beside it in the source."""
    packaged = files("shadersort") / "shaders"
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "shaders"


@cache
def source(name: str, dtype: npt.DTypeLike, version: int = 330) -> str:
    """Return the GLSL of the file `name` for textures of this key type.

    Examples
    --------
    >>> print(source("copy.frag", "uint32").splitlines()[0])
    #version 330 core
    """
    sampler, texel = TYPES[np.dtype(dtype).kind]
    head = f"#version {version} core\n#define SAMPLER {sampler}\n#define TEXEL {texel}\n#line 1\n"
    return head + (directory() / name).read_text(encoding="utf-8")
