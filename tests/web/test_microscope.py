"""The microscope of kernels: it judges as the lessons do, and shows what each step does."""

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from scripts.lessons.source import lessons, notebook
from shadersort.lessons.exercises import Exercise
from shadersort.lessons.exercises.kernels.examples import EXAMPLES
from shadersort.lessons.exercises.kernels.export import named_exercises
from shadersort.lessons.exercises.kernels.page import TITLE, kernels_page, microscope_piece
from tests.lessons.wrong_answers import WRONG
from tests.right_kernels import RIGHT, kernel_text, without_barrier
from tests.web.browser import assert_accessible, quiet
from tests.web.conftest import Open
from tests.web.test_two_page import ADDRESS, WITHOUT

NAMED = [*named_exercises()]


@cache
def content() -> str:
    return kernels_page({"index.html": "home"})


def names() -> list[str]:
    """What the page calls its kernels: the exercises first."""
    data = json.loads(content().split('id="data">')[1].split("</script>")[0])
    return [each["name"] for each in data["kernels"]]


@pytest.fixture
def page() -> Iterator[Page]:
    """The page; it asks for nothing from elsewhere."""

    def answer(route: Route) -> None:
        assert route.request.url == ADDRESS
        route.fulfill(body=content(), content_type="text/html; charset=utf-8")

    with quiet("WebGPU", viewport={"width": 1280, "height": 900}) as page:
        page.route("**", answer)
        yield page


def show(page: Page, name: str) -> None:
    page.goto(f"{ADDRESS}#kernel={name}")
    expect(page.get_by_label("Text of the kernel")).to_be_visible()


def run(page: Page, text: str) -> str:
    """Run a text; return the verdict."""
    page.get_by_label("Text of the kernel").fill(text)
    page.keyboard.press("Control+Enter")
    return page.locator(".verdict").inner_text()


def measure(page: Page) -> str:
    page.get_by_role("button", name="Run on this GPU").click()
    said = page.get_by_label("Memory").get_by_role("status")
    expect(said).not_to_contain_text("It runs")
    return said.inner_text()


def headline(exercise: Exercise, text: str) -> str:
    """What the notebook says, with no signs of code."""
    verdict = exercise.check(text)
    said = f"{verdict.headline.rstrip('.')}. {verdict.diagnosis}".strip()
    return said.replace("`", "").replace("?.", "?")


def test_a_kernel_is_solved_and_runs_on_a_gpu(page: Page) -> None:
    show(page, names()[0])
    expect(page.locator(".verdict")).to_contain_text("Not yet.")
    (name, exercise), *_ = NAMED
    assert run(page, RIGHT[exercise]) == f"{name}: right, in all 7 cases."
    assert "which is software, gives the same result" in measure(page)


@pytest.mark.parametrize("at", range(len(NAMED)), ids=[name for name, _ in NAMED])
def test_the_verdict_is_that_of_the_notebook(page: Page, at: int) -> None:
    _, exercise = NAMED[at]
    right = RIGHT[exercise]
    wrong = [
        kernel_text(exercise, each)
        for answer, some in WRONG.items()
        if answer.endswith(f".{exercise.name}")
        for each in some
        if isinstance(each, str) and (exercise.name != "by_kernel" or " ->" not in each)
    ]
    show(page, names()[at])
    for text in (right, without_barrier(right, 0), right.replace("{", "{ int x = ;", 1), *wrong):
        assert run(page, text) == headline(exercise, text)
    run(page, right)
    assert "gives the same result" in measure(page)


def test_texts_are_those_of_the_notebooks_and_no_solution_is_there() -> None:
    cells = [each.source for lesson in lessons()[1:] for each in notebook(lesson, "student").cells]
    given = {each.strip() for cell in cells for each in re.findall(r'"""(.*?)"""', cell, re.S)}
    for _, exercise in NAMED:
        runner: Any = exercise.runner
        assert exercise.asks
        assert runner.text.strip() in given
        assert json.dumps(RIGHT[exercise].strip())[1:-1] not in content()


REPLAYED = """
() => Object.values(main.runs).every((run) => {
    main.memory.load(main.found.kernel, main.launch, run, false);
    const { result } = main.memory.replay(run.instructions.length - 1);
    return run.complete && String(result) === String(run.result);
})
"""


@pytest.mark.parametrize("name", [each.name for each in EXAMPLES])
def test_an_example_is_shown_to_its_end(page: Page, name: str) -> None:
    show(page, name)
    assert page.evaluate(REPLAYED)
    if name == "example: a race":
        expect(page.locator(".verdict")).to_contain_text(
            "line 6, thread 0 of block 0: it reads place 63 of row"
        )
        expect(page.get_by_role("button", name="Run on this GPU")).to_be_disabled()
    else:
        expect(page.locator(".verdict")).to_have_text("No fault, in four orders of its threads.")
        assert re.search(r"gives the same result: .* billion keys a second\.$", measure(page))


def test_each_step_says_what_it_costs(page: Page) -> None:
    show(page, "example: a stride")
    page.locator("h1").click()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    caption = page.locator(".caption")
    for part in ("line 4 · block 0, warp 0: 32 of 32 lanes", "keys: 32 sectors, where 4 could"):
        expect(caption).to_contain_text(part)
    assert page.locator(".lanes tr").nth(2).inner_text().split("\t")[1].startswith("keys[8] = ")
    assert page.locator("[aria-label=keys] .read").count() == 32
    assert page.locator("[aria-label=result] .write").count() == 32
    assert page.locator("textarea.lit").get_attribute("style") == "--lit-line: 4;"
    costs = page.locator("[aria-label='What each line costs'] tr").all_inner_texts()
    assert costs[-1].split("\t") == ["all", "48", "100 %", "576 (128)", ""]
    show(page, "example: bank conflicts")
    page.keyboard.press("End")
    expect(caption).to_contain_text("read tile: 32 different words of one bank")


def test_a_fault_leads_to_its_step(page: Page) -> None:
    show(page, "example: a race")
    page.get_by_role("button", name="Line 6").last.click()
    expect(page.get_by_role("radio", name="thread by thread")).to_be_checked()
    expect(page.locator(".caption")).to_contain_text(re.compile("line 6 · thread .* of block 0"))
    verdict = run(page, "void kernel() { if (thread < 5) barrier(); result[n + thread] = 1; }")
    assert "to which not all threads of the block come" in verdict
    verdict = run(page, "void kernel() { result[n + thread] = 1; }")
    assert "it uses place 128 of result, where result has no such place" in verdict


def test_webgpu_says_what_it_refuses(page: Page) -> None:
    show(page, "example: a scan")
    turns = "for (int i = 0; i < most; ++i) barrier();"
    run(page, f"shared int most; void kernel() {{ most = 3; barrier(); {turns} }}")
    assert "WebGPU refuses this kernel: 'workgroupBarrier' must only be called" in measure(page)
    run(page, "shared int a[12288]; void kernel() { a[thread] = 3; }")
    assert "WebGPU refuses this kernel" in measure(page)


def test_texts_are_kept_and_can_be_restored(page: Page) -> None:
    show(page, "example: a scan")
    run(page, "void kernel() { }")
    page.get_by_label("Kernel", exact=True).select_option("example: a race")
    page.get_by_label("Kernel", exact=True).select_option("example: a scan")
    text = page.get_by_label("Text of the kernel")
    expect(text).to_have_value("void kernel() { }")
    page.get_by_role("button", name="Restore").click()
    expect(text).to_have_value(next(each.text for each in EXAMPLES if "scan" in each.name))


def test_without_webgpu_it_says_so(page: Page) -> None:
    page.add_init_script(WITHOUT)
    show(page, "example: neighbours")
    said = "This browser has no WebGPU, or it is switched off. So this kernel runs in the simulator"
    assert said in measure(page)
    expect(page.locator(".caption")).to_contain_text("line 2")


def test_the_page_is_small_and_accessible(page: Page) -> None:
    assert len(gzip.compress(content().encode())) < 120_000
    show(page, "example: a race")
    expect(page.locator("h1")).to_have_text(TITLE)
    assert_accessible(page)
    show(page, names()[4])
    run(page, RIGHT[NAMED[4][1]])
    assert_accessible(page)


def test_a_piece_stands_alone(opened: Open) -> None:
    text = "void kernel() { result[block] = keys[thread] + more; }"
    piece = microscope_piece(text, [1, 2], result=[0, 0], blocks=2, threads=2, numbers={"more": 7})
    page = opened(piece)
    expect(page.locator(".verdict")).to_contain_text("it uses result, and another thread changes")
    assert_accessible(page)
    page = opened(NAMED[1][1].piece())
    expect(page.locator(".verdict")).to_contain_text("Not yet.")
    assert_accessible(page)
