"""The page on which two GPUs sort the same keys: what they leave, and what it says of them."""

import gzip
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

import shadersort as ss
from shadersort.drawing.networks import network
from shadersort.keys.types import Keys
from shadersort.names import NetworkName
from shadersort.web.export import pack_json
from shadersort.web.films import film_of
from shadersort.web.two_page import KEYS, NETWORKS, TITLE, network_steps, two_page
from tests.web.browser import assert_accessible, quiet

ADDRESS = "http://127.0.0.1/"
"""WebGPU is there for pages that come by https, or from this machine."""

TYPES = ("float32", "float16", "int32", "uint32")
WITHOUT = "Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined })"
READY = "['sorted', 'failed'].includes(document.body.dataset.state)"


@cache
def content(name: str) -> str:
    """Return a file of the site: a page, or the film of a network by a method."""
    if name.endswith(".html"):
        return two_page(None if name == "alone.html" else "films")
    film = name.removeprefix("films/").removesuffix(".js")
    network, method, texels = film.rsplit("-", 2)
    return f'addFilms("{pack_json({film: film_of(network, method, int(texels))})}");'  # type: ignore[arg-type]


@pytest.fixture
def page() -> Iterator[Page]:
    """A page with both GPUs, which does not play by itself; it asks for nothing from elsewhere."""

    def answer(route: Route) -> None:
        assert route.request.url.startswith(ADDRESS)
        name = route.request.url.removeprefix(ADDRESS).partition("#")[0] or "index.html"
        kind = "text/html" if name.endswith(".html") else "text/javascript"
        route.fulfill(body=content(name), content_type=f"{kind}; charset=utf-8")

    with quiet("WebGPU", reduced_motion="reduce") as page:
        page.route("**", answer)
        yield page


def show(page: Page, place: str = "", name: str = "") -> dict[str, str]:
    page.evaluate("delete document.body.dataset.state")  # the page may stay, and follow a link
    page.goto(f"{ADDRESS}{name}#{place}")
    return wait_until_sorted(page)


def wait_until_sorted(page: Page) -> dict[str, str]:
    """Return what the page says of itself when it has sorted."""
    page.wait_for_function(READY)
    said: dict[str, str] = page.evaluate("({ ...document.body.dataset })")
    return said


def digest(keys: Keys) -> str:
    return sha256(ss.sort(keys, method="fused", device="software").tobytes()).hexdigest()


def keys_of(page: Page, dtype: str) -> Keys:
    """Return the keys of a page, bit for bit."""
    bits = page.evaluate("Array.from(main.bits)")
    return np.array(bits, f"u{np.dtype(dtype).itemsize}").view(dtype)


def assert_sorted(page: Page, place: str, dtype: str, name: str = "") -> None:
    said = show(page, f"{place}&dtype={dtype}", name)
    expected = digest(keys_of(page, dtype))
    assert said == {"state": "sorted", "webgpu": "yes", "drawn": expected, "computed": expected}


def test_drawn_and_computed_are_what_python_sorts(page: Page) -> None:
    for dtype, place in (
        ("float32", "kind=hard&count=16&network=bitonic&method=fragment"),
        ("float16", "kind=hard&count=300&network=pbsn"),
        ("int32", "kind=random&count=4096&network=bitonic"),
        ("uint32", "kind=equal&count=64&network=pbsn"),
    ):
        assert_sorted(page, place, dtype, "alone.html")
    expect(page.locator(".verdict")).to_contain_text("the same, bit for bit: 64 keys, 256 bytes.")


@pytest.mark.parametrize(("name", "dtype"), list(product(NETWORKS, TYPES)))
def test_every_type_and_size(page: Page, name: str, dtype: str) -> None:
    for count, kind in ((1, "hard"), (2, "equal"), (65, "hard"), (2049, "few"), (65536, "hard")):
        assert_sorted(page, f"kind={kind}&count={count}&network={name}&method=fused", dtype)


def test_a_million_keys(page: Page) -> None:
    page.set_default_timeout(300_000)
    place = "kind=random&count=1048576&network=bitonic&method=fragment&dtype=uint32"
    assert_sorted(page, place, "uint32")


def test_three_keys_are_numbers_that_move(page: Page) -> None:
    show(page, "keys=3 1 2&pass=0")
    right = page.get_by_label("Computed", exact=True)
    expect(right.locator(".caption")).to_have_text("before step 1 of 4")
    assert page.evaluate("main.computed.states.length") == 5
    page.locator("body").click(position={"x": 1, "y": 1})
    for key, caption in (
        ("End", "step 4 of 4: blocks of 2"),
        ("ArrowLeft", "step 3 of 4: blocks of 4"),
    ):
        page.keyboard.press(key)
        expect(right.locator(".caption")).to_contain_text(caption)
    page.wait_for_url(re.compile("&pass=10"))
    page.reload()
    wait_until_sorted(page)
    expect(right.locator(".caption")).to_contain_text("step 3 of 4")
    assert page.get_by_label("Sorted keys").input_value() == "1 2 3"


def test_a_key_is_selected_by_its_rank(page: Page) -> None:
    show(page, "kind=hard&count=3000&dtype=float16&rank=2")
    selected = page.get_by_label("Selected", exact=True)
    expect(selected).to_contain_text("Rank 2 of 3,000 keys is")
    expect(selected).to_contain_text("The sort has the same key there.")
    bits = page.evaluate("bitsOfCode(main.run.select.code, 'float16')")
    ordered = ss.sort(keys_of(page, "float16"), method="fused", device="software")
    assert bits == ordered.view(np.uint16)[2]
    page.get_by_label("Rank, from 0").fill("3000")
    page.get_by_label("Rank, from 0").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("“3000” is not a rank of these keys")


def test_bad_keys_clear_what_was_sorted(page: Page) -> None:
    assert show(page)["state"] == "sorted"
    for words, sentence in (
        ("3 1 x", "line 1: “x” is not a number"),
        ("", "There are no keys: type at least one number."),
        ("1\n2\n0x3", "line 3: “0x3” is not a number"),
    ):
        page.get_by_label("My own keys").fill(words)
        said = wait_until_sorted(page)
        assert said == {"state": "failed", "webgpu": "yes"}
        expect(page.get_by_role("alert")).to_contain_text(sentence)
        expect(page.locator("canvas").first).to_be_hidden()
        assert page.get_by_label("Sorted keys").input_value() == ""
    page.get_by_label("My own keys").fill("2 1")
    assert wait_until_sorted(page)["state"] == "sorted"
    expect(page.locator(".verdict")).to_contain_text("2 keys, 8 bytes")


def test_without_webgpu_a_recorded_run_is_shown(page: Page) -> None:
    page.add_init_script(WITHOUT)
    said = show(page, "keys=3 1 2")
    expected = digest(np.array([3, 1, 2], np.float32))
    assert said == {"state": "sorted", "webgpu": "no", "drawn": expected}
    expect(page.locator(".verdict")).to_contain_text("This browser has no WebGPU")
    expect(page.locator(".verdict")).to_contain_text("a recorded run of other keys")
    expect(page.get_by_label("Computed", exact=True)).to_contain_text("Recorded on another machine")


def test_the_recorded_run_is_what_the_page_computes(page: Page) -> None:
    show(page)
    run = page.evaluate("({ ...main.run, states: main.run.states.map((s) => [...s]) })")
    recorded: dict[str, Any] = page.evaluate("main.recorded")
    assert [each["keys"] for each in recorded.pop("rows")] == [1 << 20] * 3 + [1 << 24] * 3
    for measured in ("name", "clock", "copies", "sort", "select"):
        assert run.pop(measured)
        assert recorded.pop(measured)
    assert run == recorded
    for state, keys in ((0, list(KEYS)), (-1, sorted(KEYS))):
        words = f"Array.from(recorded.states.at({state}), (code) => film.word(code))"
        script = f"(({{ recorded, computed: film }}) => {words})(main)"
        assert page.evaluate(script) == list(map(str, keys))


def test_the_page_is_small_and_accessible(page: Page) -> None:
    assert len(gzip.compress(content("index.html").encode())) < 120_000
    show(page)
    expect(page.locator("h1")).to_have_text(TITLE)
    assert_accessible(page)


@pytest.mark.parametrize("name", NETWORKS)
def test_steps_are_those_of_the_network(name: NetworkName) -> None:
    steps = network_steps(name, 64)
    wires = np.arange(64)
    for (half, mask), step in zip(steps, network(name, 64).steps, strict=True):
        low = wires[wires & half == 0]
        assert {*zip(low, low ^ mask, strict=True)} == {*zip(*step.comparators(64), strict=True)}
    with pytest.raises(ValueError, match="idle wires"):
        network_steps("odd-even-merge", 64)
