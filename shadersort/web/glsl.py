"""Shaders for WebGL 2: the same files, with the head that GLSL ES wants."""

from collections.abc import Iterable
from typing import Any

from shadersort.drawing.shaders import TYPES, body, head_of_es
from shadersort.web.roles import Role

Glsl = dict[str, dict[str, Any]]


def glsl_of(names: Iterable[str]) -> Glsl:
    """Return the heads, by the kind of number, the texts of files, and the numbers of roles.

    Examples
    --------
    >>> sorted(glsl_of(["copy.frag"])["files"])
    ['copy.frag']
    """
    return {
        "heads": {kind: head_of_es(kind) for kind in TYPES},
        "files": {name: body(name) for name in sorted(names)},
        "roles": {role.name: int(role) for role in Role},
    }
