"""Groups get the numbers of their rows in order, however rows are batched."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.cli import groups
from shadersort.cli.groups import Groups
from shadersort.errors import InputChanged, TooManyGroups
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Keys

Row = tuple[bytes, int]
ROWS = st.lists(
    st.tuples(st.sampled_from([b"", b"a", b"b", b"\xff", b"a" * 9]), st.integers(0, 99))
)


class Listed:
    """Keeps the numbers that it gets."""

    def __init__(self) -> None:
        self.numbers: list[int] = []

    def update(self, keys: Keys) -> None:
        self.numbers += keys.tolist()


def batches(rows: list[Row], size: int) -> Iterator[tuple[Words, Keys]]:
    for first in range(0, len(rows), size):
        part = rows[first : first + size]
        words = Words.of([word for word, _ in part], np.arange(len(part)))
        yield words, np.array([number for _, number in part])


@given(ROWS, st.integers(1, 9), st.sampled_from([1, 10, 1 << 20]))
def test_each_group_has_its_numbers_in_order(rows: list[Row], size: int, together: int) -> None:
    expected: dict[bytes, list[int]] = {}
    for word, number in rows:
        expected.setdefault(word, []).append(number)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "TOGETHER", together)
        found = Groups(Listed, 5).update(batches(rows, size))
        assert {word: taker.numbers for word, taker in found.items()} == expected
        again = found.giving_to([Listed() for _ in range(len(found))]).update(batches(rows, 4))
        assert {word: taker.numbers for word, taker in again.items()} == expected


def test_new_groups_may_be_refused() -> None:
    found = Groups(Listed, 2).update(batches([(b"a", 1), (b"b", 2)], 1))
    with pytest.raises(TooManyGroups, match="more than 2 groups"):
        found.update(batches([(b"c", 1)], 1))
    with pytest.raises(InputChanged, match="new group"):
        found.giving_to([Listed(), Listed()]).update(batches([(b"c", 1)], 1))
