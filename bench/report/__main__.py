"""Writes the report: every table and figure of the papers, the paper's numbers beside ours.

    python -m bench.report             # docs/reproduced.md and .html, from the records
    python -m bench.report --here      # the same in build/, with what was measured here, too

It measures nothing itself: `python -m bench.reproduce --output bench/records/reproduce-here.json`
does. From the same records it writes the same bytes.
"""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

from bench.papers import TABLES
from bench.report import figures_2005, figures_of_ours, figures_of_streams, figures_of_tables
from bench.report.pages import FIGURES, html, markdown, plots
from bench.report.parts import Part
from bench.report.sources import RECORDS
from bench.report.tables import Measured, measured, table_part

__all__ = ["files", "main", "parts"]

ROOT = Path(__file__).parents[2]
RECORDED, HERE = "reproduce-nvidia-h200.json", "reproduce-here.json"


def main() -> None:
    """Write the report."""
    options = argparse.ArgumentParser(
        prog="python -m bench.report",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--docs", type=Path, default=ROOT / "docs", help="default: docs")
    options.add_argument("--here", action="store_true", help="also with what was measured here")
    options.add_argument("--records", type=Path, default=RECORDS, help="default: bench/records")
    options.add_argument("--build", type=Path, default=ROOT / "build", help="default: build")
    chosen = options.parse_args()
    recorded = _read(chosen.records / RECORDED)
    _write(chosen.docs, files(parts([recorded])))
    if chosen.here:
        path = chosen.records / HERE
        if not path.exists():
            options.error(f"{path} is missing: python -m bench.reproduce --output {path}")
        _write(chosen.build, files(parts([recorded, _read(path)])))


def _read(path: Path) -> Measured:
    return measured(json.loads(path.read_text(encoding="utf-8")))


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(texts)} files in {folder}")


def parts(records: list[Measured]) -> list[Part]:
    """Return every part of the report: tables from records of `bench.reproduce`, figures."""
    figures = [
        *figures_2005.parts(),
        *figures_of_streams.parts(),
        *figures_of_tables.parts(records),
        *figures_of_ours.parts(),
    ]
    figures.sort(key=lambda part: int(part.name.split()[-1]))
    return [*(table_part(name, records) for name in TABLES), *figures]


def files(some: list[Part]) -> dict[str, str]:
    """Return the files of the report by their names."""
    drawn = {f"{FIGURES}/{name}": text for name, text in plots(some).items()}
    return {"reproduced.md": markdown(some), "reproduced.html": html(some), **drawn}


if __name__ == "__main__":
    main()
