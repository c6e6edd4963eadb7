"""Many ranks of pieces on several cards: the steps of `cells.cu`, a launch each.

Every card counts its keys in cells, and the first one adds up; then every card writes the keys of
the cells that hold ranks into the first card's memory. Rounds that divide crowded cells end at once
if there is none.
"""

from collections.abc import Sequence

from cupy.cuda import runtime

from modern.cards.launches import Card, Cards
from modern.cards.one_rank import count_loads, sample
from modern.device_arrays import BY_VALUE
from modern.primitives.cells import ROOT, THREADS, UNROLL, Shape, room_for, shape_of
from shadersort.selection.primitives.one_read import LOAD

GROUP, APART = 128, 16
"""Ranks that are found together, and words between counters: as in many.cuh."""


def launch(
    cards: Cards, ranks: Sequence[int], answers: int, *, at: int = 0, unless_nan: bool = False
) -> None:
    """Launch all steps for ascending ranks, or for as many at the address `at`.

    Their keys, or NaN for all `unless_nan` if there is one, are at `answers` on the first card.
    """
    itemsize = cards.home.launcher.raw.itemsize
    for first in range(0, len(ranks), GROUP):
        some = tuple(ranks[first : first + GROUP])
        given = (at + 8 * first, len(some)) if at else (0, len(some), *some)
        _launch_group(cards, given, answers + first * itemsize, unless_nan)


def shape_on(card: Card) -> Shape:
    """Return the shape of launches on a card."""
    launcher = card.keys.launcher
    shape = shape_of(launcher.most_shared, launcher.raw.itemsize)
    assert shape is not None  # whoever opens rows on cards has asked
    return shape


def _launch_group(cards: Cards, given: tuple[int, ...], answers: int, unless_nan: bool) -> None:
    """Launch all steps for an address of ranks, or 0; how many they are; and ranks."""
    home, n, count = cards.home, cards.size, given[1]
    itemsize, shape = home.launcher.raw.itemsize, shape_on(cards.first)
    cells = shape.aim + ROOT + 1
    told, own = 8 * (cells + GROUP), 8 * (1 + cells + APART * GROUP)
    room = room_for(n, count, shape.aim)
    sampled = count_loads(cards) * LOAD
    common = -(-shape.common // LOAD) * LOAD
    table = len(cards.all) * told
    memory = cards.allocate(common + table + LOAD + sampled + room * itemsize)
    state, answered = memory.ptr, memory.ptr + common
    samples = -(-(answered + table) // LOAD) * LOAD
    staged = samples + sampled, room
    with cards.home_stream():
        runtime.memsetAsync(state, 0, common, home.stream)
    cards.spread()
    loads = sample(cards, samples).keys
    cards.gather()
    arguments = samples, loads, *given[:2], state, *given[2:]
    cards.first.launch("table_of_pieces", *arguments, shared=shape.shared, **_macros(shape))
    for number in range(1 + -(-8 * itemsize // ((shape.aim // count).bit_length() - 1))):
        cards.spread()
        for place, card in enumerate(cards.all):
            memory_of = card.keys.zeros("pieces", own), answered + place * told, state
            _launch(card, "count_in_pieces", *card.pieces, loads, number, *memory_of)
        cards.gather()
        arguments = len(cards.all), loads, number, n, count, room, answered, state
        ranked = {"shared": shape.shared, "blocks": 1}
        cards.first.launch("rank_in_pieces", *arguments, **ranked, **_macros(shape))
    cards.spread()
    for card in cards.all:
        memory_of = *staged, card.keys.zeros("pieces", own), state
        _launch(card, "stage_in_pieces", *card.pieces, loads, *memory_of)
    cards.gather()
    _launch(cards.first, "select_in_pieces", staged[0], count, int(unless_nan), state, answers)


def _macros(shape: Shape) -> dict[str, int]:
    """Return the macros of all steps on a card."""
    sizes = {"AIM": shape.aim, "CAPACITY": shape.capacity, "COUNT": BY_VALUE}
    return {"THREADS": THREADS, "UNROLL": UNROLL, **sizes}


def _launch(card: Card, name: str, *arguments: int) -> None:
    """Launch a kernel with all blocks of a card."""
    shape = shape_on(card)
    card.launch(name, *arguments, shared=shape.shared, **_macros(shape))
