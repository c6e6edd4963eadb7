"""Introselect's rule (Musser 1997): when to give up guessing, and let a bounded method take over.

A search that guesses pivots must halve its candidates every few steps. If it does not, and if the
device has fused radix selection (`tuning.fused`), that method finishes the search: it needs few
reads for any keys.
"""

PATIENCE = 3
"""At most this many steps in a row may leave more than half of the candidates."""


class Introselect:
    """Counts the steps that did not halve the candidates.

    Examples
    --------
    >>> rule = Introselect(100, patience=2)
    >>> [rule.lost(candidates) for candidates in (90, 50, 40, 30)]
    [False, False, False, True]
    """

    def __init__(self, candidates: int, patience: int = PATIENCE) -> None:
        self._most, self._patience = candidates, patience
        self._left = patience
        self.gives_up = False  # whether there were too many such steps in a row

    def lost(self, candidates: int) -> bool:
        """Note how many candidates a step has left, and return whether to give up."""
        if 2 * candidates <= self._most:
            self._most, self._left = candidates, self._patience
        else:
            self._left -= 1
        self.gives_up = self._left == 0
        return self.gives_up
