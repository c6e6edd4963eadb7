"""The HTML player of a trace: a page with the textures embedded.

The page holds every key of every pass exactly, and no copy of an algorithm. Each key is embedded
once, and a texture holds the ranks of its keys in the smallest integer type. Equal textures (a copy
and its source) and equal geometries (a network repeats its steps) are embedded once.
"""

from typing import Any

import numpy as np

from shadersort.drawing.devices.texture import Texels
from shadersort.errors import BadOption, TooManyKeys
from shadersort.pictures.recorded_sort import RecordedSort, TracedPass
from shadersort.web.encoded import encoded
from shadersort.web.look import look
from shadersort.web.page import page

TYPES = {"f": "float32", "i": "int32", "u": "uint32"}
"""The type in which the page holds keys, by the kind of NumPy dtype; it holds them exactly."""

SCRIPTS = ("encoded.js", "recorded.js", "elements.js", "player.js", "recorded_page.js")


def page_of(sort: RecordedSort, max_bytes: int) -> str:
    """Return the page of a sort; raise TooManyKeys where it exceeds `max_bytes`."""
    if not len(sort.passes):
        raise BadOption(f"no pass to play: {sort!r}")
    textures, places = _textures(sort)
    at_least = len(textures) * sort.input.size * _rank_type(sort).itemsize * 4 // 3
    if at_least <= max_bytes:
        data = data_of(sort, textures, places)
        found = page(data["title"], "<main></main>", SCRIPTS, {"trace": data, "look": look()})
        at_least = len(found.encode())
        if at_least <= max_bytes:
            return found
    raise TooManyKeys(
        f"a page of {len(sort.passes):,} passes needs {at_least:,} bytes or more, more than "
        f"max_bytes={max_bytes}: trace fewer keys, take a slice such as trace[:10], or allow "
        "a larger page"
    )


def data_of(sort: RecordedSort, textures: list[Texels], places: dict[int, int]) -> dict[str, Any]:
    """Return the data of the template: numbers, names, and arrays in base64."""
    program = sort.program
    values = np.unique(sort.input).astype(TYPES[sort.input.dtype.kind])
    full = values[-1] in sort.result  # otherwise the largest cells are no keys: they fill up
    keys = values if full else values[:-1]
    rank_type = _rank_type(sort)
    ranks = np.stack([np.searchsorted(values, each).astype(rank_type) for each in textures])
    geometries: dict[Any, int] = {}
    arrays: list[Any] = []
    passes = []
    for traced in sort.passes:
        key = (traced.command.shader, traced.command.quads, traced.command.blend)
        geometry = geometries.setdefault((*key, traced.command.steps), len(arrays))
        if geometry == len(arrays):
            roles = traced.roles
            arrays.append(
                {"role": encoded(roles.role), "partner": encoded(roles.partner, "uint32")}
            )
        passes.append(_described(traced, places) | {"geometry": geometry})
    return {
        "title": f"{program.network.name} by {program.method}: {len(sort.result):,} "
        f"{sort.result.dtype} keys, {program.width} × {program.height} texels",
        "width": program.width,
        "height": program.height,
        "wires": program.network.n,
        "values": encoded(keys),
        "fill": None if full else len(keys),
        "textures": encoded(ranks),
        "geometries": arrays,
        "passes": passes,
    }


def _rank_type(sort: RecordedSort) -> np.dtype[Any]:
    """Return the smallest type that holds the ranks of all keys."""
    return np.min_scalar_type(max(0, len(np.unique(sort.input)) - 1))


def _textures(sort: RecordedSort) -> tuple[list[Texels], dict[int, int]]:
    """Return the different textures of a sort, and the index of each by its identity."""
    textures: list[Texels] = []
    places: dict[int, int] = {}

    def add(texels: Texels) -> None:
        if id(texels) not in places:
            places[id(texels)] = len(textures)
            textures.append(texels)

    for traced in sort.passes:
        add(traced.source)
        if traced.before is not None:
            add(traced.before)
        if np.array_equal(traced.after, traced.source):
            places[id(traced.after)] = places[id(traced.source)]
        add(traced.after)
    return textures, places


def _described(traced: TracedPass, places: dict[int, int]) -> dict[str, Any]:
    """Return the caption of a pass, and the indices of its textures."""
    command = traced.command
    return {
        "index": traced.index,
        "caption": traced.caption,
        "blend": command.blend,
        "buffers": [command.source, command.target],
        "source": places[id(traced.source)],
        "before": None if traced.before is None else places[id(traced.before)],
        "after": places[id(traced.after)],
    }
