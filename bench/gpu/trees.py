"""A benchmark with the packages of an older tree and with those of this tree, in turns.

    git archive COMMIT | tar x -C ../old
    python -m bench.gpu.trees --old ../old --of COMMIT --output … -- bench.gpu.one_read --turns 1

This tree's benchmark measures both trees, each in a process of its own. While one measures, the
other waits. A row is this tree's; beside its `ms` is the older tree's `old_ms`, and so for all that
is measured.
"""

import json
import os
import runpy
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from unittest.mock import patch

import click

from bench.shared import record
from bench.shared.machines import opened
from bench.shared.options import PATH, Options, argument, command, option, output_option, repeated
from bench.shared.record import Row

ROOT = Path(__file__).parents[2]


@command(__doc__)
@option("--old", type=PATH, help="root of the older tree")
@option("--of", help="the older tree's commit")
@repeated("--only-old", help="an option of the benchmark for the older tree: it may leave rows out")
@option("--inside", is_flag=True, hidden=True, help="be the process that measures one tree")
@argument("words", nargs=-1, required=True, metavar="-- BENCHMARK [OPTIONS]")
@output_option
def main(options: Options) -> None:
    """Run a benchmark with two trees, or be the process of one."""
    if options.inside:
        measure_when_asked(*options.words)
        return
    name = options.words[0].rpartition(".")[2].replace("_", "-")
    begun = record.begun(name, opened("cuda").described(), old_commit=options.of)
    with TemporaryDirectory() as folder:
        for part in ("bench", "modern", "shadersort", "shaders"):
            root = ROOT if part == "bench" else options.old.resolve()
            Path(folder, part).symlink_to(root / part)
        record.tell(begun, measurements(Path(folder), options), options.output)


def measurements(older: Path, options: Options) -> Iterator[Row]:
    """Yield this tree's rows, with what was measured in the same rows of the older tree."""
    old, new = _start(older, *options.words, *options.only_old), _start(ROOT, *options.words)
    before: Row | None = None
    while row := _next_row(new):
        before = before or _next_row(old)
        if before and _what(before) == _what(row):
            same = before.items()
            row |= {f"old_{name}": value for name, value in same if isinstance(value, float)}
            before = None
        yield row
    for tree in (old, new):
        tree.communicate()  # ends the input, and with it the rows
    if old.returncode or new.returncode:
        raise click.ClickException("the benchmark has failed with one of the trees")


def measure_when_asked(module: str, *words: str) -> None:
    """Run a benchmark that measures a row for each line of the input, and writes it as JSON."""
    answers, plain = sys.stdout, record.recorded

    def asked(rows: Iterator[Row]) -> Iterator[Row]:
        for _ in sys.stdin:
            if (row := next(rows, None)) is None:
                return
            print(json.dumps(row), file=answers, flush=True)
            yield row

    def recorded(begun: Row, rows: Iterator[Row], _: Path | None) -> Iterator[Row]:
        return plain(begun, asked(rows), None)

    sys.argv = [module, *words]
    with redirect_stdout(StringIO()), patch.object(record, "recorded", recorded):
        runpy.run_module(module, run_name="__main__", alter_sys=True)


def _start(root: Path, *words: str) -> "Popen[str]":
    """Start the process of one tree: its folder is the first that Python imports from."""
    inside = [sys.executable, "-m", "bench.gpu.trees", "--inside", "--", *words]
    paths = os.pathsep.join([str(root), *sys.path[1:]])
    given = {**os.environ, "PYTHONPATH": paths}
    return Popen(inside, cwd=root, env=given, stdin=PIPE, stdout=PIPE, text=True)


def _next_row(tree: "Popen[str]") -> Row | None:
    """Have a process measure its next row; return None after the last."""
    if tree.stdin is None or tree.stdout is None:
        return None
    try:
        print(file=tree.stdin, flush=True)
    except BrokenPipeError:  # it has ended
        return None
    row: Row | None = json.loads(tree.stdout.readline() or "null")
    return row


def _what(row: Row) -> str:
    """Return all of a row that was not measured."""
    return json.dumps({name: it for name, it in row.items() if not isinstance(it, (float, list))})


if __name__ == "__main__":
    main()
