"""The page on which readers sort their own keys, and the films that it loads."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from inspect import getdoc
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any

from shadersort.drawing.compile import METHODS as COMPILED
from shadersort.drawing.networks import NETWORKS
from shadersort.drawing.passes import CHANNELS
from shadersort.web.encoded import packed_data
from shadersort.web.films import film_of
from shadersort.web.glsl import glsl_of
from shadersort.web.look import SHADERS, look
from shadersort.web.page import page
from shadersort.web.probes import METHODS, probes

TITLE = "Sort your own keys by drawing"

LEDE = (
    "A texel of a texture holds four keys: its red, green, blue and alpha. A graphics card of 2005 "
    "could only draw, so it sorted like this: each pass draws quads over the texture, which keep "
    "the smaller or the larger of two keys. Here your browser draws the same passes, by the "
    "shaders of shadersort."
)

MOST_TEXELS = 1 << 14
"""Of a page: 2**16 keys."""

FEW_TEXELS = 1 << 10
"""Of a page that stands alone: 4,096 keys."""

USUAL: Mapping[str, Any] = MappingProxyType(
    {
        "kind": "random",
        "count": 1024,
        "seed": 1,
        "network": "pbsn",
        "method": "blend",
        "dtype": "float32",
        "words": "",
    }
)
"""What the page shows first; `words` are keys of the kind "own"."""

LESSONS = {
    "notebooks/01-drawing.html": "Lesson 1: a GPU that can only draw",
    "notebooks/02-networks.html": "Lesson 2: the networks",
    "notebooks/04-four-sorts.html": "Lesson 4: the methods",
}
"""Where the site tells more of what the page offers."""

SCRIPTS = (
    *("executor.js", "encoded.js", "keys.js", "probe.js", "film.js"),
    *("elements.js", "player.js", "told_keys.js"),
    *("capabilities.js", "sorter.js", "films.js", "sort_page.js", "sort_page_start.js"),
)


def films(most: int, least: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield films by their names: every network by every method, from `least` to `most` texels.

    Examples
    --------
    >>> [name for name, _ in films(2, 2)][:3]
    ['pbsn-blend-2', 'pbsn-fragment-2', 'pbsn-kipfer-2']
    """
    sizes = [1 << power for power in range(most.bit_length()) if 1 << power >= least]
    for network, method, texels in product(NETWORKS, METHODS, sizes):
        yield f"{network}-{method}-{texels}", film_of(network, method, texels)


def sort_page(folder: str | None = None, most: int = FEW_TEXELS, *, home: str | None = None) -> str:
    """Return the page that sorts a reader's own keys, as HTML.

    Parameters
    ----------
    folder
        Where the page loads programs from: a folder beside it, which `write_films` fills. It then
        takes up to 65,536 keys. Without one, its programs stand in the page itself.
    most
        Without a folder: the most texels that are sorted, of four keys each.
    home
        The address of the first page of the site, to which the page then has a link.

    Examples
    --------
    >>> sort_page("films")[:15]
    '<!doctype html>'
    """
    texels = MOST_TEXELS if folder else most
    usual = {**USUAL, "count": min(USUAL["count"], CHANNELS * texels)}
    limits = {"name": "page", "most": CHANNELS * texels, "more": "ss.sort sorts more."}
    data = {
        "exported": exported(usual, limits, linked=True, home=bool(home)),
        "films": None if folder else films_in_page(most),
        "folder": folder,
    }
    way_home = f'<nav><a href="{escape(home)}">← shadersort</a></nav>\n' if home else ""
    body = f"{way_home}<header><h1>{TITLE}</h1><p>{LEDE}</p></header>\n<main></main>"
    return page(TITLE, body, SCRIPTS, data)


def exported(
    usual: Mapping[str, Any], limits: Mapping[str, Any], *, linked: bool, home: bool = False
) -> dict[str, Any]:
    """Return what the scripts need beside films.

    Parameters
    ----------
    usual
        What is shown first, as `USUAL`.
    limits
        What the page is called, the most keys it takes, and who takes more.
    linked
        Whether the address of the page restores what is seen.
    home
        Whether the page is on the site, so that it can lead to lessons.
    """
    return {
        "glsl": glsl_of(["quads.vert", "sources.frag", *SHADERS]),
        "probes": probes(),
        "look": look(sources=True),
        "names": {
            "networks": {name: told(build) for name, build in NETWORKS.items()},
            "methods": {name: told(COMPILED[name]) for name in METHODS},
        },
        "lessons": LESSONS if home else {},
        "usual": dict(usual),
        "limits": dict(limits),
        "linked": linked,
    }


def told(function: Callable[..., Any]) -> str:
    """Return the first line of a docstring.

    Examples
    --------
    >>> told(NETWORKS["bitonic"])
    'Bitonic sorting network, with every comparator pointing the same way.'
    """
    return (getdoc(function) or "").partition("\n")[0]


@cache
def films_in_page(most: int) -> str:
    """Return all films of up to `most` texels, packed."""
    return packed_data(dict(films(most)))


def write_films(folder: Path) -> None:
    """Write the programs that the page loads from a folder, and what is told of their passes.

    Each network, method and size is one file, so that a page loads only what it shows.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, film in films(MOST_TEXELS):
        text = json.dumps(film, separators=(",", ":"))
        (folder / f"{name}.js").write_text(f'loaded("{name}",{text});\n', encoding="utf-8")
