"""Every error that shadersort raises on purpose, each named for what was wrong.

A message says what was given, what is accepted, and what to do about it. Every class is a
`ShadersortError`, and also the built-in error that a caller would expect in its place.
"""

from collections.abc import Iterable
from typing import Any


class ShadersortError(Exception):
    """Base of every error that shadersort raises on purpose."""


class UnsupportedKeys(ShadersortError, TypeError):
    """Keys of this type cannot be sorted, or not by this method."""


class KeysNotFlat(ShadersortError, ValueError):
    """The array has the wrong number of dimensions."""


class BadAxis(ShadersortError, ValueError):
    """Rows cannot lie along these axes; NumPy's `AxisError` tells of axes that an array has not."""


class ArraysApart(ShadersortError, ValueError):
    """Arrays that belong together are of two libraries, or on two devices."""


class BadSamples(ShadersortError, ValueError):
    """Samples or targets are nothing that an estimator can learn from."""


class ValuesMismatch(ShadersortError, ValueError):
    """The number of values is not the number of keys that they belong to."""


class TooManyKeys(ShadersortError, ValueError):
    """There are more keys than a texture, a method, a summary or a trace holds."""


class EmptyInput(ShadersortError, ValueError):
    """There are no keys, or a summary has seen none: there is no order statistic."""


class QuantileNotNumber(ShadersortError, TypeError):
    """The q of a quantile is neither a number nor an array of numbers."""


class QuantileOutOfRange(ShadersortError, ValueError):
    """The q of a quantile is not between 0 and 1, or is NaN."""


class BadWeights(ShadersortError, ValueError):
    """Weights are negative, not finite, all zero, of a wrong shape, or the method takes none."""


class WeightsNeedAxis(ShadersortError, TypeError):
    """Weights of another shape than the keys need an axis; NumPy raises a TypeError here."""


class UnknownName(ShadersortError, ValueError):
    """Nothing has this name: no network, method, device, precision, card or data set."""


class UnknownColumn(ShadersortError, ValueError):
    """The file has no column of this name."""


class MethodUnavailable(ShadersortError, RuntimeError):
    """The device cannot draw by this method, or the method cannot sort records."""


class ProfileLimit(ShadersortError, RuntimeError):
    """The emulated card could not draw this; the message says what to do."""


class BadProgram(ShadersortError, ValueError):
    """A program cannot run; `index` is the wrong pass, or None if the whole program is wrong."""

    def __init__(self, index: int | None, reason: str) -> None:
        self.index = index
        super().__init__(reason if index is None else f"pass {index}: {reason}")


class DeviceUnavailable(ShadersortError, RuntimeError):
    """The device cannot be opened on this machine; the message says why and what to do."""


class DeviceUnusable(ShadersortError, RuntimeError):
    """The device opened, but failed the probe that every device has to pass."""


class DeviceClosed(ShadersortError, RuntimeError):
    """The device or the texture was closed before this use."""


class DeviceForked(DeviceUnavailable):
    """The device, or its driver, was opened before this process was forked, and hangs in it."""


class OutOfDeviceMemory(ShadersortError, MemoryError):
    """The device has no memory left for a texture, or for a copy of keys."""


class BadOption(ShadersortError, ValueError):
    """An option, a number or a share has an impossible value."""


class RankOutOfRange(ShadersortError, ValueError):
    """There are too few keys for this rank."""


class BadRank(ShadersortError, TypeError):
    """A rank is not an integer."""


class DidNotConverge(ShadersortError, RuntimeError):
    """A method of selection gave up; `trace` is the `SelectionTrace` of what it did until then."""

    def __init__(self, reason: str, trace: Any) -> None:
        self.trace = trace
        super().__init__(reason)


class AnswerRefuted(ShadersortError, RuntimeError):
    """Counts disproved a method's answer: the method or its device has a fault.

    Of some methods as printed the papers report such faults. `trace` is the `SelectionTrace` of
    what the method did, or None if the fault was found outside a selection.
    """

    def __init__(self, reason: str, trace: Any = None) -> None:
        self.trace = trace
        super().__init__(reason)


class NotFinite(ShadersortError, ValueError):
    """The values include infinities or NaNs, so their sum has no bound."""


class SummariesDiffer(ShadersortError, ValueError):
    """Two summaries cannot be merged: they were made with different options."""


class CorruptSummary(ShadersortError, ValueError):
    """These bytes are no summary, were changed, or have a form of another version."""


class NaNRefused(ShadersortError, ValueError):
    """A NaN or a missing value was asked about, and is no item: summaries leave them out."""


class NotMergeable(ShadersortError, TypeError):
    """Summaries of this kind cannot be merged: each describes the end of one stream."""


class ForeignFile(ShadersortError, ValueError):
    """The file does not hold what its name or the caller says."""


class GuessRefuted(ForeignFile):
    """A word further on is not of the type that was guessed from the first words."""


class InputChanged(ShadersortError, RuntimeError):
    """An input that was read twice did not have the same numbers both times."""


class NotRereadable(ShadersortError, TypeError):
    """An input can be read only once, and has to be read several times."""


class MissingPackage(ShadersortError, ModuleNotFoundError):
    """An optional package is not installed; the message says how to install it."""


class TruncatedFile(ShadersortError, ValueError):
    """The file ends before its keys do."""


class OutputExists(ShadersortError, FileExistsError):
    """The output exists already, and replacing it was not allowed."""


class DiskFull(ShadersortError, OSError):
    """No room is left on the disk for the output or for the runs."""


def choices(names: Iterable[str]) -> str:
    """Spell out names for a message: `'a', 'b' or 'c'`."""
    quoted = [repr(name) for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"
