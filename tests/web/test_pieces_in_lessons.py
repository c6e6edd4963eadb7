"""The pieces of the lessons: in notebooks after a picture, on the site without it, and at work."""

import json
from collections.abc import Iterator
from html import unescape
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scripts.lessons.source import lessons
from scripts.site.lessons import HEIGHTS
from tests.web.browser import quiet

PATIENCE = 50
"""How many times the height of a frame is read, until it is the known one."""

FITS = """
() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    return scrollWidth <= clientWidth && scrollHeight === clientHeight && clientHeight === height;
}
"""


def html_of(output: dict[str, Any]) -> str:
    return "".join(output.get("data", {}).get("text/html", ""))


def framed(outputs: list[dict[str, Any]]) -> str:
    """The frame among outputs, or nothing."""
    texts = map(html_of, outputs)
    return next((text for text in texts if text.startswith("<iframe")), "")


def outputs_with_frames() -> Iterator[list[dict[str, Any]]]:
    for lesson in lessons():
        for cell in json.loads(lesson.path("student").read_text(encoding="utf-8"))["cells"]:
            if framed(cell.get("outputs", [])):
                yield cell["outputs"]


def test_a_notebook_has_a_picture_and_then_the_frame() -> None:
    """Or a question in the frame, and then the answer."""
    pieces = 0
    for one, two in outputs_with_frames():
        if framed([one]):
            assert html_of(two).startswith("<details><summary>The answer")
            title = unescape(framed([one]).split('title="')[1].split('"')[0])
            assert title in "".join(two["data"]["text/plain"])
        else:
            pieces += 1
            assert set(one["data"]) == {"image/png", "text/plain"}
            assert one["metadata"]["image/png"]["alt"]
    assert pieces == 19


@pytest.fixture
def tab() -> Iterator[Page]:
    """A page with a column as wide as that of the site."""
    with quiet("SwiftShader") as page:
        yield page


def test_every_frame_works_and_is_as_high_as_its_page(tab: Page) -> None:
    """In the column of the site, on a wide screen and on a narrow one; the site knew it before."""
    found: dict[str, list[int]] = {}
    for outputs, (place, width) in product(outputs_with_frames(), enumerate((736, 358))):
        tab.set_viewport_size({"width": width, "height": 900})
        tab.set_content(f'<body style="margin: 0">{framed(outputs)}')
        element = tab.locator("iframe").first
        frame = element.element_handle().content_frame()
        assert frame
        expect(frame.locator(":is(h1, h2)").first).to_be_visible()
        title = element.get_attribute("title") or ""
        for _ in range(PATIENCE):
            frame.wait_for_function(FITS)
            height = element.evaluate("frame => frame.clientHeight")
            if near([height], [HEIGHTS.get(title, [0, 0])[place]]):
                break
            tab.wait_for_timeout(100)  # a shader may not have drawn yet
        found.setdefault(title, []).append(height)
    known = {title: HEIGHTS.get(title, [0, 0]) for title in found}
    far = {title: some for title, some in found.items() if not near(some, known[title])}
    assert far == {}, "write these heights into site/frames.json"
    assert known.keys() == HEIGHTS.keys()


def near(some: list[int], others: list[int]) -> bool:
    """Fonts differ from machine to machine."""
    return all(abs(one - other) <= 60 for one, other in zip(some, others, strict=True))
