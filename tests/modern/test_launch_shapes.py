"""How rows and launches are divided on GPUs with little or much shared memory; none is needed."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modern.primitives import one_read
from modern.rows import cuda_column_firsts as column_firsts
from modern.rows import cuda_columns as columns
from modern.rows.cuda_extremes import columns_cut, rows_cut
from modern.rows.cuda_layout import THREADS
from modern.rows.cuda_long_shapes import HELD, LEAST, PIECE, first_room, shape_of
from modern.rows.cuda_shapes import MOST_SAMPLES, blocks_for, staged
from shadersort.selection.primitives.one_read import LOAD

MEMORIES = pytest.mark.parametrize("most", [64 << 10, 99 << 10, 163 << 10, 227 << 10])
"""The most shared memory that a block may have, from compute capability 7.5 on."""

COUNTS = st.integers(0, 30).map(lambda bits: 1 << bits) | st.integers(1, 1 << 32)


@MEMORIES
@pytest.mark.parametrize("itemsize", [1, 2, 4, 8])
def test_one_row_or_a_block_for_each(most: int, itemsize: int) -> None:
    for length, rows in product((1025, 1 << 15, 1 << 17, 1 << 20, 1 << 24), (1, 200, 1 << 20)):
        shape = blocks_for(length, rows, itemsize, 132, most)
        assert shape.shared <= most - (1 << 10)
        assert shape.threads in (128, 256, 512, 1024)
        assert 0 <= shape.samples <= MOST_SAMPLES
        sampled = shape.threads * shape.samples * LOAD // itemsize
        assert not sampled or staged(length, sampled) <= shape.threads * shape.capacity / 2
    capacity = one_read.capacity_of(most, itemsize)
    assert capacity > 2 * LOAD // itemsize  # room for two loads, or a list is always full
    for size in (1, 4096, 4097, 10**6, 10**8, 2**33):
        one = one_read.shape_of(size, itemsize, 132, most)
        assert one.shared <= most - (2 << 10)
        assert 1 <= one.blocks[0] <= 132
        assert not one.samples or size > one.blocks[0] * 1024 * LOAD // itemsize


@MEMORIES
def test_long_rows_that_blocks_share(most: int) -> None:
    for length, rows, some in product((LEAST, 40_001, 1 << 20, 1 << 28), (1, 5, 200), (1, 4)):
        for itemsize, processors in product((1, 2, 4, 8), (16, 132)):
            shape = shape_of(length, rows, rows * some, itemsize, processors, most)
            held = max(shape.samples * one_read.THREADS * LOAD, HELD * (itemsize + 4))
            assert one_read.BINS + held + one_read.STATIC <= most
            assert shape.sampled <= length // 2
            assert 1 <= shape.parts * shape.columns <= processors
            pieces, blocks = rows * shape.pieces, shape.readers
            assert 1 <= blocks <= min(pieces, one_read.THREADS)
            assert shape.pieces == 1 or shape.pieces * PIECE <= length * itemsize
            starts = np.arange(blocks + 1) * pieces // blocks
            assert (np.diff(starts) > 0).all()
    for length, count in product((LEAST, 1 << 20, 1 << 28), (1, 64, 1024)):
        sampled = shape_of(length, 16, 16, 4, 132, most).sampled
        assert min(length, count + HELD) <= first_room(length, count, sampled) <= length


@given(COUNTS, COUNTS, st.sampled_from([1, 2, 4, 8]), st.integers(2, 5000))
def test_rows_and_columns_are_cut_into_pieces(
    length: int, rows: int, itemsize: int, inner: int
) -> None:
    """For their ends: the pieces have all keys, and threads share blocks evenly."""
    cuts: list[Any] = [
        *(rows_cut(length, rows, itemsize, 132, places) for places in (False, True)),
        *(columns_cut(length, rows * inner, inner, wide, 132) for wide in (1, 4)),
    ]
    for cut in cuts:
        assert (cut.pieces - 1) * cut.each < length <= cut.pieces * cut.each
        assert cut.together & (cut.together - 1) == 0 < cut.together <= THREADS
        assert cut.ahead in (1, 2, 4, 8)


@given(st.integers(column_firsts.LEAST, 1 << 31), st.integers(1, 1 << 10), st.integers(2, 200))
def test_long_columns(length: int, count: int, inner: int) -> None:
    """The bound is behind the first keys, staged keys have room, and all keys have lanes."""
    sample = columns.sampled_of(length)
    assert 0 < sample <= length // 16
    share, bound = length / sample, column_firsts.bound_of(length, count)
    assert (bound + 1) * share > count
    assert column_firsts.place_for(length, count) >= (bound + 1) * share
    assert columns.warps_for((3, length, inner)) * 32 * columns.EACH >= 3 * length * inner
    if length >= 1 << 14:
        inside = 9 * (sample / 4) ** 0.5  # keys of the sample: 4.5 errors on each side
        assert inside / sample * length < columns.place_for(length) < length / 2


@given(
    st.integers(1 << 14, 1 << 20),
    st.lists(st.integers(0, 1 << 14), min_size=1, max_size=9).map(sorted),
)
def test_ranks_of_long_columns_that_are_found_together(length: int, ks: list[int]) -> None:
    parts = columns.parts_of((2, length, 5), len(ks), ks)
    assert parts or len(ks) > 2
    if parts:
        assert [k for part in parts for k in ks[part]] == ks
    for part in parts:
        assert len(ks[part]) <= 2
        assert ks[part][-1] - ks[part][0] <= length / 1024
