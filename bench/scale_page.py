"""Writes `docs/scale.md` and its picture: `python -m bench.scale_page`.

Every number on the page is computed: by the model (`bench/scale_model.py`), by constants of the
program, by counting bytes in selections from random keys, which always gives the same counts, or
from records (`bench/scale_table.py`).
"""

from collections.abc import Iterator, Sequence
from math import isqrt
from textwrap import fill

from bench.scale_model import NUMBER, Cluster, Problem, divided, rounds
from bench.scale_picture import svg
from bench.scale_points import (
    KEYS,
    WORKERS,
    Point,
    moved_by_a_sort,
    points,
    power,
    sent_and_received,
)
from bench.scale_table import beside, on_gpus
from bench.scale_words import ANSWERS, CLOSING, DASK, FILES, GPUS, OPENING
from bench.shared.options import PATH, Options, command, option
from bench.shared.record import RECORDS, Library
from bench.shared.words import about
from shadersort.selection.primitives.parts import COLLECTED

PICTURE = "scale.svg"


@command(__doc__)
@option("--docs", type=PATH, default=RECORDS.parents[1] / "docs", show_default="docs")
def main(options: Options) -> None:
    """Write the page."""
    found = tuple(points())
    for name, text in {"scale.md": page(found), PICTURE: svg(found)}.items():
        (options.docs / name).write_text(text, encoding="utf-8")
        print(options.docs / name)


def page(found: Sequence[Point]) -> str:
    """Return the page as Markdown."""
    lines = [OPENING, f"![bytes that travel, and seconds, by the model]({PICTURE})", ""]
    for section in (_rounds(), _costs(), _measured(found)):
        lines += [*map(_wrapped, section), ""]
    lines += [GPUS.format(**_of_gpus()), *map(_wrapped, on_gpus(Library()))]
    lines += [FILES.format(**_of_files()), *map(_wrapped, beside(Library()))]
    lines += [DASK.format(**_of_dask()), ANSWERS, CLOSING]
    return "\n".join(lines).rstrip() + "\n"


def _wrapped(line: str) -> str:
    """Return a paragraph in lines; rows of tables stay as they are."""
    return line if line.startswith("|") else fill(line, 100)


def _rounds() -> Iterator[str]:
    """Yield what travels in each round, of two problems: with few candidates, and with many."""
    few, many = Problem(10**9, 100), Problem(10**15, 100)
    yield from ("## What travels in each round", "")
    yield (
        f"For one rank of keys of {few.itemsize} bytes on {few.workers} workers. A worker adds up "
        "the answers of its own parts; so the number of parts changes nothing."
    )
    for problem in (few, many):
        yield from ("", f"**{power(problem.keys)} keys: {len(list(rounds(problem)))} rounds**", "")
        yield "| round | sent to all workers | received from all workers | keys are read |"
        yield "|---|---|---|---|"
        for each in rounds(problem):
            told = (size(each.sent), size(each.received), "all" if each.reads else "the sample")
            yield f"| {each.name} | {' | '.join(told)} |"
    yield ""
    digits, left = divided(many)
    yield (
        f"A bucket of 10⁹ keys has about {about(few.candidates)} keys, which are collected. Of "
        f"10¹⁵ keys it has about {power(int(many.candidates))}, and at most {COLLECTED:,} keys "
        "come together. So the keys of the bucket stay where they are, and "
        f"{'a further digit divides' if digits == 1 else f'{digits} further digits divide'} them: "
        f"about {round(left):,} are left. `filter` copies nothing from files: the next round reads "
        "them again and leaves out all other keys. If the bucket has zero or another "
        "round number in it, one more digit is needed: the leading bits of its keys differ."
    )


def _costs() -> Iterator[str]:
    cluster = Cluster()
    yield from ("## What it costs", "")
    yield (
        f"Assumed: a worker reads {size(cluster.reads)} and sends {size(cluster.network)} in a "
        f"second, a message takes {1000 * cluster.latency:g} ms with what a scheduler adds, and "
        f"{cluster.together} answers are added up at a time, as a tree. Another cluster is another "
        "`Cluster` in `bench/scale_model.py`."
    )
    yield ""
    yield (
        "| keys | workers | keys of a worker | rounds | all keys are read | bytes that travel | "
        "bytes that a sort moves | one read | the selection |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for keys in KEYS:
        for workers in WORKERS:
            yield _cost(Problem(keys, workers), cluster)


def _cost(problem: Problem, cluster: Cluster) -> str:
    some = list(rounds(problem))
    cells = (
        power(problem.keys),
        f"{problem.workers:,}",
        size(problem.keys * problem.itemsize / problem.workers),
        str(len(some)),
        f"{sum(each.reads for each in some)} times",
        size(sent_and_received(some)),
        size(moved_by_a_sort(problem)),
        duration(cluster.read_once(problem)),
        duration(cluster.seconds(problem)),
    )
    return f"| {' | '.join(cells)} |"


def _measured(found: Sequence[Point]) -> Iterator[str]:
    yield from ("## Measured points", "")
    yield (
        "Bytes counted in medians of random keys, in parts of one process, beside the model's. A "
        f"count or a place has {NUMBER} bytes. The model knows all but how many keys are in the "
        "bucket of the answer."
    )
    yield ""
    yield "| keys | parts | rounds | counted | model | candidates counted | expected |"
    yield "|---|---|---|---|---|---|---|"
    for point in found:
        problem = point.problem
        expected = sent_and_received(list(rounds(problem)))
        candidates = point.rounds[-1].received / problem.itemsize
        yield (
            f"| {problem.keys:,} | {problem.workers:,} | {len(point.rounds)} | {point.bytes:,.0f} "
            f"| {expected:,.0f} | {candidates:,.0f} | {problem.candidates:,.1f} |"
        )


def _of_files() -> dict[str, str]:
    from shadersort.selection.files.budget import Budget
    from shadersort.selection.files.file_keys import MEMORY
    from shadersort.selection.files.piece import COUNTERS
    from shadersort.selection.files.primitives import LOAD, MANY_PIECES, PIECES, SAMPLED
    from shadersort.selection.files.staging import BRACKETS, MOST, RUN, WIDE, room_of

    return {
        "memory": MEMORY,
        "sampled": str(SAMPLED),
        "many_pieces": f"{MANY_PIECES:,}",
        "pieces": str(PIECES),
        "room": power(room := room_of(Budget.of(MEMORY, 3), 4)),
        "brackets": str(BRACKETS),
        "run": str(RUN),
        "widest": power(room * isqrt(MOST) // WIDE),
        "collected": f"{COLLECTED:,}",
        "largest": power(COLLECTED * COUNTERS // LOAD),
    }


def _of_gpus() -> dict[str, str]:
    from modern.parts import COLLECTED as COLLECTED_FROM_GPUS
    from shadersort.selection.primitives.dense_buckets import SAMPLES as FEW
    from shadersort.selection.primitives.parts.kept import SAMPLES

    return {
        "samples": f"{SAMPLES:,}",
        "samples_few": f"{FEW:,}",
        "collected_gpu": f"{COLLECTED_FROM_GPUS:,}",
    }


def _of_dask() -> dict[str, str]:
    from modern.on_dask.chunk import PIECE
    from shadersort.tasks import JOINED

    return {"piece": f"{PIECE:,}", "joined": str(JOINED)}


PREFIXES = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")


def size(count: float) -> str:
    """Return a number of bytes in words.

    Examples
    --------
    >>> size(0), size(8192), size(5.24e7)
    ('0 bytes', '8.2 kB', '52 MB')
    """
    place = 0
    while count >= 999.5 and place < len(PREFIXES) - 1:
        count, place = count / 1000, place + 1
    return f"{about(count)} {PREFIXES[place]}"


def duration(seconds: float) -> str:
    """Return a time in words.

    Examples
    --------
    >>> duration(0.08), duration(800), duration(2e6)
    ('0.08 s', '13 minutes', '23 days')
    """
    for unit, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{about(seconds / unit)} {name}"
    return f"{about(seconds)} s"


if __name__ == "__main__":
    main()
