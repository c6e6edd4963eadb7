"""`Stopwatch`: adds the seconds of an operation to a total, and takes little time itself."""

from time import perf_counter


class Stopwatch:
    """A context manager that measures its body; a body that fails does not count.

    Examples
    --------
    >>> seconds = {}
    >>> with Stopwatch(seconds, "sort"):
    ...     _ = sorted([3, 1, 2])
    >>> list(seconds)
    ['sort']
    """

    __slots__ = ("_operation", "_seconds", "_started")

    def __init__(self, seconds: dict[str, float], operation: str) -> None:
        self._seconds, self._operation = seconds, operation

    def __enter__(self) -> None:
        self._started = perf_counter()

    def __exit__(self, kind: object, *error: object) -> None:
        if kind is None:
            spent = perf_counter() - self._started
            self._seconds[self._operation] = self._seconds.get(self._operation, 0.0) + spent
