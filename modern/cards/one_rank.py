"""A rank, or the two middle keys, of pieces on several cards: the steps of one-read, a launch each.

Every card reads its keys once, and writes candidates straight into the first card's memory. The
counts prove the answer. If they refute the bracket, rounds of digits follow, which end at once if
they are not needed: so the host never has to look.
"""

from functools import cache

from modern.cards.launches import Cards
from modern.primitives.one_read import (
    BINS,
    COMMON,
    FEW,
    SELECT,
    THREADS,
    UNROLL,
    WIDTH,
    capacity_of,
    loads_of_thread,
    room_for,
)
from shadersort.selection.primitives.one_read import BITS, LOAD

ACROSS, ROUND = 96, 64 + 8 * (1 << BITS)
"""Bytes of what cards share, at most, and of each round of digits: `Across` in pieces.cuh."""


def count_loads(cards: Cards) -> int:
    """Return how many loads are sampled: about as many as from one array."""
    launcher = cards.home.launcher
    each = loads_of_thread(cards.size, launcher.raw.itemsize)
    return launcher.processors * THREADS * each


def sample(cards: Cards, loads: int, samples: int) -> int:
    """Let all cards sample their pieces; return how many keys are at the address then."""
    blocks = -(-loads // THREADS // len(cards.all))
    for card in cards.all:
        arguments = cards.size, loads, samples, *card.pieces
        card.launch("sample_pieces", {"THREADS": THREADS}, 0, *arguments, blocks=blocks)
    return loads * LOAD // cards.home.launcher.raw.itemsize


@cache
def macros_of(most_shared: int, itemsize: int) -> dict[str, int]:
    """Return the macros of all steps on a card."""
    capacity = capacity_of(most_shared, itemsize)
    return {"THREADS": THREADS, "CAPACITY": capacity, "UNROLL": UNROLL}


def launch(
    cards: Cards,
    rank: int,
    answer: int,
    *,
    pair: bool = False,
    unless_nan: bool = False,
    ask: int = SELECT,
) -> None:
    """Launch all steps; the answer is as `one_read.launch` says, on the first card."""
    home, n = cards.home, cards.size
    launcher, itemsize = home.launcher, home.launcher.raw.itemsize
    macros = macros_of(launcher.most_shared, itemsize)
    lists, few = BINS + macros["CAPACITY"] * THREADS * itemsize, BINS + FEW * itemsize
    rounds = -(-8 * itemsize // (BITS - 1))  # of two ranks, which share the bins
    room, loads = room_for(n), count_loads(cards)
    shared = ACROSS + rounds * ROUND
    samples = cards.share(shared + loads * LOAD + room * itemsize) + shared
    across, candidates = samples - shared, (samples + loads * LOAD, room)
    common = home.keys.zeros("one_read", COMMON)
    wanted = n, rank, int(pair), int(unless_nan), ask
    cards.clear(across, shared)
    cards.spread()
    sampled = sample(cards, loads, samples)
    cards.gather()
    home.launch("bracket_pieces", macros, few, samples, sampled, WIDTH, common, across, *wanted)
    cards.spread()
    for card in cards.all:
        card.launch("read_pieces", macros, lists, *candidates, across, *card.pieces)
    for number in range(rounds):
        cards.meet()
        for card in cards.all:
            place = room, number, int(card is cards.all[-1]), across
            card.launch("narrow_pieces", macros, few, *wanted[:3], ask, *place, *card.pieces)
    cards.gather()
    home.launch("finish_pieces", macros, few, *candidates, common, across, answer, *wanted)
