"""Stacks of Greenwald-Khanna summaries, each in its place: to the host, to flat arrays and back."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.quantiles.gk_summaries import COLUMNS, GKStack, GKSummaries

Place = TypeVar("Place", bound=Any)


class Shape(NamedTuple):
    """What a stack must be like: its number of summaries, entries of each, values of each set."""

    summaries: int
    entries: int
    size: int


def all_on_host(stacks: Mapping[Place, GKStack]) -> Mapping[Place, GKSummaries]:
    """Return all stacks on the host, wherever they were; one copy for all of a kind."""
    for stack in stacks.values():
        stacks = stack.on_host(stacks)
    return cast(Mapping[Place, GKSummaries], stacks)


def flat_arrays(stacks: Mapping[Place, GKStack]) -> dict[str, Keys]:
    """Return the entries of all stacks as flat arrays by name, in the order of the places."""
    held = all_on_host(stacks)
    return {
        name: np.concatenate([getattr(held[place], name).ravel() for place in sorted(held)])
        for name in COLUMNS
        if held
    }


def restored_stacks(
    arrays: Mapping[str, Keys], dtype: Any, shapes: Iterable[tuple[Place, Shape]]
) -> dict[Place, GKSummaries]:
    """Return the stacks that gave flat arrays of values of a type, or raise CorruptSummary.

    `shapes` tells the places in order, and what lies there.
    """
    stacks, end = dict[Place, GKSummaries](), 0
    for place, shape in shapes:
        part = slice(end, end := end + shape.summaries * shape.entries)
        columns = (arrays[name][part].reshape(shape[:2]) for name in COLUMNS)
        stacks[place] = GKSummaries(*columns).checked(shape.size)
    if stacks and arrays["values"].dtype != dtype:
        raise CorruptSummary(f"the buckets hold values of another type than {dtype}")
    if stacks and any(len(arrays[name]) != end for name in COLUMNS):
        raise CorruptSummary("the buckets have fewer or more entries than their levels say")
    return stacks
