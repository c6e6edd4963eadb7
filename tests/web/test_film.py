"""A sort that the browser draws, at any pass, in any order: textures, roles and captions."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import shadersort as ss
from shadersort import Device
from shadersort.drawing.compile import compile
from shadersort.drawing.networks import NETWORKS, network
from shadersort.drawing.passes import texture_size
from shadersort.names import DrawingMethod, NetworkName
from shadersort.web.films import METHODS, film_of
from shadersort.web.lines import ROOM, program_and_lines
from shadersort.web.pieces.sort import sort_piece
from tests.web.browser import DRIVERS, READ, quiet

SEEN = """
([film, texels, dtype]) => {
    const seen = new LiveFilm(main.sorter, film, FORMATS[dtype].array.from(texels), dtype);
    const all = Array.from({ length: seen.length }, (_, at) => at);
    const odd = all.filter((at) => at % 2), told = {};
    for (const at of [...odd, ...all.reverse()]) {
        const { source, before, after } = seen.textures(at), { role, partner } = seen.rolesOf(at);
        const arrays = [source, before, after, role, partner];
        const lists = arrays.map((each) => each && Array.from(each));
        told[at] = { lists, caption: seen.caption(at) };
    }
    seen.run.release();
    return JSON.stringify(told);
}
"""
TYPES = ("float32", "float16", "int32", "uint32")
WAYS = [
    (method, dtype) for method in METHODS for dtype in TYPES if method != "blend" or "f" in dtype
]
"""Methods and types; only floats blend."""


@pytest.fixture(scope="session", params=DRIVERS)
def executor(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that sorts, once for each driver."""
    with quiet(request.param, warnings=[READ]) as page:
        page.set_content(sort_piece().page)
        yield page


@pytest.mark.parametrize(("method", "dtype"), WAYS)
@pytest.mark.parametrize("name", NETWORKS)
def test_every_pass_in_any_order(
    executor: Page, name: NetworkName, method: DrawingMethod, dtype: str
) -> None:
    """Textures are those of the software device, bit for bit."""
    for texels in (1, 2, 8, 64):
        random = np.random.default_rng(texels)
        keys = (random.permutation(4 * texels) - 99 * (dtype != "uint32")).astype(dtype)
        keys[random.integers(len(keys), size=len(keys) // 4)] = keys[0]
        traced = ss.trace(keys, network=name, method=method, device="software")
        film = film_of(name, method, texels)
        assert_seen(json.loads(executor.evaluate(SEEN, [film, keys.tolist(), dtype])), traced)


def assert_seen(seen: Mapping[str, Any], traced: ss.Trace) -> None:
    assert len(seen) == len(traced)
    for each in traced:
        told = seen[str(each.index)]
        expected = [each.source, each.before, each.after, each.roles.role, each.roles.partner]
        for one, other in zip(told["lists"], expected, strict=True):
            assert (one is None) == (other is None)
            assert other is None or one == other.ravel().tolist()
        assert told["caption"] == each.caption


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NETWORKS)
def test_lines_are_those_that_made_the_pass(name: NetworkName, method: DrawingMethod) -> None:
    program, lines = program_and_lines(network(name, 16), *texture_size(16), method)
    assert program.passes == compile(network(name, 16), *texture_size(16), method).passes
    for each, some in zip(program.passes, lines, strict=True):
        texts = [
            next(ROOM.rglob(file)).read_text().splitlines()[number - 1] for file, number in some
        ]
        assert any("Pass(" in text for text in texts)
        assert any("Quad(" in text for text in texts)
        assert not each.blend or any(f'"{each.blend}"' in text for text in texts)


# the player of a sort that Python recorded


def test_places_left_over_are_marked(software: Device) -> None:
    with quiet() as page:
        for count, left_over in ((5, True), (8, False)):
            traced = ss.trace(np.arange(count, dtype=np.float32), device=software)
            page.goto("about:blank")
            page.set_content(traced.to_html())
            legend = page.get_by_text("no key, but a place left over")
            expect(legend).to_be_visible(visible=left_over)
            page.locator("canvas").nth(1).focus()
            for _ in range(2):
                page.keyboard.press("ArrowRight")
            words = page.locator(".texels td").all_inner_texts()
            assert ("fill" in words) == left_over
