"""The pieces of the lessons: in notebooks after a picture, on the site without it, and at work."""

import json
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from scripts.lessons.source import Lesson, lessons
from tests.web.browser import quiet

PIECES = {
    "01-drawing": [
        *("Drag a quad over a texture", "Edit the shader copy.frag"),
        *("Write the function turned", "Write the function kept_smaller"),
    ],
    "02-networks": ["Build a sorting network"],
    "03-by-drawing": [
        "Sort your own keys by drawing",
        *("Write the function mirror_step", "Write the function directed_step"),
    ],
    "04-four-sorts": [
        *("Write the function channel_pairs", "Write the function sorted_texel"),
        "Write the function one_list",
    ],
    "06-ladder": ["Write the function largest_of_four", "Write the function counts_of_texel"],
    "08-frequent": ["A stream, poured into lossy counting"],
    "10-median": ["Houses on a street: cutting planes find the one in the middle"],
    "15-line": ["Drag a point: which line follows it?"],
}
every_lesson = pytest.mark.parametrize("lesson", lessons()[1:], ids=lambda lesson: lesson.name)


def notebook_of(lesson: Lesson) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(lesson.path("student").read_text(encoding="utf-8"))
    return found


def framed(outputs: list[dict[str, Any]]) -> str:
    """The frame among outputs, or nothing."""
    texts = ("".join(each.get("data", {}).get("text/html", "")) for each in outputs)
    return next((text for text in texts if text.startswith("<iframe")), "")


def cells_with_frames(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    outputs = (cell.get("outputs", []) for cell in notebook["cells"])
    return [each for each in outputs if framed(each)]


def answered(outputs: list[dict[str, Any]]) -> bool:
    """Whether a frame asks for a guess: then the answer is below it."""
    return framed(outputs[:1]) != ""


@every_lesson
def test_a_notebook_has_a_picture_and_then_the_frame(lesson: Lesson) -> None:
    """Or a question in the frame, and then the answer."""
    student = cells_with_frames(notebook_of(lesson))
    titles = [title_of(each) for each in student if not answered(each)]
    assert titles == PIECES.get(lesson.name, [])
    for outputs in student:
        if answered(outputs):
            (answer,) = outputs[1:]
            assert "".join(answer["data"]["text/html"]).startswith("<details><summary>The answer")
            assert title_of(outputs) in "".join(answer["data"]["text/plain"])
        else:
            still, frame = outputs
            assert set(still["data"]) == {"image/png", "text/plain"}
            assert still["metadata"]["image/png"]["alt"]
            assert "text/html" in frame["data"]


def title_of(outputs: list[dict[str, Any]]) -> str:
    return unescape(framed(outputs).split('title="')[1].split('"')[0])


@pytest.fixture
def tab() -> Iterator[Page]:
    """A page with a column as wide as that of the site."""
    with quiet("SwiftShader") as page:
        yield page


def frame_of(tab: Page) -> Frame:
    """The first frame that the page has now: `frames` may still have the one before."""
    frame = tab.locator("iframe").first.element_handle().content_frame()
    assert frame
    return frame


def test_every_frame_works_and_is_as_high_as_its_page(tab: Page) -> None:
    """In the column of the site, on a wide screen and on a narrow one."""
    for lesson in lessons():
        for outputs in cells_with_frames(notebook_of(lesson)):
            tab.set_viewport_size({"width": 740, "height": 900})
            tab.set_content(f'<body style="margin: 0">{framed(outputs)}')
            frame = frame_of(tab)
            expect(frame.locator("main :is(h1, h2)").first).to_be_visible()
            frame.wait_for_function(FITS)
            tab.set_viewport_size({"width": 350, "height": 900})
            frame.wait_for_function(FITS)


FITS = """
() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    return scrollWidth <= clientWidth && scrollHeight === clientHeight && clientHeight === height;
}
"""


def shown(tab: Page, name: str) -> Frame:
    """The first frame of a lesson that asks for no guess."""
    (lesson,) = (each for each in lessons() if each.name == name)
    cells = cells_with_frames(notebook_of(lesson))
    tab.set_viewport_size({"width": 740, "height": 1500})
    tab.set_content(framed(next(each for each in cells if not answered(each))))
    frame = frame_of(tab)
    frame.wait_for_function(FITS)
    return frame


def test_lesson_1_says_what_to_press_for_a_comparison(tab: Page) -> None:
    frame = shown(tab, "01-drawing")
    keys = frame.locator(".grid").nth(0).locator("text").all_text_contents()[:16]
    for name in ("MIN of the first half", "Draw the next quad over this", "MAX of the second half"):
        frame.get_by_role("button", name=name).click()
    pairs = [sorted((int(keys[i]), int(keys[15 - i]))) for i in range(8)]
    expected = [str(low) for low, _ in pairs] + [str(high) for _, high in reversed(pairs)]
    assert frame.locator(".grid").nth(2).locator("text").all_text_contents()[:16] == expected
