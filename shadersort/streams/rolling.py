"""`RollingQuantiles`: exact quantiles of the last values of a stream, after every value."""

from copy import copy
from typing import Any, Self, SupportsIndex, get_args

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, EmptySummary, NaNRefused
from shadersort.keys.types import Integers, Keys
from shadersort.names import QuantileMethod, RollingNaN
from shadersort.selection.quantile_plan import plan_each, shares_of
from shadersort.selection.rows.quantiles import mixed
from shadersort.shown import Row, Shown, first_rows
from shadersort.streams.locked import SummaryLock, locked
from shadersort.streams.rolling_line import RollingLine
from shadersort.streams.rolling_rank import RollingRanks
from shadersort.streams.rolling_rows import SortedWindows
from shadersort.streams.rolling_steps import Questions
from shadersort.streams.values import as_values, checked_length, number_type, plain_zeros

SHORT = 256
"""Windows up to this length are sorted, each by itself: NumPy sorts longer rows far slower."""


class RollingQuantiles(Shown):
    """Computes exact quantiles of the last `window` values of a stream.

    `roll` takes values in, and returns the quantile after each of them; how a stream is cut into
    updates makes no difference. All values of the window are kept. Only values near the quantile
    are looked at one by one, see `rolling_steps.py`: the wider the window, the fewer these are. A
    stream that often comes back to its quantile, as a random walk does, takes several times as
    long. For windows that do not fit in memory, and for many lengths at once, there is
    `SlidingQuantiles`.

    Parameters
    ----------
    window
        The number of values that a quantile is of; of all values while there are fewer.
    q
        The quantiles, as for `np.quantile`: a number from 0 to 1, or an array of them.
    method
        A method of `np.quantile`, by its name.
    nan
        What a NaN in the window does. With "propagate" quantiles are NaN until it has left, as in
        NumPy, and in pandas by default. With "omit" they are of the numbers in the window, and NaN
        if there are none. With "raise" a NaN is refused.
    dtype
        The type of the values; None takes the type of the first ones.

    Examples
    --------
    >>> rolling = RollingQuantiles(3)
    >>> rolling.roll([5.0, 1, 3, 4])
    array([5., 3., 3., 3.])
    >>> rolling.update([9.0, 8]).quantile()
    np.float64(8.0)
    >>> rolling
    <RollingQuantiles: the last 3 of 6 values of float64>
    """

    def __init__(
        self,
        window: SupportsIndex,
        q: npt.ArrayLike = 0.5,
        *,
        method: QuantileMethod = "linear",
        nan: RollingNaN = "propagate",
        dtype: npt.DTypeLike | None = None,
    ) -> None:
        self._lock = SummaryLock()
        length = checked_length(window, "window")
        if nan not in get_args(RollingNaN):
            raise BadOption(f"nan is 'propagate', 'omit' or 'raise', not {nan!r}")
        self._q, self._method, self._nan = q, method, nan
        self._shares = shares_of(q, method)
        self._count = count = self._shares.size
        self._ranks: SortedWindows | RollingRanks = (
            SortedWindows(length) if length <= SHORT else RollingRanks(length, count)
        )
        self._line = RollingLine(length, None if dtype is None else number_type(dtype))

    @property
    def window(self) -> int:
        """The number of values that a quantile is of."""
        return self._line.length

    @property
    @locked
    def n(self) -> int:
        """How many values have come, NaNs among them."""
        return self._line.n

    @property
    @locked
    def dtype(self) -> np.dtype[Any] | None:
        """The type of the values; None until there are values or a type was given."""
        return self._line.dtype

    @locked
    def update(self, values: Any, weights: None = None) -> Self:
        """Take in a number or a flat array; return this object.

        The values of a window have no weights (BadOption): repeat them by `np.repeat`.

        Raises
        ------
        UnsupportedKeys, KeysNotFlat
            The values are no flat array of numbers, or do not fit the type of the stream.
        NaNRefused
            A value is NaN, and `nan="raise"` was asked for.
        """
        if weights is not None:
            raise BadOption("RollingQuantiles takes no weights: pass np.repeat(values, weights)")
        for begin in self._line.parts(self._accepted(values)):
            self._line.count_missing(begin)
            self._ranks.after(self._line.values, begin, [Questions.none()] * self._count)
        return self

    @locked
    def roll(self, values: Any, stride: SupportsIndex = 1) -> Keys:
        """Take in values; return the quantiles after each of them, or after each `stride`-th one.

        The result has the shape of q, followed by the number of answers. With a stride, answers are
        those after the values of the stream whose numbers, from 1, are multiples of it.

        Raises
        ------
        UnsupportedKeys, KeysNotFlat, NaNRefused
            As `update` does.
        BadWindow
            The stride is no positive integer.
        """
        every = checked_length(stride, "stride")
        return self._rolled(self._accepted(values), -(self._line.n + 1) % every, every)

    @locked
    def quantile(self) -> Any:
        """Return the quantiles of the last values, in the shape of q; raise EmptySummary if none.

        The type is that of `np.quantile`.
        """
        if not self._line.n:
            raise EmptySummary("there is no value yet: update it first")
        missing = np.array([self._line.missing])
        counts = len(self._line.window) - missing
        lower, upper, weight = plan_each(np.maximum(counts, 1), self._shares, self._method)
        places = (each.ravel().tolist() for each in (lower, upper))
        found = [self._ranks.now(self._line.values, each) for each in places]
        values = np.array(found, self._line.dtype).reshape(2, *lower.shape)
        return self._mixed(values, weight, counts, missing)[..., 0][()]

    @locked
    def copy(self) -> Self:
        """Return an equal object that is independent of this one."""
        return copy(self)

    def _accepted(self, values: Any) -> Keys:
        """Return values as a flat array of the type of the stream, or raise an error."""
        with np.errstate(invalid="ignore"):  # signalling NaNs become quiet ones
            keys = plain_zeros(as_values(values, self._line.dtype))
        if self._nan == "raise" and keys.dtype.kind == "f" and (nans := np.isnan(keys).sum()):
            raise NaNRefused(f"{nans} of these values are NaN, and nan='raise' was asked for")
        return keys

    def _rolled(self, keys: Keys, first: int, every: int) -> Keys:
        """Take keys in; return the quantiles after the key `first`, from 0, and every some keys."""
        one = np.ones(1, np.int64)
        _, _, weight = plan_each(one, self._shares, self._method)
        nothing = np.empty((2, *self._shares.shape, 0), keys.dtype)
        answers = [self._mixed(nothing, weight, one, one - 1)]
        for begin in self._line.parts(keys):
            steps = len(self._line.values) - begin
            asked = len(range(first, steps, every))
            answers.append(self._after(begin, first, every, asked))
            first += asked * every - steps
        return answers[1] if len(answers) == 2 else np.concatenate(answers, axis=-1)

    def _after(self, begin: int, first: int, every: int, asked: int) -> Keys:
        """Return the quantiles after some of the values of the line from `begin` on."""
        line, missing = self._line.values, self._line.count_missing(begin)
        counts = self._line.sizes(begin) - missing
        if asked:
            counts, missing = (
                each if len(each) == 1 else each[first::every] for each in (counts, missing)
            )
        else:
            counts, missing = np.ones(1, np.int64), np.zeros(1, np.int64)
        lower, upper, weight = plan_each(np.maximum(counts, 1), self._shares, self._method)
        ranks, more = np.where(counts > 0, lower, -1), upper - lower
        each = (np.broadcast_to(part, (*lower.shape[:-1], asked)) for part in (ranks, more))
        pairs = zip(*(part.reshape(self._count, asked) for part in each), strict=True)
        found = self._ranks.after(line, begin, [Questions(first, every, *pair) for pair in pairs])
        return self._mixed(found.reshape(2, *lower.shape[:-1], asked), weight, counts, missing)

    def _mixed(self, found: Keys, weight: Any, counts: Integers, missing: Integers) -> Keys:
        """Return quantiles from the values of two ranks; NaN where there is none."""
        weak = type(self._q) in (int, float)
        with np.errstate(invalid="ignore", over="ignore"):
            quantiles: Keys = mixed(np, found[0], found[1], weight, weak=weak)
        none = missing > 0 if self._nan == "propagate" else counts < 1
        if none.any():
            quantiles[..., np.broadcast_to(none, quantiles.shape[-1:])] = np.nan
        return quantiles

    def _told(self) -> str:
        typed = f" of {self._line.dtype}" if self._line.dtype else ""
        return f"the last {len(self._line.window):,} of {self._line.n:,} values{typed}"

    def _rows(self) -> list[Row]:
        with self._lock:
            shares = np.ravel(self._q).tolist()
            found = np.ravel(self.quantile()).tolist() if self._line.n else []
            told = zip((f"quantile {share}" for share in shares), found, strict=False)
            return [
                ("window", self.window),
                ("values", self._line.n),
                *first_rows([*told], "quantiles"),
            ]

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            options = {"q": self._q, "method": self._method, "nan": self._nan}
            held = {"n": self._line.n, "values": self._line.window.copy()}
            return {"window": self.window, **options, "dtype": self._line.dtype, **held}

    def __setstate__(self, state: dict[str, Any]) -> None:
        n, values = state.pop("n"), state.pop("values")
        self.__init__(**state)  # type: ignore[misc]
        self.update(values)
        self._line.n = n


def rolling_quantiles(
    values: Any,
    window: SupportsIndex,
    q: npt.ArrayLike = 0.5,
    *,
    method: QuantileMethod = "linear",
    nan: RollingNaN = "propagate",
    stride: SupportsIndex = 1,
) -> Keys:
    """Return exact quantiles of every full window of a flat array, or of every `stride`-th one.

    The result is that of

        windows = np.lib.stride_tricks.sliding_window_view(values, window)[::stride]
        np.quantile(windows, q, axis=1, method=method)

    and its shape is that of q, followed by the number of windows: 0 if there are fewer values than
    a window has. The arguments are those of `RollingQuantiles`, which does the same for a stream.

    Examples
    --------
    >>> rolling_quantiles([5, 1, 3, 4, 9], 3)
    array([3., 3., 4.])
    >>> rolling_quantiles([5, 1, 3, 4, 9], 3, [0, 1], method="lower", stride=2)
    array([[1, 3],
           [5, 9]])
    """
    rolling = RollingQuantiles(window, q, method=method, nan=nan)
    every = checked_length(stride, "stride")
    return rolling._rolled(rolling._accepted(values), rolling.window - 1, every)
