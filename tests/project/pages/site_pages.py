"""Pages as the standard library reads them: their anchors, their links, and what they load."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING = {"img": "src", "script": "src", "link": "href", "iframe": "src"}
"""Elements that load what they name."""


class PageReader(HTMLParser):
    """Collects the anchors of a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.frames = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        self.frames += tag == "iframe"
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        if found.get(LOADING.get(tag, "")):
            self.loads.add(found[LOADING[tag]])


class Pages:
    """All pages of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all = {
            path.relative_to(folder).as_posix(): PageReader(path.read_text(encoding="utf-8"))
            for path in folder.rglob("*.html")
        }

    def broken(self, page: str) -> list[str]:
        """Return the links of a page that lead nowhere inside the folder."""
        targets = self.all[page].links | self.all[page].loads
        return sorted(each for each in targets if self.inside(each) and not self.leads(page, each))

    @staticmethod
    def inside(target: str) -> bool:
        """Return whether a link is one to the same site."""
        return not urlsplit(target).scheme and not target.startswith("//")

    def leads(self, page: str, target: str) -> bool:
        """Return whether a link leads to a file, and to an anchor of it if it names one."""
        parts = urlsplit(target)
        path = self.folder / page
        if parts.path:
            path = (path.parent / unquote(parts.path)).resolve()
        if not path.is_file():
            return False
        name = path.relative_to(self.folder.resolve()).as_posix() if parts.path else page
        anchor = unquote(parts.fragment)
        return not anchor or name == "sort.html" or anchor in self.all[name].anchors
