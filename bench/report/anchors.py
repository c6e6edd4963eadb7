"""The names by which links reach headings, as GitHub makes them."""

from collections import Counter


def anchor(heading: str) -> str:
    """Return the name of a heading that is the only one of its kind.

    Examples
    --------
    >>> anchor("gt = 0 never happens for objective (2)")
    'gt--0-never-happens-for-objective-2'
    """
    kept = (sign for sign in heading.lower() if sign.isalpha() or sign.isdecimal() or sign in "_- ")
    return "".join(kept).replace(" ", "-")


class Anchors:
    """The names of the headings of one page, in order.

    Examples
    --------
    >>> names = Anchors()
    >>> names.of("Table I: time, in ms"), names.of("Table I: time in ms")
    ('table-i-time-in-ms', 'table-i-time-in-ms-1')
    """

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, heading: str) -> str:
        """Return the name of the next heading."""
        name = anchor(heading)
        self._seen[name] += 1
        again = self._seen[name] - 1
        return f"{name}-{again}" if again else name
