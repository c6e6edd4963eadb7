"""The pieces of the lessons: in notebooks after a picture, on the site without it, and at work."""

import json
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scripts.lessons.source import lessons
from tests.web.browser import quiet

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
    """In the column of the site, on a wide screen and on a narrow one."""
    for outputs in outputs_with_frames():
        tab.set_viewport_size({"width": 740, "height": 900})
        tab.set_content(f'<body style="margin: 0">{framed(outputs)}')
        frame = tab.locator("iframe").first.element_handle().content_frame()
        assert frame
        expect(frame.locator(":is(h1, h2)").first).to_be_visible()
        frame.wait_for_function(FITS)
        tab.set_viewport_size({"width": 350, "height": 900})
        frame.wait_for_function(FITS)
