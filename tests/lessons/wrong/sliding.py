from collections.abc import Callable
from typing import Any

Answers = dict[str, list[Callable[..., Any]]]
Blocks = list[tuple[int, int]]


def begins_too_early(position: int, n: int, size: int) -> list[int]:
    return list(range((position - n) // size, position // size))


def counts_the_unfinished_one(position: int, n: int, size: int) -> list[int]:
    return list(range(-(-(position - n) // size), -(-position // size)))


def the_last_few(position: int, n: int, size: int) -> list[int]:
    end = position // size
    return list(range(end - n // size, end))


def from_the_beginning(position: int, n: int, size: int) -> list[int]:
    return list(range(position // size))


def places_instead_of_numbers(position: int, n: int, size: int) -> list[int]:
    first = -(-(position - n) // size)
    return [size * block for block in range(first, position // size)]


def one_too_many_is_left_out(position: int, n: int, size: int) -> list[int]:
    return list(range((position - n) // size + 1, position // size))


def all_of_size_one(start: int, stop: int, largest: int) -> Blocks:
    return [(place, 1) for place in range(start, stop)]


def begins_anywhere(start: int, stop: int, largest: int) -> Blocks:
    blocks, size = [], largest
    while start < stop:
        if start + size > stop:
            size //= 2
        else:
            blocks.append((start, size))
            start += size
    return blocks


def the_largest_only(start: int, stop: int, largest: int) -> Blocks:
    first = -(-start // largest) * largest
    return [(place, largest) for place in range(first, stop - largest + 1, largest)]


def smallest_first(start: int, stop: int, largest: int) -> Blocks:
    blocks, size = [], 1
    while start < stop:
        if size < largest and start % (2 * size) == 0 and start + 2 * size <= stop:
            size *= 2
        while start + size > stop:
            size //= 2
        blocks.append((start, size))
        start += size
    return blocks


def runs_over(start: int, stop: int, largest: int) -> Blocks:
    blocks = []
    while start < stop:
        size = largest
        while start % size:
            size //= 2
        blocks.append((start, size))
        start += size
    return blocks


def sizes_alone(start: int, stop: int, largest: int) -> list[int]:
    return [1] * (stop - start)


WRONG: Answers = {
    "blocks_inside": [
        begins_too_early,
        counts_the_unfinished_one,
        the_last_few,
        from_the_beginning,
        places_instead_of_numbers,
        one_too_many_is_left_out,
    ],
    "cover": [
        all_of_size_one,
        begins_anywhere,
        the_largest_only,
        smallest_first,
        runs_over,
        sizes_alone,
    ],
}
