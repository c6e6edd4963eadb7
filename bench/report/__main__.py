"""Writes the report: every table and figure of the papers, beside our measurements.

    python -m bench.report             # docs/reproduced.md, and build/report/ with the figures
    python -m bench.report --here      # build/report/ with what was measured here, too
    python -m bench.report --check     # are labels, units and verdicts those of what ran?

It measures nothing itself: `make reproduce` and `make reproduce-gpu` do. With --here, tables have
more rows, and a record such as curves-here takes the place of that in the repository. From the same
records it writes the same pages.
"""

from collections.abc import Mapping
from pathlib import Path

import click

from bench.papers import TABLES
from bench.report.check import faults
from bench.report.curves import Times
from bench.report.pages import html, markdown
from bench.report.papers import (
    adversaries,
    alabi_2012,
    beliakov_2011,
    blanchard_2015,
    claims,
    govindaraju_2005_sorting,
    govindaraju_2005_streams,
    speed_ups,
)
from bench.report.parts import Part
from bench.report.prose import sentences
from bench.report.svg import svg
from bench.report.tables import Measured, measured, table_part
from bench.shared.options import PATH, Options, command, option
from bench.shared.record import RECORDS, Library
from bench.sources import REPRODUCED, Sources

ROOT = Path(__file__).parents[2]
OWN = ("reproduce-here", "reproduce-gpu-here")
"""Records of tables that `make reproduce` and `make reproduce-gpu` write."""


@command(__doc__)
@option("--docs", type=PATH, default=ROOT / "docs", show_default="docs")
@option("--here", is_flag=True, help="with the measurements of this machine, into build/report/")
@option("--check", is_flag=True, help="compare labels, units and verdicts with what ran")
@option("--records", type=PATH, default=RECORDS, show_default="bench/records")
@option("--build", type=PATH, default=ROOT / "build" / "report", show_default="build/report")
def main(options: Options) -> None:
    """Write the report."""
    library = Library(options.records, here=options.here)
    library.replaced.pop(REPRODUCED, None)  # this machine's tables stand beside those recorded
    sources = Sources(library)
    tables = [measured(sources[REPRODUCED])]
    if options.here:
        tables += [measured(library[name]) for name in OWN if name in library]
        if len(tables) == 1:
            path = options.records / f"{OWN[0]}.json"
            missing = f"{path} is missing: python -m bench.reproduce --output {path}"
            raise click.UsageError(missing)
    some, prose = parts(tables, sources), sentences(sources)
    if options.check:
        page = (options.docs / "reproduced.md").read_text(encoding="utf-8")
        current = page == markdown(some, prose, pictures=False)
        found = [*faults(sources), *([] if current else ["reproduced.md is not what records say"])]
        raise click.ClickException("\n".join(found)) if found else SystemExit(0)
    if not options.here:
        _write(options.docs, {"reproduced.md": markdown(some, prose, pictures=False)})
    text = markdown(some, prose, pictures=True)
    drawn = {part.file: svg(part.plots) for part in some if part.plots}
    _write(options.build, {"reproduced.md": text, "reproduced.html": html(text), **drawn})


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(texts)} files in {folder}")


def parts(tables: list[Measured], sources: Sources) -> list[Part]:
    """Return every part of the report; `tables` are records of `bench.reproduce`."""
    times = Times(sources)
    return [
        *(table_part(name, tables) for name in TABLES),
        *govindaraju_2005_sorting.parts(sources),
        *govindaraju_2005_streams.parts(sources),
        *adversaries.parts(sources),
        *beliakov_2011.parts(sources),
        *alabi_2012.parts(times),
        *blanchard_2015.parts(times),
        *speed_ups.parts(tables[0]),
        *claims.parts(sources),
    ]


if __name__ == "__main__":
    main()
