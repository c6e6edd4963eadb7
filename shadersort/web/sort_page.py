"""The page on which readers sort their own keys, and the films that it loads."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from inspect import getdoc
from itertools import product
from pathlib import Path
from typing import Any

from shadersort.drawing.compile import METHODS as COMPILED
from shadersort.drawing.networks import NETWORKS
from shadersort.drawing.passes import CHANNELS
from shadersort.web.export import SHADERS, glsl_sources, look, pack_json, sources
from shadersort.web.films import METHODS, film_of
from shadersort.web.page import NO_LINKS, page

TITLE = "Sort your own keys by drawing"

LEDE = (
    "A texel of a texture holds four keys: its red, green, blue and alpha. A graphics card of 2005 "
    "could only draw, so it sorted like this: each pass draws quads over the texture, which keep "
    "the smaller or the larger of two keys. Here your browser draws the same passes, by the "
    "shaders of shadersort."
)

MOST_TEXELS = 1 << 14  # of a page: 2**16 keys
FEW_TEXELS = 1 << 10  # of a page that stands alone: 4,096 keys

USUAL: Mapping[str, Any] = {
    "kind": "random",
    "count": 1024,
    "seed": 1,
    "network": "pbsn",
    "method": "blend",
    "dtype": "float32",
    "keys": None,
}
"""What the page shows first; `keys` are those of the kind "own", encoded."""

LESSONS = {
    "notebooks/01-drawing.html": "Lesson 1: a GPU that can only draw",
    "notebooks/02-networks.html": "Lesson 2: the networks",
    "notebooks/04-four-sorts.html": "Lesson 4: the methods",
}
"""Where the site has more about what the page offers."""

SCRIPTS = (
    *("page/player.js", "page/link.js"),
    *("gpu/executor.js", "gpu/keys.js", "gpu/sorter.js"),
    *("sort/film.js", "sort/films.js", "sort/panels.js", "sort/pass_view.js"),
    "sort/sort_page.js",
)


def films(most: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield films by their names: every network by every method, with up to `most` texels."""
    sizes = [1 << power for power in range(most.bit_length())]
    for network, method, texels in product(NETWORKS, METHODS, sizes):
        yield f"{network}-{method}-{texels}", film_of(network, method, texels)


def sort_page(folder: str | None = None, *, links: Mapping[str, str] = NO_LINKS) -> str:
    """Return the page that sorts a reader's own keys, as HTML.

    It loads its programs from a `folder` beside it, which `write_films` fills, and takes up to
    65,536 keys; without a folder its programs stand in the page itself, and it takes 4,096.
    `links` are addresses of other pages of the site, with their names.
    """
    keys = CHANNELS * (MOST_TEXELS if folder else FEW_TEXELS)
    limits = {"name": "page", "most": keys, "more": "ss.sort sorts more."}
    data = page_data(USUAL, limits, folder, links)
    return page(TITLE, SCRIPTS, data, "SortPage", lede=LEDE, links=links)


def page_data(
    usual: Mapping[str, Any],
    limits: Mapping[str, Any],
    folder: str | None = None,
    links: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return what the scripts need.

    `usual` is what is shown first; `limits` are the name of the page, the most keys that it takes,
    and who takes more. Without `links` the page is a piece, whose address restores nothing.
    """
    return {
        "glsl": glsl_sources(["quads.vert", "sources.frag", *SHADERS]),
        "look": look() | {"files": sources()},
        "names": {
            "networks": {name: summary_line(build) for name, build in NETWORKS.items()},
            "methods": {name: summary_line(COMPILED[name]) for name in METHODS},
        },
        "usual": dict(usual),
        "limits": dict(limits),
        "films": None if folder else films_in_page(),
        "folder": folder,
        "linked": links is not None,
        "lessons": LESSONS if links else {},
    }


def summary_line(function: Callable[..., Any]) -> str:
    """Return the first line of a docstring."""
    return (getdoc(function) or "").partition("\n")[0]


@cache
def films_in_page() -> str:
    """Return all films of a page that stands alone, packed."""
    return pack_json(dict(films(FEW_TEXELS)))


def write_films(folder: Path, most: int = MOST_TEXELS) -> None:
    """Write the films that the page loads from a folder: a file each, so that it loads few."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, film in films(most):
        (folder / f"{name}.js").write_text(f'addFilms("{pack_json({name: film})}");\n')
