"""The items of a hierarchy by its name, and the options that it takes."""

from typing import SupportsIndex

from shadersort.errors import BadOption, choices
from shadersort.streams.address_prefixes import Addresses
from shadersort.streams.number_items import NumberItems
from shadersort.streams.path_prefixes import Paths
from shadersort.streams.port_prefixes import Ports
from shadersort.streams.prefixes import HIERARCHIES, named_hierarchy, whole
from shadersort.streams.word_hierarchies import WordHierarchy
from shadersort.streams.word_items import WordItems

WORDS = ("ip", "endpoint", "path")
"""Hierarchies of text."""
PORT = "port"
NAMES = (*HIERARCHIES, PORT, *WORDS)
"""All hierarchies."""
STEP, MOST_BITS = 16, 128
DEPTH, DEEPEST = 8, 64


def items_named(
    name: str,
    digits: SupportsIndex | None = None,
    step: SupportsIndex | None = None,
    depth: SupportsIndex | None = None,
) -> NumberItems | WordItems:
    """Return no items of a hierarchy yet; raise BadOption for an unknown name or bad options.

    Examples
    --------
    >>> items_named("path", depth=3).parameters
    {'hierarchy': 'path', 'depth': 3}
    """
    if name not in NAMES:
        raise BadOption(f"hierarchy is {choices(NAMES)}, not {name!r}")
    if depth is not None and name != "path":
        raise BadOption(f"depth= is for the hierarchy 'path', not for {name!r}")
    if digits is not None and name in WORDS:
        raise BadOption(f"digits= is for numbers, not for the hierarchy {name!r}")
    if name == PORT:
        if digits is not None or step is not None:
            raise BadOption("ports have their ranges: pass neither digits= nor step=")
        return NumberItems(Ports())
    if name not in WORDS:
        return NumberItems(named_hierarchy(name, digits, step))
    return WordItems.none_of(_of_words(name, step, depth))


def _of_words(name: str, step: SupportsIndex | None, depth: SupportsIndex | None) -> WordHierarchy:
    if name == "path":
        if step is not None:
            raise BadOption("step= is for addresses and numbers, not for the hierarchy 'path'")
        return Paths(whole("depth", depth, DEPTH, DEEPEST))
    return Addresses(whole("step", step, STEP, MOST_BITS), ports=name == "endpoint")
