"""Many ranks of pieces on several cards: the steps of `cells.cu`, a launch each.

Every card counts its keys in cells, and the first one adds up; then every card writes the keys of
the cells that hold ranks into the first card's memory. Rounds that divide crowded cells end at once
if there is none.
"""

from collections.abc import Sequence

from modern.cards.launches import Cards
from modern.cards.one_rank import count_loads, sample
from modern.device_arrays import BY_VALUE
from modern.primitives.cells import ROOT, THREADS, UNROLL, room_for, shape_of
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


def _launch_group(cards: Cards, given: tuple[int, ...], answers: int, unless_nan: bool) -> None:
    """Launch all steps for an address of ranks, or 0; how many they are; and ranks."""
    home, n, count, devices = cards.home, cards.size, given[1], len(cards.all)
    launcher, itemsize = home.launcher, home.launcher.raw.itemsize
    shape = shape_of(launcher.most_shared, itemsize)
    assert shape is not None  # whoever opens rows on cards has asked
    size, cells = shape.shared, shape.aim + ROOT + 1
    macros = {"THREADS": THREADS, "UNROLL": UNROLL, "AIM": shape.aim, "CAPACITY": shape.capacity}
    macros["COUNT"] = BY_VALUE
    own, told = 8 * (1 + cells + APART * GROUP), 8 * (cells + GROUP)
    room, loads = room_for(n, count, shape.aim), count_loads(cards)
    shared = -(-(shape.common + devices * told) // LOAD) * LOAD
    samples = cards.share(shared + loads * LOAD + room * itemsize) + shared
    state, staged = samples - shared, (samples + loads * LOAD, room)
    answered = state + shape.common
    memory: tuple[int, ...]
    cards.clear(state, shape.common)
    cards.spread()
    sampled = sample(cards, loads, samples)
    cards.gather()
    arguments = samples, sampled, *given[:2], state, *given[2:]
    home.launch("table_of_pieces", macros, size, *arguments)
    counted = [card.keys.zeros(f"pieces {place}", own) for place, card in enumerate(cards.all)]
    for number in range(1 + -(-8 * itemsize // ((shape.aim // count).bit_length() - 1))):
        cards.spread()
        for place, card in enumerate(cards.all):
            memory = counted[place], answered + place * told, state
            card.launch("count_in_pieces", macros, size, sampled, number, *memory, *card.pieces)
        cards.gather()
        memory = devices, sampled, number, n, count, room, answered, state
        home.launch("rank_in_pieces", macros, size, *memory, blocks=1)
    cards.spread()
    for place, card in enumerate(cards.all):
        memory = *staged, counted[place], state
        card.launch("stage_in_pieces", macros, size, sampled, *memory, *card.pieces)
    cards.gather()
    arguments = staged[0], count, int(unless_nan), state, answers
    home.launch("select_in_pieces", macros, size, *arguments)
