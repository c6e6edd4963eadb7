"""Lesson 9: wrong answers that no mistake names."""

from shadersort.lessons.sliding.blocks import whole_blocks
from tests.lessons.wrong import Answers

WRONG: Answers = {
    "blocks_inside": [
        lambda position, n, size: range(n),  # no list
        lambda position, n, size: [],
        lambda position, n, size: whole_blocks(position, n, size),  # right, but not your own
    ],
    "cover": [
        lambda start, stop, largest: [1] * (stop - start),  # sizes alone
        lambda start, stop, largest: [(start, stop - start)],  # one block
    ],
}
