"""A rank, or the two middle keys, of pieces on several cards: the steps of one-read, a launch each.

Every card reads its keys once, and writes candidates straight into the first card's memory. The
counts prove the answer. If they refute the bracket, rounds of digits follow, which end at once if
they are not needed: so the host never has to look.
"""

from typing import NamedTuple

from cupy.cuda import runtime

from modern.cards.launches import Card, Cards
from modern.primitives.one_read import (
    BINS,
    COMMON,
    FEW,
    LARGE,
    LEAST_ROOM,
    PART,
    SELECT,
    THREADS,
    UNROLL,
    WIDTH,
    capacity_of,
)
from shadersort.selection.primitives.one_read import BITS, LOAD

ROUND = 64 + 8 * (1 << BITS)
"""Bytes of a round of digits, at most: `Across` in pieces.cuh."""

ACROSS = 96
"""Bytes of what cards share beside the rounds, at most."""


class Samples(NamedTuple):
    """A sample of all pieces: its address, how many loads and how many keys it has."""

    pointer: int
    loads: int
    keys: int


def count_loads(cards: Cards) -> int:
    """Return how many loads are sampled: about as many as from one array."""
    itemsize = cards.home.launcher.raw.itemsize
    large = itemsize == 8 or cards.size * itemsize >= LARGE
    return cards.home.launcher.processors * THREADS * (1 + large)


def sample(cards: Cards, pointer: int) -> Samples:
    """Let every card sample its pieces, into the first card's memory."""
    loads = count_loads(cards)
    for card in cards.all:
        blocks = -(-loads // THREADS // len(cards.all))
        arguments = *card.pieces, cards.size, loads, pointer
        card.launch("sample_pieces", *arguments, blocks=blocks, **macros_of(card))
    return Samples(pointer, loads, loads * LOAD // cards.home.launcher.raw.itemsize)


def macros_of(card: Card) -> dict[str, int]:
    """Return the macros of all steps on a card."""
    launcher = card.keys.launcher
    capacity = capacity_of(launcher.most_shared, launcher.raw.itemsize)
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
    launcher, n = cards.home.launcher, cards.size
    itemsize = launcher.raw.itemsize
    rounds = -(-8 * itemsize // (BITS - 1))  # of two ranks, which share the bins
    wanted = n, rank, int(pair), int(unless_nan), ask
    room = min(n, max(LEAST_ROOM, n // PART))
    shared, sampled = ACROSS + rounds * ROUND, count_loads(cards) * LOAD
    memory = cards.allocate(shared + sampled + room * itemsize)
    across, candidates = memory.ptr, (memory.ptr + shared + sampled, room)
    common = cards.home.zeros("one_read", COMMON)
    with cards.home_stream():
        runtime.memsetAsync(across, 0, shared, cards.home.stream)
    cards.spread()
    samples = sample(cards, across + shared)
    cards.gather()
    macros, narrow = macros_of(cards.first), BINS + FEW * itemsize
    given = samples.pointer, samples.keys, WIDTH, common, across, *wanted
    cards.first.launch("bracket_pieces", *given, shared=narrow, **macros)
    cards.spread()
    for card in cards.all:
        own = macros_of(card)
        lists = BINS + own["CAPACITY"] * THREADS * itemsize
        card.launch("read_pieces", *card.pieces, *candidates, across, shared=lists, **own)
    for number in range(rounds):
        cards.gather()
        cards.spread()
        for card in cards.all:
            given = *card.pieces, room, number, int(card is cards.first), across, *wanted
            card.launch("narrow_pieces", *given, shared=narrow, **macros_of(card))
    cards.gather()
    given = *candidates, common, across, answer, *wanted
    cards.first.launch("finish_pieces", *given, shared=narrow, **macros)
