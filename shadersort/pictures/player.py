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
from shadersort.web.export import encode_array, look
from shadersort.web.page import page
from shadersort.web.roles import pass_facts

SCRIPTS = (
    *("page/player.js", "page/link.js"),
    *("sort/film.js", "sort/panels.js", "sort/pass_view.js", "sort/trace_page.js"),
)


def page_of(sort: RecordedSort, max_bytes: int) -> str:
    """Return the page of a sort; raise TooManyKeys where it exceeds `max_bytes`."""
    if not len(sort.passes):
        raise BadOption(f"no pass to play: {sort!r}")
    textures, places = _textures(sort)
    at_least = len(textures) * sort.input.size * _rank_type(sort).itemsize * 4 // 3
    if at_least <= max_bytes:
        data = {"film": film_of_trace(sort, textures, places), "look": look()}
        program, keys = sort.program, f"{len(sort.result):,} {sort.result.dtype} keys"
        size = f"{program.width} × {program.height} texels"
        title = f"{program.network.name} by {program.method}: {keys}, {size}"
        found = page(title, SCRIPTS, data, "TracePage")
        at_least = len(found.encode())
        if at_least <= max_bytes:
            return found
    raise TooManyKeys(
        f"a page of {len(sort.passes):,} passes needs {at_least:,} bytes or more, more than "
        f"max_bytes={max_bytes}: trace fewer keys, take a slice such as trace[:10], or allow "
        "a larger page"
    )


def film_of_trace(
    sort: RecordedSort, textures: list[Texels], places: dict[int, int]
) -> dict[str, Any]:
    """Return a film, as the package `shadersort.web` describes it, with arrays in base64."""
    values = np.unique(sort.input)
    fills = values[-1] not in sort.result  # the largest cells are no keys then: they fill up
    ranks = np.stack([np.searchsorted(values, each) for each in textures])
    geometries: dict[Any, int] = {}
    arrays: list[Any] = []
    passes = []
    for traced in sort.passes:
        key = (traced.command.shader, traced.command.quads, traced.command.blend)
        geometry = geometries.setdefault((*key, traced.command.steps), len(arrays))
        if geometry == len(arrays):
            roles = traced.roles
            partner = encode_array(roles.partner, "uint32")
            arrays.append({"role": encode_array(roles.role), "partner": partner})
        passes.append(_pass_of_film(traced, places) | {"geometry": geometry})
    return {
        "width": sort.program.width,
        "height": sort.program.height,
        "wires": sort.program.network.n,
        "values": encode_array(values),
        "fill": len(values) - 1 if fills else None,
        "textures": encode_array(ranks, _rank_type(sort)),
        "geometries": arrays,
        "passes": passes,
        "last": len(sort.program.passes) - 1,
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


def _pass_of_film(traced: TracedPass, places: dict[int, int]) -> dict[str, Any]:
    """Return the facts of a pass, and the indices of its textures."""
    return pass_facts(traced.program, traced.index, traced.steps) | {
        "index": traced.index,
        "source": places[id(traced.source)],
        "before": None if traced.before is None else places[id(traced.before)],
        "after": places[id(traced.after)],
    }
