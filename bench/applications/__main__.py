"""The applications beside the programs that people use: one module a part.

    python -m bench.applications --output bench/records/applications-….json
    python -m bench.applications --part robust --part recovery --quick

Every answer is checked before it is timed.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import click

import bench.applications as package
from bench.shared.options import Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell

PARTS = sorted(each.name for each in iter_modules(package.__path__) if each.name[0] != "_")

QUICK: dict[str, dict[str, Any]] = {
    "neighbors": {"n": 20_000, "queries": 50, "seconds": 0.1},
    "recovery": {"problems": 8},
    "robust": {"n": 20_000, "seconds": 0.1, "peer_rows": (2_000,), "problems": 4},
    "sparse": {"n": 1_000_000, "seconds": 0.1},
}
"""Arguments of a quick run, by part."""


@command(__doc__)
@repeated("--part", type=click.Choice(PARTS), help="default: all")
@option("--quick", is_flag=True, help="little data: to see that all is right")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    tell(begun("applications"), measurements(options.part or PARTS, options.quick), options.output)


def measurements(parts: list[str], quick: bool) -> Iterator[Row]:
    """Yield the rows of every part."""
    for part in parts:
        measure = import_module(f"{package.__name__}.{part}").measurements
        for row in measure(**(QUICK[part] if quick else {})):
            yield {"part": part, **row}


if __name__ == "__main__":
    main()
