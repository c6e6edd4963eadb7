"""Cuts: into which parts a stretch of a stream is cut, so that whole windows are sorted at once."""

from collections.abc import Iterator

__all__ = ["cuts"]


def cuts(
    count: int, first: int, window: int, most: int, least: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield where each part begins and ends.

    The first part fills the window that was begun before. The others are of whole windows, but for
    what is left over in the end, and have about `most` keys. With `least` they begin with so many
    and grow, and shrink towards the end: where one part is copied while another one is sorted, the
    first has to be copied while nothing is sorted, and the last sorted while nothing is copied.

    Parameters
    ----------
    count
        How many keys there are.
    first
        How many of these the window needs that was begun; 0 if none was.
    window
        Keys in a window.
    most, least
        How many keys a part should have; it has one window at least.

    Examples
    --------
    >>> list(cuts(105, 3, 10, most=40))
    [(0, 3), (3, 43), (43, 83), (83, 105)]
    >>> list(cuts(200, 0, 10, most=80, least=20))
    [(0, 20), (20, 60), (60, 130), (130, 160), (160, 180), (180, 200)]
    """
    if first and count:
        yield 0, min(first, count)
    large = max(1, most // window)
    small = large if least is None else max(1, min(least, most) // window)
    start, size = first, small
    while start < count:
        left = (count - start) // window
        here = min(size, max(small, left // 2))
        stop = count if left <= here else start + here * window
        yield start, stop
        start, size = stop, min(2 * size, large)
