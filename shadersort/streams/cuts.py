"""Cutting keys into parts of whole windows, which are sorted at once."""

from collections.abc import Iterator


def window_cuts(
    count: int, first: int, window: int, most: int, least: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each part of `count` keys.

    The first part has the `first` keys that fill the window that was begun before. All others are
    of whole windows, at least one, except for the rest at the end, and have about `most` keys, at
    most a quarter more. With `least`, parts begin with about so many keys, grow, and shrink towards
    the end: if parts are copied while others are sorted, nothing is sorted during the first copy,
    and nothing is copied during the last sort.

    Examples
    --------
    >>> list(window_cuts(105, 3, 10, most=40))
    [(0, 3), (3, 43), (43, 83), (83, 105)]
    >>> list(window_cuts(200, 0, 10, most=80, least=20))
    [(0, 20), (20, 60), (60, 130), (130, 160), (160, 180), (180, 200)]
    """
    if first and count:
        yield 0, min(first, count)
    large = max(1, most // window)
    small = large if least is None else max(1, min(least, most) // window)
    start, size = first, small
    while start < count:
        left = (count - start) // window
        here = min(size, max(small, left // 2), left)
        last = left == here and (count - start) - here * window <= most // 4
        stop = count if last or not left else start + here * window
        yield start, stop
        start, size = stop, min(2 * size, large)
