"""The player of a sort that Python recorded, in a browser."""

import numpy as np
from playwright.sync_api import expect

import shadersort as ss
from shadersort import Device
from tests.web.browser import quiet


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
