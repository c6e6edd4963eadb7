"""The site: built without a warning, complete, small, reachable, and alone."""

import json
import re
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

import pytest
from playwright.sync_api import Page, expect

import modern
import shadersort
import shadersort.streams
from scripts.site.__main__ import build
from tests.built import built_once
from tests.web.browser import quiet, violations

pytestmark = pytest.mark.slow

KINDS = {
    "first": "index.html",
    "contents": "contents.html",
    "lesson": "notebooks/03-by-drawing.html",
    "tables": "notebooks/10-median.html",
    "report": "docs/reproduced-beliakov-2011.html",
    "reference": "api/modern.html",
    "class": "api/streams/QuantileSummary.html",
    "search": "search.html?q=pbsn",
    "sort": "sort.html",
}
"""A page of each kind."""

FEWER = """
const seen = {};
for (const word of document.querySelectorAll(".highlight span[class]:not(:has(span))")) {
    seen[word.className] = (seen[word.className] ?? 0) + 1;
    if (seen[word.className] > 3) word.replaceWith(word.textContent);
}
document.querySelectorAll("tbody tr:nth-child(n + 4)").forEach((row) => row.remove());
[...document.querySelectorAll("table")].slice(4).forEach((table) => table.remove());
[...document.querySelectorAll("section section")].slice(9).forEach((part) => part.remove());
"""
"""The first words of a colour, rows, tables and sections stand for all: a page takes 10 s else."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site."""
    folder = built_once(
        tmp_path_factory, "site", lambda folder: build(folder / "site", folder / "work")
    )
    return folder / "site"


LOADING = {"img": "src", "script": "src", "link": "href", "iframe": "src"}
"""Elements that load what they name."""


class PageReader(HTMLParser):
    """Collects the anchors of a page, its links, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors, self.links, self.loads = set[str](), set[str](), set[str]()
        self.frames = self.films = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        self.frames += tag == "iframe"
        self.films += found.get("class") == "film"
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        if LOADING.get(tag) in found:
            self.loads.add(found[LOADING[tag]])


Pages = dict[str, PageReader]


@pytest.fixture(scope="session")
def pages(site: Path) -> Pages:
    """All pages of our own, without those of JupyterLite."""
    own = [path for path in site.rglob("*.html") if site / "lite" not in path.parents]
    return {path.relative_to(site).as_posix(): PageReader(path) for path in own}


@pytest.fixture
def page() -> Iterator[Page]:
    """A page that asks for nothing but files of the site."""
    with quiet(accept_downloads=False) as page:
        asked: list[str] = []
        page.route(re.compile("^(?!file:|data:|blob:|about:)"), lambda route: route.abort())
        page.on("request", lambda request: asked.append(request.url))
        yield page
        assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def opened(page: Page, site: Path, kind: str) -> None:
    page.goto(f"{site.as_uri()}/{KINDS[kind]}")
    expect(page.locator("h1, h2").first).to_be_visible()


def test_links_lead_somewhere(pages: Pages, site: Path) -> None:
    """Nothing is loaded from elsewhere; links inside the site lead to files and their anchors."""
    assert len(pages) > 60
    broken = []
    for name, page in pages.items():
        for target in page.links | page.loads:
            parts = urlsplit(target)
            if parts.netloc or parts.scheme:
                elsewhere = target in page.loads and parts.scheme != "data"
                broken += [(name, target)] if elsewhere else []
                continue
            path = (site / name).parent / unquote(parts.path) if parts.path else site / name
            there = path.resolve().relative_to(site.resolve()).as_posix()
            anchors = pages[there].anchors if there in pages else set()
            known = there == "sort.html" or unquote(parts.fragment) in {"", *anchors}
            broken += [] if known and path.is_file() else [(name, target)]
    assert broken == []


def test_it_is_small(page: Page, site: Path) -> None:
    sizes = {True: 0, False: 0}
    for path in site.rglob("*"):
        sizes[site / "lite" in path.parents] += path.stat().st_size if path.is_file() else 0
    assert sizes[False] < 25_000_000
    assert sizes[True] < 30_000_000, "JupyterLite"
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, site, "contents")
    page.wait_for_load_state("networkidle")
    files = {url2pathname(urlsplit(url).path) for url in asked}
    assert len(files) > 5
    assert sum(Path(path).stat().st_size for path in files) < 300_000


def test_every_public_name_has_its_place(pages: Pages) -> None:
    anchors = set[str]().union(*(pages[name].anchors for name in pages if "api/" in name))
    streams = [name for name in shadersort.streams.__all__ if name not in shadersort.__all__]
    for package, names in (
        *(("shadersort", shadersort.__all__), ("modern", modern.__all__)),
        ("shadersort.streams", streams),
    ):
        assert {f"{package}.{name}" for name in names} <= anchors
    assert "shadersort.QuantileSummary.update" in anchors  # inherited


def test_every_lesson_and_document_has_its_page(pages: Pages) -> None:
    root = Path(__file__).parents[3]
    lessons = [path.relative_to(root) for path in (root / "notebooks").glob("[0-9i]*.ipynb")]
    documents = [path.relative_to(root) for path in (root / "docs").glob("*.md")]
    expected = {path.with_suffix(".html").as_posix() for path in (*lessons, *documents)}
    assert len(expected) > 30
    assert expected <= set(pages)
    assert not [name for name in pages if "/solutions/" in name], "they are for teachers"


def test_lessons_have_their_pictures(pages: Pages) -> None:
    for name, page in pages.items():
        if re.match(r"notebooks/\d", name):
            pictures = [each for each in page.loads if each.endswith(".png")]
            assert len(pictures) + page.frames + page.films >= 3, name


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_accessible_and_alone(page: Page, site: Path, kind: str) -> None:
    opened(page, site, kind)
    page.evaluate(FEWER)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # what is loaded late is loaded
    assert violations(page, ("serious", "critical")) == []


def test_search(page: Page, site: Path) -> None:
    opened(page, site, "contents")
    page.get_by_label("Search").or_(page.get_by_placeholder("Search")).first.fill("PBSN")
    page.keyboard.press("Enter")
    results = page.locator("ul.search a")
    expect(results.filter(has_text="2 · Sorting without branches").first).to_be_visible()
    found = results.evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert [link for link in found if "solutions/" in link] == []
    expect(results.filter(has_text="The papers, reproduced").first).to_be_visible()
    expect(page.get_by_text("These pages were opened as files")).to_be_visible()
    page.goto(f"{site.as_uri()}/search.html?q=median")
    expect(results.first).to_have_text("10 · The median as a minimum")


def test_excerpts_of_the_search_show_no_hints(page: Page, site: Path) -> None:
    opened(page, site, "search")
    lesson = (site / KINDS["lesson"]).read_text(encoding="utf-8")
    assert "Hint 1" in lesson
    assert "Hint 1" not in page.evaluate("(lesson) => Search.htmlToText(lesson, null)", lesson)


def test_a_film_stands_still_until_the_reader_moves_it(page: Page, site: Path) -> None:
    page.goto(f"{site.as_uri()}/notebooks/02-networks.html")
    film = page.locator(".film").first
    slider, place = film.get_by_role("slider", name="Frame"), "image => image.style.transform"
    assert film.locator("img").evaluate(place) == "translateY(0%)"
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "2 of 4")
    assert film.locator("img").evaluate(place) == "translateY(-25%)"
    film.get_by_role("button", name="Play").click()
    expect(slider).to_have_attribute("aria-valuetext", "4 of 4")
    expect(film.get_by_role("button", name="Play")).to_be_visible()
    page.emulate_media(reduced_motion="reduce")
    expect(film.get_by_role("button")).to_be_hidden()


FAR = """
() => {
    const before = scrollY;
    document.querySelector(":target").scrollIntoView({ behavior: "instant" });
    return Math.abs(scrollY - before);
}
"""
"""By how many pixels the place of the link has been missed."""

DEEP = {
    "notebooks/01-drawing.html": ("your-turn", "what-to-remember"),
    "notebooks/03-by-drawing.html": ("your-turn", "what-to-remember"),
    "notebooks/04-four-sorts.html": ("what-to-remember",),
    "notebooks/10-median.html": ("one-outlier", "what-it-costs"),
}


@pytest.mark.parametrize("width", [1280, 390])
def test_links_land_where_they_lead(site: Path, width: int) -> None:
    for name, anchors in DEEP.items():
        for anchor in anchors:
            with quiet(viewport={"width": width, "height": 900}) as page:
                page.goto(f"{site.as_uri()}/{name}#{anchor}")
                page.wait_for_timeout(2000)  # frames that come into view load late
                assert page.evaluate(FAR) <= 5, (name, anchor)


def test_every_lesson_runs_in_the_browser(site: Path, pages: Pages) -> None:
    """JupyterLite opens, and lists what the pages of the lessons lead to; no Pyodide is fetched."""
    names = sorted(path.name for path in (Path(__file__).parents[3] / "notebooks").glob("*.ipynb"))
    for name in names:
        page = pages[f"notebooks/{name.replace('.ipynb', '.html')}"]
        assert {f"../lite/lab/index.html?path={name}", f"../lite/files/{name}"} <= page.links
        first = json.loads((site / "lite" / "files" / name).read_text())["cells"][0]["source"]
        assert 'if sys.platform == "emscripten":\n    %pip install' in first
    index = json.loads((site / "lite" / "pypi" / "all.json").read_text())
    assert {"shadersort", "comm", "ipywidgets", "jupyterlab-widgets"} == set(index)
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, quiet(warnings=("",)) as tab:
        Thread(target=server.serve_forever, daemon=True).start()
        here = f"http://127.0.0.1:{server.server_port}/"
        tab.route(re.compile(f"^(?!{re.escape(here)})"), lambda route: route.abort())
        tab.goto(f"{here}lite/lab/index.html?path={names[0]}")
        expect(tab.locator(".jp-DirListing-itemText")).to_have_text(names)
        expect(tab.locator(".jp-Notebook h1")).to_contain_text("A GPU that can only draw")
        server.shutdown()


def test_from_the_first_page_to_a_sort_and_back(page: Page, site: Path) -> None:
    opened(page, site, "first")
    page.get_by_role("link", name="Sort your own keys by drawing").click()
    expect(page.locator(".caption")).to_contain_text(re.compile(r"pass [0-9]+ "))
    page.get_by_role("link", name="shadersort").click()
    expect(page.locator("h1")).to_contain_text("Two GPUs, your keys")
    opened(page, site, "lesson")
    page.get_by_role("link", name="Sort your own keys by drawing").click()
    expect(page.locator(".caption")).to_contain_text(re.compile(r"pass [0-9]+ "))
