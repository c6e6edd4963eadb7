"""Windows shorter than 1/ε: refused when a summary is made, yet known to commands and old bytes.

Within such a window no value may be missed, so all of them are kept, and a summary saves nothing.
So short a window is probably a mistake. But a command that is asked for the last ten values has to
answer, and bytes that were written once stay readable.
"""

from collections.abc import Mapping
from typing import Any, Self, SupportsIndex

from shadersort.errors import BadWindow
from shadersort.streams.values import checked_length

ONE = 1 - 2**-50
"""n times the double nearest to 1/n is at least this."""


class AnyWindow:
    """A summary of a window that `__init__` checks."""

    _any_window = False

    @classmethod
    def of_any_window(cls, *args: Any, **options: Any) -> Self:
        """Return what the constructor returns, also for a window shorter than 1/epsilon.

        Examples
        --------
        >>> from shadersort.streams import SlidingQuantiles
        >>> SlidingQuantiles.of_any_window(0.01, 3).update([5, 9, 8, 7]).minimum
        np.int64(7)
        """
        made = cls.__new__(cls)
        made._any_window = True
        cls.__init__(made, *args, **options)
        return made

    @classmethod
    def _of_parameters(cls, parameters: Mapping[str, Any], options: Mapping[str, Any]) -> Self:
        return cls.of_any_window(**parameters, **options)

    def _checked_window(self, window: SupportsIndex, epsilon: float) -> int:
        """Return the length of a window, or raise BadWindow."""
        length = checked_length(window, "window")
        if length * epsilon < ONE and not self._any_window:
            raise BadWindow(
                f"window={length} is shorter than 1/epsilon, {1 / epsilon:.6g}, so no error is "
                "allowed in it: keep these values in a collections.deque, or make epsilon larger"
            )
        return length
