"""The page that sorts a reader's own keys: what it shows, says and restores."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import shadersort as ss
from shadersort.drawing.networks import pbsn
from shadersort.web.sort_page import TITLE, sort_page, summary_line, write_films
from tests.built import built_once
from tests.web.browser import assert_accessible, quiet


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def build(folder: Path) -> None:
        write_films(folder / "films")
        (folder / "sort.html").write_text(sort_page("films"), encoding="utf-8")

    return built_once(tmp_path_factory, "sort-page", build)


@pytest.fixture
def page(site: Path) -> Iterator[Page]:
    """A page that does not play by itself."""
    with quiet(reduced_motion="reduce") as page:
        show(page, site)
        yield page


def show(page: Page, site: Path, place: str = "") -> None:
    page.goto("about:blank")
    page.goto(f"{(site / 'sort.html').as_uri()}#{place}")


def sorted_keys(page: Page) -> list[str]:
    words: str = page.get_by_label("Sorted keys").input_value()
    return words.split()


def test_it_plays_when_it_opens_unless_less_motion_is_wanted(page: Page, site: Path) -> None:
    expect(page.locator("h1")).to_have_text(TITLE)
    expect(page.locator(".play")).to_have_text("Play")
    page.emulate_media(reduced_motion="no-preference")
    show(page, site)
    expect(page.locator(".caption")).not_to_contain_text("pass 0 ")
    page.get_by_role("button", name="Pause").click()
    caption = page.locator(".caption").inner_text()
    page.wait_for_url(re.compile("&pass="))
    page.reload()
    expect(page.locator(".caption")).to_have_text(caption)
    expect(page.locator(".play")).to_have_text("Play")


def test_it_opens_with_a_sort(page: Page) -> None:
    expect(page.locator("h2").first).to_have_text(
        "pbsn by blend: 1,024 float32 keys, 16 × 16 texels"
    )
    expect(page.locator(".hints")).to_contain_text(f"pbsn: {summary_line(pbsn)} blend: ")
    expect(page.locator(".legend")).to_contain_text("keeps the minimum")
    expect(page.get_by_text("no key, but a place left over")).to_be_hidden()
    expect(page.locator(".caption")).to_have_text("pass 0 (last 191) · copy to frame")
    found = [float(word) for word in sorted_keys(page)]
    assert len(found) == 1024
    assert found == sorted(found)


def test_it_can_stand_alone(page: Page, tmp_path: Path) -> None:
    """Its films stand in it, packed, for fewer keys."""
    alone = tmp_path / "alone.html"
    alone.write_text(sort_page(), encoding="utf-8")
    assert alone.stat().st_size < 220_000
    page.goto(f"{alone.as_uri()}#count=4096&method=kipfer")
    expect(page.locator("h2").first).to_contain_text("4,096 float32 keys")
    page.get_by_label("How many keys").fill("4097")
    page.get_by_label("How many keys").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("from 1 to 4,096. ss.sort sorts more.")
    page.goto(f"{alone.as_uri()}#count=1024")
    expect(page.locator("h2").first).to_contain_text("1,024 float32 keys")
    expect(page.locator(".error")).to_be_empty()


def test_own_keys(page: Page) -> None:
    page.get_by_label("Keys", exact=True).select_option("my own keys")
    words = "3 nan -0.0 1e-40 inf 0.1 -inf 7 0"
    page.get_by_label("My own keys").fill(words)
    expect(page.locator("h2").first).to_contain_text("9 float32 keys")
    expected = ss.sort(np.array(words.split(), np.float32), device="software")
    found = np.array(sorted_keys(page), np.float32)
    assert found[:-1].tobytes() == expected[:-1].tobytes()
    assert np.isnan(found[-1])
    status = page.get_by_role("status")
    expect(status).to_contain_text("4 of the keys are set aside")
    expect(status).to_contain_text("1 NaN, 2 infinities (−Infinity, Infinity) and 1 denormal")
    expect(status).to_contain_text("1 key −0 is drawn as 0, and put back as −0.")
    expect(status).to_contain_text("3 places more than there are keys.")


def test_bad_keys_are_named_and_kept(page: Page) -> None:
    page.get_by_label("Keys", exact=True).select_option("my own keys")
    for words, said in (
        ("3 1 x", "line 1: “x” is not a number"),
        ("1\n2\n0x3", "line 3: “0x3” is not a number"),
        (" 1" * 65537, "These are 65,537 keys: the page sorts at most 65,536"),
    ):
        page.get_by_label("My own keys").fill(words)
        expect(page.get_by_role("alert")).to_contain_text(said)
        assert page.get_by_label("My own keys").input_value() == words
    page.get_by_label("My own keys").fill("2 1")
    expect(page.locator(".error")).to_be_empty()
    assert sorted_keys(page) == ["1", "2"]


def test_a_link_restores_what_is_seen(page: Page, site: Path) -> None:
    show(page, site, "keys=5 3 9 1 4&network=bitonic&method=kipfer&dtype=int32&pass=0&texel=0,1")
    expect(page.locator("h2").first).to_have_text("bitonic by kipfer: 5 int32 keys, 1 × 2 texels")
    first = page.locator(".texels").inner_text()
    assert "fill" in first  # five keys in the eight places of two texels
    expect(page.locator(".legend")).to_contain_text("no key, but a place left over")
    expect(page.get_by_role("status")).to_contain_text("3 places more than there are keys")
    shown = page.get_by_text("link to what you see")
    link = shown.get_attribute("href")
    assert link
    shown.click()
    expect(page.locator(".link")).to_contain_text(re.compile("The link is (copied|selected)"))
    assert page.get_by_label("The link").input_value() == page.url.partition("#")[0] + link
    assert page.evaluate("getSelection().toString()").endswith(link)
    show(page, site, link[1:])
    expect(page.locator("h2").first).to_have_text("bitonic by kipfer: 5 int32 keys, 1 × 2 texels")
    assert page.locator(".texels").inner_text() == first
    assert sorted_keys(page) == ["1", "3", "4", "5", "9"]


def test_keyboard(page: Page, site: Path) -> None:
    show(page, site, "count=64")
    caption = page.locator(".caption")
    expect(caption).to_contain_text("pass 0 ")
    page.locator("body").click(position={"x": 1, "y": 1})
    for key, shown in (("ArrowRight", "pass 1 "), ("End", "pass 47 "), ("ArrowLeft", "pass 46 ")):
        page.keyboard.press(key)
        expect(caption).to_contain_text(shown)
    page.keyboard.press("1")
    expect(page.get_by_role("radio").first).to_be_checked()
    page.get_by_label("red channel").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".texels tr").nth(1)).to_contain_text("itself")
    expect(caption).to_contain_text("pass 46 ")
    page.keyboard.press("Escape")
    expect(page.locator(".texels tr")).to_have_count(0)
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(caption).not_to_contain_text("pass 0 ")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_an_image(page: Page) -> None:
    page.get_by_label("Keys", exact=True).select_option("the pixels of an image")
    pixels = np.random.default_rng(0).integers(0, 256, (16, 16, 4), np.uint8)
    pixels[..., 3] = 255
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    image = page.get_by_label("An image")
    image.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": data.getvalue()})
    expect(page.get_by_text("all channels")).to_be_visible()
    expect(page.locator("h2").first).to_contain_text("1,024 float32 keys, 16 × 16 texels")
    assert [int(word) for word in sorted_keys(page)] == sorted(pixels.ravel().tolist())
    image.set_input_files({"name": "b.png", "mimeType": "image/png", "buffer": b"no image"})
    expect(page.get_by_role("alert")).to_contain_text("“b.png” is not an image")


def test_a_picture_is_there(page: Page, site: Path) -> None:
    show(page, site, "kind=scene&dtype=int32")
    expect(page.get_by_text("all channels")).to_be_visible()
    keys = [int(word) for word in sorted_keys(page)]
    assert keys == sorted(keys)
    assert len(set(keys)) > 100
    assert keys[-1] == 255


def test_a_lost_context(page: Page, site: Path) -> None:
    show(page, site, "keys=3 1 2 4 5&pass=1")
    expect(page.locator(".caption")).to_contain_text("pass 1 ")
    page.evaluate("main.sorter.gl.getExtension('WEBGL_lose_context').loseContext()")
    page.wait_for_function("!main.sorter.gl.isContextLost()")
    expect(page.locator(".caption")).to_contain_text("pass 1 ")
    page.get_by_label("My own keys").fill("2 1 0")
    expect(page.locator(".error")).to_be_empty()
    page.wait_for_function("document.querySelector('details textarea').value === '0 1 2'")


def test_it_is_accessible(page: Page, site: Path) -> None:
    show(page, site, "keys=3 1 2&texel=0,0")
    expect(page.locator("h2").first).to_be_visible()
    assert_accessible(page)
