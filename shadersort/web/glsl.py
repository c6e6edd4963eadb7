"""Shaders for WebGL 2: the same files, with the head that GLSL ES wants."""

from collections.abc import Iterable

from shadersort.drawing.shaders import TYPES, body, head_of_es

Glsl = dict[str, dict[str, str]]


def glsl_of(names: Iterable[str]) -> Glsl:
    """Return the heads, by the kind of number, and the texts of files, by their names.

    Examples
    --------
    >>> sorted(glsl_of(["copy.frag"])["files"])
    ['copy.frag']
    """
    return {
        "heads": {kind: head_of_es(kind) for kind in TYPES},
        "files": {name: body(name) for name in sorted(names)},
    }
