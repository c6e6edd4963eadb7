"""Random trials of the functions that select on a GPU: every answer checked, and the slowest named.

    python -m bench.gpu.trials --output bench/records/trials-….json
    python -m bench.gpu.trials --first 1234 --trials 1           # the trial of this seed again

The seed of a trial draws everything: the type, the number of keys (its logarithm is evenly spread
up to 2^24; 1 trial in 100 has nearly 2^26), the data (the papers' and hostile ones), where the
first key is, the function, and its rank or count. The answer is compared with a sort on the device,
bit for bit where the function promises bits. The keys must not have changed. Several processes
share the trials, and then nothing is timed.

`select`, `median` and `nanmedian` are timed. A time is compared with those of its class: keys of
the same width, whose numbers differ by a factor of less than 1.42; up to 2^12 keys are one class.
The longest time of a class is measured again, and the shorter one counts, because slow data are
slow twice.

A wrong answer or an error has a row with the seed, and the command fails at the end.
"""

import math
import subprocess
import sys
import time
import traceback
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

import modern
from bench.shared.definitions import Definitions
from bench.shared.hostile import draw, names_of
from bench.shared.machines import Machine, opened
from bench.shared.options import COUNT, Options, command, option, output_option
from bench.shared.record import Row, begun, read, tell

TYPES = ("float16", "float32", "float64", "int32", "int64", "uint32", "uint64")
CALLS = {"select": 6, "median": 3, "nanmedian": 3, "topk": 4, "threshold": 4}
"""The functions, and the shares of the trials that they have."""

TIMED = ("select", "median", "nanmedian")
LEAST_TIMED = 10
"""Timed trials that a class needs to have a ratio."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What one trial does. `k` is a rank or a count; `how` says more of the function."""

    seed: int
    dtype: str
    n: int
    data: str
    offset: int
    call: str
    k: int = 0
    how: str = ""


@command(__doc__)
@option("--trials", type=COUNT, default=10_000, help="number of trials")
@option("--seconds", type=float, default=480.0, help="no trial begins later than this")
@option("--processes", type=int, default=1, help="that run trials at the same time")
@option("--first", type=int, default=0, help="seed of the first trial; the next ones follow")
@option("--most", type=COUNT, default=1 << 24, show_default="2^24", help="keys of usual trials")
@option("--repeats", type=int, default=5, help="of a call; the median counts")
@output_option
def main(options: Options) -> None:
    """Run the trials; fail if an answer is wrong."""
    machine = opened("cuda")
    record = begun("trials", machine.described())
    rows = measurements if options.processes == 1 else shared_trials
    tell(record, rows(machine, options), options.output)
    if failed := [row["seed"] for row in record["rows"] if row["row"] in ("wrong", "error")]:
        raise click.ClickException(f"wrong answers or errors, with the seeds {failed}")


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Run trials; yield a row for each that fails, then for each class, and a summary."""
    started, done = time.monotonic(), 0
    times = defaultdict[tuple[int, int], list[tuple[float, Trial]]](list)
    for seed in range(options.first, options.first + options.trials):
        if time.monotonic() - started > options.seconds:
            break
        trial, done = draw_trial(seed, options.most), done + 1
        try:
            keys = keys_of(machine, trial)
            if not is_right(machine, trial, keys):
                yield {"row": "wrong", **asdict(trial)}
            elif trial.call in TIMED and options.repeats:
                width = np.dtype(trial.dtype).itemsize
                times[width, class_of(trial.n)].append((_ms(machine, trial, keys, options), trial))
        except Exception as error:  # whatever it is, it belongs to this seed
            traceback.print_exc(file=sys.stderr)
            yield {"row": "error", **asdict(trial), "error": f"{type(error).__name__}: {error}"}
    for (width, size), some in sorted(times.items()):
        yield {"row": "class", "key_bytes": width, "class": size, **_worst(machine, some, options)}
    yield {"row": "summary", "trials": done, "seconds": time.monotonic() - started}


def shared_trials(_: Machine, options: Options) -> Iterator[Row]:
    """Have processes run trials; yield a row for each that fails, and a summary."""
    started, size = time.monotonic(), -(-options.trials // options.processes)
    words = [
        sys.executable,
        "-m",
        "bench.gpu.trials",
        "--most",
        str(options.most),
        "--repeats",
        "0",
    ]
    words += ["--seconds", str(options.seconds), "--trials", str(size)]
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.json") for number in range(options.processes)]
        running = [
            subprocess.Popen(
                [*words, "--first", str(options.first + number * size), "--output", str(path)],
                stdout=subprocess.DEVNULL,
            )
            for number, path in enumerate(paths)
        ]
        for process in running:
            process.wait()
        rows = [row for path in paths for row in read(path).rows]
    yield from (row for row in rows if row["row"] != "summary")
    done = sum(row["trials"] for row in rows if row["row"] == "summary")
    yield {"row": "summary", "trials": done, "seconds": time.monotonic() - started}


def _worst(machine: Machine, some: list[tuple[float, Trial]], options: Options) -> Row:
    """Return the row of a class: the median time, and the longest beside it."""
    ms, trial = max(some, key=lambda each: each[0])
    ms = min(ms, _ms(machine, trial, keys_of(machine, trial), options))
    middle = median(each for each, _ in some)
    row: Row = {"timed": len(some), "median_ms": middle, "worst_ms": ms, **asdict(trial)}
    return row | ({"worst_ratio": ms / middle} if len(some) >= LEAST_TIMED else {})


def class_of(n: int) -> int:
    """Return the class of a number of keys: p for those up to 2^(p/2) that are in no class before.

    Examples
    --------
    >>> [class_of(n) for n in (1, 4096, 4097, 5792, 5793, 8192, 8193)]
    [24, 24, 25, 25, 26, 26, 27]
    """
    return max(24, math.ceil(2 * math.log2(n)))


def draw_trial(seed: int, most: int) -> Trial:
    """Draw a trial from its seed."""
    random = np.random.default_rng(seed)
    dtype, n = str(random.choice(TYPES)), _spread(random, most)
    if random.random() < 0.01:
        n = 4 * most - int(random.integers(min(most, 1000)))
    data, shares = str(random.choice(names_of(dtype))), np.array(list(CALLS.values()))
    call = str(random.choice(list(CALLS), p=shares / shares.sum()))
    trial = Trial(seed, dtype, n, data, int(random.integers(33)), call)
    if call == "topk":
        how = str(random.choice(["largest", "smallest"]))
        return replace(trial, k=_spread(random, n), how=how)
    if call == "threshold":
        return replace(trial, k=_spread(random, n), how=str(random.choice(["hard", "soft"])))
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
    with _quiet():
        return draw(machine.xp, trial.data, n, dtype=trial.dtype, seed=seed)[trial.offset :]


@contextmanager
def _quiet() -> Iterator[None]:
    """Ignore NumPy's warnings of NaNs, of medians of NaNs alone, and of infinite float16."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def is_right(machine: Machine, trial: Trial, keys: Any) -> bool:
    """Return whether the answer of a trial is right, and the keys are unchanged."""
    with _quiet():
        definitions, found = Definitions(machine.xp, keys.copy()), call_of(trial, keys)()
        if trial.call == "select":
            good = definitions.are_keys(found, trial.k)
        elif trial.call == "topk":
            good = definitions.is_top(found, trial.k, largest=trial.how == "largest")
        elif trial.call == "threshold":
            good = definitions.is_threshold(found, trial.k, trial.how)
        else:
            good = definitions.is_median(found, of_numbers=trial.call == "nanmedian")
        bits = f"u{keys.dtype.itemsize}"
        return good and not bool((keys.view(bits) != definitions.keys.view(bits)).any())


def call_of(trial: Trial, keys: Any) -> Callable[[], Any]:
    """Return the call of a trial."""
    how: Any = trial.how
    calls: dict[str, Callable[[], Any]] = {
        "select": lambda: modern.select(keys, trial.k),
        "median": lambda: modern.median(keys),
        "nanmedian": lambda: modern.nanmedian(keys),
        "topk": lambda: modern.topk(keys, trial.k, largest=how == "largest"),
        "threshold": lambda: modern.threshold(keys, trial.k, kind=how),
    }
    return calls[trial.call]


def _ms(machine: Machine, trial: Trial, keys: Any, options: Options) -> float:
    with _quiet():
        return machine.ms(call_of(trial, keys), options.repeats)


if __name__ == "__main__":
    main()
