"""What `bench.cpu` measured, held to its goals: how many cells of each call meet them."""

from collections.abc import Iterable, Iterator

from bench.shared.record import Row

MOST_LISTED = 20
"""Cells over their goals that are listed by themselves, the worst ones."""


def goals(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the goals of every call, as lines, and then the cells that miss them.

    Examples
    --------
    >>> row = {"what": "topk 10", "data": "tied", "dtype": "int8", "shape": [99], "axis": 0}
    >>> lines = list(goals([{**row, "ratio": 0.9, "over_us": 0.0, "most": 1.1}]))
    >>> lines[0]
    'topk, one dimension: 1 of 1 cells in at most 1.1 times + 10 µs; worst ratio 0.90'
    >>> lines[1]
    'goals: 1 of 1 cells met'
    """
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_call_of(row), []).append(row)
    for call, some in groups.items():
        worst = max(row["ratio"] for row in some)
        yield (
            f"{call}: {_met(some)} of {len(some)} cells in at most {some[0]['most']:g} times + "
            f"10 µs; worst ratio {worst:.2f}"
        )
    every = [row for some in groups.values() for row in some]
    yield f"goals: {_met(every)} of {len(every)} cells met"
    missed = sorted((row for row in every if row["over_us"]), key=_beyond, reverse=True)
    for row in missed[:MOST_LISTED]:
        yield (
            f"  {row['what']}, {row['data']} {row['dtype']}, shape {row['shape']}, axis "
            f"{row['axis']}: ratio {row['ratio']:.2f}, {row['over_us']:.1f} µs over"
        )
    if len(missed) > MOST_LISTED:
        yield f"  and {len(missed) - MOST_LISTED} more"


def _call_of(row: Row) -> str:
    """Return a call without its number of keys, and whether it is about rows."""
    what = "topk" if row["what"].startswith("topk") else row["what"]
    return f"{what}, {'one dimension' if len(row['shape']) == 1 else 'rows'}"


def _met(rows: list[Row]) -> int:
    return sum(not row["over_us"] for row in rows)


def _beyond(row: Row) -> float:
    """Return by which share of its time a call is over its goal."""
    return float(row["over_us"] / row["us"])
