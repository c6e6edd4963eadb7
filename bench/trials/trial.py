"""What one trial does: drawn from its seed, and checked against definitions."""

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import modern
from bench.shared.definitions import Definitions
from bench.shared.hostile import draw, names_of
from bench.shared.machines import Machine

TYPES = ("float16", "float32", "float64", "int32", "int64", "uint32", "uint64")

RARE, LARGER = 100, 4
"""One trial in so many has a number of keys that is larger by this factor than that of others."""

AWAY = 33
"""The first key is at most so many keys, less one, from the start of an allocation."""

CALLS = {"select": 6, "median": 3, "nanmedian": 3, "topk": 4, "threshold": 4}
"""The functions, and the shares of the trials that they have."""

OUT = ("a new array", "in place", "another array")


@dataclass(frozen=True, slots=True)
class Trial:
    """What one trial does. `k` is a rank or a count; `how` says more of the function."""

    seed: int
    dtype: str
    n: int
    data: str
    offset: int
    call: str
    k: int
    how: str = ""
    out: str = ""


def drawn(seed: int, most: int) -> Trial:
    """Draw a trial from its seed.

    Examples
    --------
    >>> drawn(1, 1 << 24) == drawn(1, 1 << 24), drawn(1, 1 << 24) == drawn(2, 1 << 24)
    (True, False)
    """
    random = np.random.default_rng(seed)
    dtype = str(random.choice(TYPES))
    n = _spread(random, most)
    if random.random() < 1 / RARE:
        n = LARGER * most - int(random.integers(min(most, 1000)))
    data = str(random.choice(names_of(dtype)))
    shares = np.array(list(CALLS.values()))
    call = str(random.choice(list(CALLS), p=shares / shares.sum()))
    trial = Trial(seed, dtype, n, data, int(random.integers(AWAY)), call, 0)
    if call == "topk":
        how = str(random.choice(["largest", "smallest"]))
        return replace(trial, k=_spread(random, n), how=how)
    if call == "threshold":
        kind, out = str(random.choice(["hard", "soft"])), str(random.choice(OUT))
        return replace(trial, k=_spread(random, n), how=kind, out=out)
    return replace(trial, k=_rank(random, n)) if call == "select" else trial


def _spread(random: np.random.Generator, most: int) -> int:
    """Return an integer from 1 to `most`; its logarithm is evenly spread."""
    return min(int(2 ** (random.random() * math.log2(most + 1))), most)


def _rank(random: np.random.Generator, n: int) -> int:
    """Return a rank of n keys: any, the middle, an end, or one near an end."""
    near = _spread(random, n) - 1
    return int(random.choice([int(random.integers(n)), n // 2, 0, n - 1, near, n - 1 - near]))


def keys_of(machine: Machine, trial: Trial) -> Any:
    """Draw the keys of a trial; the first is `offset` keys from the start of their memory."""
    n, seed = trial.n + trial.offset, trial.seed
    with quiet():
        return draw(machine.xp, trial.data, n, dtype=trial.dtype, seed=seed)[trial.offset :]


def right(machine: Machine, trial: Trial, keys: Any) -> bool:
    """Return whether the answer of a trial is right, and the keys are unchanged."""
    with quiet():
        return _right(machine, trial, keys)


@contextmanager
def quiet() -> Iterator[None]:
    """Ignore what NumPy says of NaNs, of medians of NaNs alone, and of infinite float16."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def _right(machine: Machine, trial: Trial, keys: Any) -> bool:
    definitions = Definitions(machine.xp, keys.copy())
    if trial.call == "threshold":
        answer, given = _thresholded(machine, trial, keys)
        good = definitions.is_threshold(answer, trial.k, trial.how)
    else:
        given, answer = keys, call_of(trial, keys)()
        if trial.call == "select":
            good = definitions.are_keys(answer, trial.k)
        elif trial.call == "topk":
            good = definitions.is_top(answer, trial.k, largest=trial.how == "largest")
        else:
            good = definitions.is_median(answer, of_numbers=trial.call == "nanmedian")
    bits = f"u{keys.dtype.itemsize}"
    changed = given is not None and (given.view(bits) != definitions.keys.view(bits)).any()
    return good and not bool(changed)


def _thresholded(machine: Machine, trial: Trial, keys: Any) -> tuple[Any, Any]:
    """Threshold; return the result, and the keys unless they were given up for it."""
    out = {"in place": keys, "another array": machine.xp.ones_like(keys)}.get(trial.out)
    kind: Any = trial.how
    found = modern.threshold(keys, trial.k, kind=kind, out=out)
    if out is not None and found is not out:
        raise AssertionError("threshold returned another array than `out`")
    return found, None if out is keys else keys


def call_of(trial: Trial, keys: Any) -> Callable[[], Any]:
    """Return the call of a trial that leaves its keys alone."""
    if trial.call == "select":
        return lambda: modern.select(keys, trial.k)
    if trial.call == "topk":
        return lambda: modern.topk(keys, trial.k, largest=trial.how == "largest")
    return lambda: getattr(modern, trial.call)(keys)
