"""Prints the lines of each room beside its budget, and every break of the rules of size.

    make size

`[tool.shadersort.size]` in pyproject.toml has the budgets and the exceptions. Both only go down:
lower them when a room shrinks. `tests/project/test_size.py` fails where a room is over its budget,
where a rule is broken without an exception, and where an exception is larger than necessary.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CODE = {".py", ".cu", ".cuh", ".js", ".css", ".glsl", ".frag", ".vert", ".comp", ".wgsl"}
FOLDERS = "shadersort", "modern", "shaders", "tests", "bench", "scripts", "site"
PRODUCT = "shadersort/", "modern/", "shaders/"
MOST_LINES = 300
MOST_FILES = 12
MOST_FILES_IN = {"shadersort": 8, "modern/kernels": 1, "shaders": 30} | {
    f"modern/kernels/{folder}": 20
    for folder in ("shared", "one_read", "papers", "pieces", "rows", "sorting", "streams")
}
MOST_ROOMS = 13


@dataclass(frozen=True)
class Tree:
    """The lines of every code file by its path, and how many classes have each public name."""

    lines: dict[str, int]
    classes: dict[str, int]

    @classmethod
    def read(cls, root: Path = ROOT) -> "Tree":
        """Read the code files below a folder."""
        lines: dict[str, int] = {}
        classes: Counter[str] = Counter()
        for path in (path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))):
            if path.suffix in CODE and "__pycache__" not in path.parts:
                name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
                lines[name] = len(text.splitlines())
                if path.suffix == ".py" and name.startswith(PRODUCT):
                    classes.update(re.findall(r"^class ([A-Z]\w*)", text, re.MULTILINE))
        return cls(lines, classes)

    def room_lines(self, rooms: dict[str, int]) -> dict[str, int]:
        """Return the lines of each room; a file belongs to the innermost room around it."""
        found = dict.fromkeys(rooms, 0)
        for name, lines in self.lines.items():
            around = [room for room in rooms if name.startswith(f"{room}/")]
            if around:
                found[max(around, key=len)] += lines
        return found

    def product_lines(self) -> int:
        """Return the lines of what a user installs."""
        return sum(lines for name, lines in self.lines.items() if name.startswith(PRODUCT))


def settings(root: Path = ROOT) -> dict[str, Any]:
    """Return the table of budgets and exceptions."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)["tool"]["shadersort"]["size"]
    return table


def breaks(tree: Tree, table: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each budget and each rule that does not hold."""
    for room, lines in tree.room_lines(table["rooms"]).items():
        if lines > table["rooms"][room]:
            yield f"{room}: {lines} lines, over its budget of {table['rooms'][room]}"
    files = Counter(name.rpartition("/")[0] for name in tree.lines)
    over = {
        "folders": {
            each: n for each, n in files.items() if n > MOST_FILES_IN.get(each, MOST_FILES)
        },
        "files": {each: n for each, n in tree.lines.items() if n > MOST_LINES},
        "classes": {each: n for each, n in tree.classes.items() if n > 1},
    }
    for rule, found in over.items():
        for name in sorted(found.keys() | table[rule].keys()):
            have, allowed = found.get(name, 0), table[rule].get(name, 0)
            if have > allowed:
                yield f"{name}: {have}, more than the rule of {rule} allows"
            elif have < allowed:
                yield f"{name}: {have or 'within the rule'}; lower its exception of {allowed}"
    rooms = {name.split("/")[1] for name in tree.lines if re.match(r"shadersort/\w+/", name)}
    if len(rooms) > MOST_ROOMS:
        yield f"shadersort has {len(rooms)} rooms, more than {MOST_ROOMS}"


def main() -> int:
    """Print the table; return 1 if anything does not hold."""
    tree, table = Tree.read(), settings()
    lines = tree.room_lines(table["rooms"])
    for room, budget in table["rooms"].items():
        print(f"{room:24}{lines[room]:8}{budget:8}")
    print(f"{'product':24}{tree.product_lines():8}")
    broken = list(breaks(tree, table))
    print(*broken, sep="\n")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
