"""A benchmark with the packages of an older tree and with those of this tree, in turns.

    git archive COMMIT | tar x -C ../old
    python -m bench.trees --old ../old --of COMMIT --output … -- bench.gpu.one_read --turns 1

This tree's benchmark measures both trees, each in a process of its own. While one measures, the
other waits. A row is this tree's; beside its `ms` is the older tree's `old_ms`, and so for all that
is measured.
"""

import json
import runpy
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import click

from bench.shared import record
from bench.shared.machines import opened
from bench.shared.options import PATH, Options, argument, command, option, output_option, repeated
from bench.shared.record import Row

ROOT = Path(__file__).parents[1]


@command(__doc__)
@option("--old", type=PATH, required=True, help="root of the older tree")
@option("--of", help="the older tree's commit")
@repeated("--only-old", help="an option of the benchmark for the older tree: it may leave rows out")
@argument("words", nargs=-1, required=True, metavar="-- BENCHMARK [OPTIONS]")
@output_option
def main(options: Options) -> None:
    """Run a benchmark with two trees."""
    name = options.words[0].rpartition(".")[2].replace("_", "-")
    begun = record.begun(name, opened("cuda").described(), old_commit=options.of)
    with TemporaryDirectory() as folder:
        for part in ("bench", "modern", "shadersort", "shaders"):
            root = ROOT if part == "bench" else options.old.resolve()
            Path(folder, part).symlink_to(root / part)
        record.tell(begun, measurements(Path(folder), options), options.output)


def measurements(older: Path, options: Options) -> Iterator[Row]:
    """Yield this tree's rows, with what was measured in the same rows of the older tree."""
    new, old = rows_of(ROOT, *options.words), rows_of(older, *options.words, *options.only_old)
    before: Row | None = None
    for row in new:
        before = before or next(old, None)
        if before and _what(before) == _what(row):
            same = before.items()
            row |= {f"old_{name}": value for name, value in same if isinstance(value, float)}
            before = None
        yield row


def rows_of(root: Path, *words: str) -> Iterator[Row]:
    """Start a process with the packages of a tree; return the rows, each measured when taken."""
    context = get_context("spawn")
    here, there = context.Pipe()
    with patch.object(sys, "path", [str(root), *sys.path]):
        context.Process(target=measure_when_asked, args=(there, *words), daemon=True).start()
    there.close()

    def rows() -> Iterator[Row]:
        while True:
            try:
                here.send("next")
                row: Row | None = here.recv()
            except (EOFError, OSError):
                raise click.ClickException(f"the benchmark of {root} has failed") from None
            if row is None:
                return
            yield row

    return rows()


def measure_when_asked(pipe: Any, module: str, *words: str) -> None:
    """Run a benchmark that measures a row for each message, and sends it back; at last None."""
    plain = record.recorded

    def send_rows(rows: Iterator[Row]) -> Iterator[Row]:
        with suppress(EOFError):  # nobody asks any more
            while pipe.recv():
                pipe.send(row := next(rows, None))
                if row is None:
                    return
                yield row

    def recorded(begun: Row, rows: Iterator[Row], _: Path | None) -> Iterator[Row]:
        return plain(begun, send_rows(rows), None)

    sys.argv = [module, *words]
    with redirect_stdout(StringIO()), patch.object(record, "recorded", recorded):
        runpy.run_module(module, run_name="__main__", alter_sys=True)


def _what(row: Row) -> str:
    """Return all of a row that was not measured."""
    return json.dumps({name: it for name, it in row.items() if not isinstance(it, (float, list))})


if __name__ == "__main__":
    main()
