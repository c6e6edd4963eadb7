from tests.lessons.wrong import Answers

Blocks = list[tuple[int, int]]


def the_last_few(position: int, n: int, size: int) -> list[int]:
    end = position // size
    return list(range(end - n // size, end))


def places_instead_of_numbers(position: int, n: int, size: int) -> list[int]:
    first = -(-(position - n) // size)
    return [size * block for block in range(first, position // size)]


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


WRONG: Answers = {
    "blocks_inside": [
        *(the_last_few, places_instead_of_numbers),
        # begins too early
        lambda position, n, size: list(range((position - n) // size, position // size)),
        # counts the unfinished one
        lambda position, n, size: list(range(-(-(position - n) // size), -(-position // size))),
        lambda position, n, size: list(range(position // size)),  # from the beginning
        # one too many is left out
        lambda position, n, size: list(range((position - n) // size + 1, position // size)),
    ],
    "cover": [
        *(begins_anywhere, the_largest_only, smallest_first, runs_over),
        # all of size one
        lambda start, stop, largest: [(place, 1) for place in range(start, stop)],
        lambda start, stop, largest: [1] * (stop - start),  # sizes alone
    ],
}
