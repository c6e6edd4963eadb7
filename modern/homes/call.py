"""A call whose answer has to come home: the function, the keys, and what else was passed."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

RowAxes = Literal["reduced", "chosen", "ordered", "kept"]
"""What becomes of the axes along which rows lie: nothing is left of them, some keys are chosen (the
answer has their places), all keys are put in order, or all stay at their places."""

Gradient: TypeAlias = Callable[["Call", Any], Any]
"""Takes a call and its answer; returns the answer connected with the keys."""

Turn: TypeAlias = Callable[[Any], Any]
"""Takes an argument or an answer as one library has it; returns it as another does."""


def same(each: Any) -> Any:
    """Return what was given.

    Examples
    --------
    >>> same(3)
    3
    """
    return each


class Call(NamedTuple):
    """A function of this package, and what it was called with.

    Examples
    --------
    >>> call = Call(np.median, [[3, 1, 2]], (), {"axis": 1})
    >>> call.of(np.array(call.x)), call.axis, call.out
    (array([2.]), 1, None)
    """

    function: Callable[..., Any]
    x: Any
    args: tuple[Any, ...]
    options: dict[str, Any]
    rows: RowAxes = "reduced"
    front: str = ""
    gradient: Gradient | None = None

    def of(self, x: Any, number: Turn = same, beside: Turn = same, **changed: Any) -> Any:
        """Call the function with other keys.

        `number` turns arguments that the host reads, such as ranks and the q of quantiles; `beside`
        turns other options, which may be where the keys are.
        """
        read = (self.front, "k")
        options = {
            name: (number if name in read else beside)(each)
            for name, each in self.options.items()
            if name not in changed
        }
        return self.function(x, *map(number, self.args), **options | changed)

    @property
    def out(self) -> Any:
        """Where the result should go, or None."""
        return self.options.get("out")

    @property
    def axis(self) -> Any:
        """The axis that was named, or the function's own default."""
        return self.options.get("axis", self.default("axis", -1))

    def default(self, name: str, otherwise: Any) -> Any:
        """Return the function's own default of an option; something else if it has none."""
        own = getattr(self.function, "__kwdefaults__", None) or {}
        return own.get(name, otherwise)

    @property
    def in_front(self) -> npt.NDArray[Any] | None:
        """The argument whose shape stands in front of the result; None if there is none."""
        if not self.front:
            return None
        return np.asarray(self.args[0] if self.args else self.options[self.front])

    def with_front(self, turn: Turn) -> "Call":
        """Return the call with that argument turned.

        Examples
        --------
        >>> Call(np.quantile, [1], (0.5,), {}, front="q").with_front(lambda q: 2 * q).args
        (1.0,)
        """
        if self.args:
            return self._replace(args=(turn(self.args[0]), *self.args[1:]))
        return self._replace(options=self.options | {self.front: turn(self.options[self.front])})

    def answered(self, found: Any, turn: Turn) -> Any:
        """Return an answer with each of its arrays turned; or what it was written into.

        A trace beside the answer stays as it is.
        """
        out = self.out
        if not isinstance(found, tuple):
            return turn(found) if out is None else out
        if hasattr(found, "_make"):  # values and places
            return type(found)(*(map(turn, found) if out is None else out))
        return (turn(found[0]) if out is None else out), *found[1:]
