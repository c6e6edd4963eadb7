"""Writes the report: every table and figure of the papers, beside our measurements.

    python -m bench.report             # docs/reproduced.md and .html, from the records
    python -m bench.report --here      # the same in build/, with what was measured here, too

It measures nothing itself: `make reproduce` and `make reproduce-gpu` do. With --here, tables have
more rows, and a record such as curves-here takes the place of that in the repository. From the same
records it writes the same bytes.
"""

from collections.abc import Mapping
from pathlib import Path

import click

from bench.claims.sources import Records
from bench.report import (
    adversaries,
    alabi_2012,
    alabi_2012_figures,
    beliakov_2011,
    blanchard_2015,
    blanchard_2015_figures,
    claims,
    govindaraju_2005_sorting,
    govindaraju_2005_streams,
    speed_ups,
)
from bench.report.pages import html, markdown
from bench.report.parts import Part
from bench.report.svg import svg
from bench.report.tables import Measured, measured
from bench.shared.options import PATH, Options, command, option
from bench.shared.record import RECORDS, Library

ROOT = Path(__file__).parents[2]
RECORDED = "reproduce-nvidia-h200"
OWN = ("reproduce-here", "reproduce-gpu-here")
"""Records of tables that `make reproduce` and `make reproduce-gpu` write."""

CURVES = "curves-nvidia-h200"


@command(__doc__)
@option("--docs", type=PATH, default=ROOT / "docs", show_default="docs")
@option("--here", is_flag=True, help="also write the report with the measurements of this machine")
@option("--records", type=PATH, default=RECORDS, show_default="bench/records")
@option("--build", type=PATH, default=ROOT / "build", show_default="build")
def main(options: Options) -> None:
    """Write the report."""
    library = Library(options.records)
    recorded = measured(library[RECORDED])
    _write(options.docs, files(parts([recorded], library)))
    if options.here:
        own = [measured(library[name]) for name in OWN if name in library]
        if not own:
            path = options.records / f"{OWN[0]}.json"
            missing = f"{path} is missing: python -m bench.reproduce --output {path}"
            raise click.UsageError(missing)
        here = Library(options.records, here=True)
        _write(options.build, files(parts([recorded, *own], here)))


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(texts)} files in {folder}")


def parts(tables: list[Measured], records: Library) -> list[Part]:
    """Return every part of the report; `tables` are records of `bench.reproduce`."""
    own = {name: records[name] for name in records.replaced if name != RECORDED}
    curves = records[CURVES]
    return [
        *govindaraju_2005_sorting.parts(records),
        *govindaraju_2005_streams.parts(records),
        *adversaries.parts(records),
        *beliakov_2011.parts(tables),
        *alabi_2012.parts(tables),
        *blanchard_2015.parts(tables),
        *alabi_2012_figures.parts(curves),
        *blanchard_2015_figures.parts(curves),
        *speed_ups.parts(tables[0]),
        *claims.parts(Records(records.folder, own)),
    ]


def files(some: list[Part]) -> dict[str, str]:
    """Return the files of the report by their names."""
    drawn = {name: svg(plots) for part in some for name, plots in part.files.items()}
    return {"reproduced.md": markdown(some), "reproduced.html": html(some), **drawn}


if __name__ == "__main__":
    main()
