"""What Python exports to scripts: arrays, packed data, colours, the texts of files, and GLSL."""

import base64
import json
import zlib
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.drawing.shaders import TYPES, body, directory, head_of_es
from shadersort.palette import CIVIDIS
from shadersort.web.lines import ROOM
from shadersort.web.roles import ROLE_COLOURS, Role

ROUTINES = ("methods/blending.py", "compile.py", "methods/kipfer.py", "methods/fused.py")
SHADERS = ("copy.frag", "keep.frag", "comparator.frag", "butterfly.frag")
"""What makes the passes that a browser draws."""

FILL = "#ffffff"  # of a key that only fills a texture up: no colour of the palette


def encode_array(array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> dict[str, str]:
    """Return an array as its type and its little-endian bytes in base64; halves become floats."""
    flat = array.astype(dtype or (np.float32 if array.dtype.kind == "f" else array.dtype))
    data = flat.astype(flat.dtype.newbyteorder("<")).tobytes()
    return {"type": flat.dtype.name, "data": base64.b64encode(data).decode()}


def pack_json(value: Any) -> str:
    """Return JSON, compressed: films repeat themselves, so less than a tenth is left."""
    text = json.dumps(value, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(text, 9)).decode()


def script_text(name: str) -> str:
    """Return the text of a script."""
    return (files("shadersort.web") / "scripts" / name).read_text(encoding="utf-8")


def style_text(script: str) -> str:
    """Return the style sheet beside a script; nothing if there is none."""
    sheet = files("shadersort.web") / "scripts" / f"{script.removesuffix('.js')}.css"
    return sheet.read_text(encoding="utf-8") if sheet.is_file() else ""


def glsl_sources(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return shaders for WebGL 2: heads by the kind of number, files, and the numbers of roles."""
    return {
        "heads": {kind: head_of_es(kind) for kind in TYPES},
        "files": {name: body(name) for name in sorted(names)},
        "roles": {role.name: int(role) for role in Role},
    }


def look() -> dict[str, Any]:
    """Return the colours of a sort: of keys, by rank, of roles, and of a key that only fills."""
    return {
        "palette": CIVIDIS,
        "fill": FILL,
        "roles": [ROLE_COLOURS[role] for role in Role],
    }


def sources() -> dict[str, str]:
    """Return the texts of the files whose lines a page lights."""
    paths = [*(ROOM / name for name in ROUTINES), *(directory() / name for name in SHADERS)]
    return {path.name: path.read_text(encoding="utf-8") for path in paths}
