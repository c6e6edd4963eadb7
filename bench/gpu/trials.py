"""Random trials of the functions that select on a GPU: every answer checked.

    python -m bench.gpu.trials --output bench/records/trials-….json
    python -m bench.gpu.trials --first 1234 --trials 1           # the trial of this seed again
    python -m bench.gpu.trials --parts 7 --trials 5000 --output bench/records/trials-parts-….json

The seed of a trial draws the type, the number of keys (its logarithm is evenly spread up to 2^24; 1
trial in 100 has nearly 2^26), the data (the papers' and hostile ones), where the first key is, the
function, and its rank or count. The answer is compared with a sort on the device, bit for bit where
the function promises bits. The keys must not have changed. With `--parts` they are cut anywhere
into arrays, which lie on all devices in turn, and stay there even if they are few.
"""

import math
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from itertools import pairwise
from multiprocessing import get_context
from typing import Any, NamedTuple

import click
import numpy as np

import modern
from bench.shared.benchmark import benchmark
from bench.shared.definitions import Definitions
from bench.shared.hostile import draw, names_of
from bench.shared.machines import Machine, opened
from bench.shared.options import COUNT, Options, option
from bench.shared.record import Row
from shadersort.keys.types import Integers

TYPES = ("float16", "float32", "float64", "int32", "int64", "uint32", "uint64")
CALLS = {"select": 6, "multiselect": 3, "median": 3, "nanmedian": 3, "topk": 4, "threshold": 4}
"""The functions, and the shares of the trials that they have."""

HOW = {"topk": ["largest", "smallest"], "threshold": ["hard", "soft"]}


class Trial(NamedTuple):
    """What one trial does."""

    seed: int
    dtype: str
    n: int
    data: str
    offset: int  # keys before the first, from the start of their memory
    call: str
    k: int = 0  # a rank or a count
    how: str = ""  # more of the function
    parts: int = 0  # arrays of `Parts`


@benchmark("trials", __doc__)
@option("--trials", type=COUNT, default="10_000", help="number of trials")
@option("--seconds", type=float, default=480.0, help="no trial begins later than this")
@option("--processes", type=int, default=1, help="that run trials at the same time")
@option("--first", type=int, default=0, help="seed of the first trial; the next ones follow")
@option("--parts", type=int, default=0, help="cut the keys into up to so many arrays")
@option("--most", type=COUNT, default="2^24", help="keys of usual trials")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield a row for each trial that fails, and a summary; fail if an answer is wrong."""
    started, done, wrong = time.monotonic(), 0, list[int]()
    seeds = range(options.first, options.first + options.trials)
    shares = [seeds[number :: options.processes] for number in range(options.processes)]
    limits = {"most": options.most, "parts": options.parts}
    run = partial(run_trials, seconds=options.seconds, **limits)
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        for count, failed in pool.map(run, shares):
            done += count
            wrong += [row["seed"] for row in failed]
            yield from failed
    yield {"row": "summary", "trials": done, "seconds": time.monotonic() - started}
    if wrong:
        raise click.ClickException(f"wrong answers or errors, with the seeds {wrong}")


def run_trials(seeds: range, seconds: float, most: int, parts: int) -> tuple[int, list[Row]]:
    """Run trials; return how many, and a row for each that fails."""
    if parts:
        rows: Any = import_module("modern.cards.rows")
        rows.FEW = -1
    machine, failed, end = opened("cuda"), list[Row](), time.monotonic() + seconds
    for done, seed in enumerate(seeds):
        if time.monotonic() > end:
            return done, failed
        trial = draw_trial(seed, most, parts)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore", RuntimeWarning)  # of NaNs, and infinite float16
                if not is_right(machine, trial):
                    failed.append({"row": "wrong", **trial._asdict()})
        except Exception as error:  # whatever it is, it belongs to this seed
            traceback.print_exc(file=sys.stderr)
            failed.append({"row": "error", **trial._asdict(), "error": f"{error!r}"})
    return len(seeds), failed


def draw_trial(seed: int, most: int, parts: int) -> Trial:
    """Draw a trial from its seed, of up to so many parts if there are any."""
    random = np.random.default_rng(seed)
    dtype, n = str(random.choice(TYPES)), _spread(random, most)
    if random.random() < 0.01:
        n = 4 * most - int(random.integers(min(most, 1000)))
    data, shares = str(random.choice(names_of(dtype))), np.array(list(CALLS.values()))
    call = str(random.choice(list(CALLS), p=shares / shares.sum()))
    if parts:
        parts, call = int(random.integers(1, parts + 1)), "topk" if call == "threshold" else call
    trial = Trial(seed, dtype, n, data, int(random.integers(33)), call, parts=parts)
    if call in HOW:
        return trial._replace(k=_spread(random, n), how=str(random.choice(HOW[call])))
    return trial if "median" in call else trial._replace(k=_rank(random, n))


def _spread(random: np.random.Generator, most: int) -> int:
    """Return an integer from 1 to `most`; its logarithm is evenly spread."""
    return min(int(2 ** (random.random() * math.log2(most + 1))), most)


def _rank(random: np.random.Generator, n: int) -> int:
    """Return a rank of n keys: any, the middle, an end, or one near an end."""
    near = _spread(random, n) - 1
    return int(random.choice([int(random.integers(n)), n // 2, 0, n - 1, near, n - 1 - near]))


def ranks_of(trial: Trial) -> Integers:
    """Draw up to 300 ranks, of which one is the trial's."""
    random = np.random.default_rng(trial.seed)
    ranks = random.integers(0, trial.n, int(random.integers(1, 300)))
    return np.append(ranks if trial.seed % 2 else np.sort(ranks), trial.k)


def spread(machine: Machine, keys: Any, trial: Trial) -> modern.Parts:
    """Return the keys cut anywhere, on all devices in turn."""
    random, devices = np.random.default_rng(trial.seed), machine.xp.cuda.runtime.getDeviceCount()
    places = np.sort(random.integers(0, keys.size + 1, trial.parts - 1)).tolist()
    parts = []
    for place, (start, end) in enumerate(pairwise([0, *places, keys.size])):
        some = keys[start:end].get()
        with machine.xp.cuda.Device(place % devices):
            parts.append(machine.xp.asarray(some))
    return modern.Parts(parts)


def is_right(machine: Machine, trial: Trial) -> bool:
    """Return whether the answer of a trial is right, and the keys are unchanged."""
    n, dtype, seed = trial.n + trial.offset, trial.dtype, trial.seed
    keys = draw(machine.xp, trial.data, n, dtype=dtype, seed=seed)[trial.offset :]
    definitions, call, k, how = Definitions(machine.xp, keys.copy()), trial.call, trial.k, trial.how
    arguments: dict[str, Any] = {"topk": {"largest": how == "largest"}, "threshold": {"kind": how}}
    wanted = ranks_of(trial) if call == "multiselect" else k
    given = () if "median" in call else (wanted,)
    x = spread(machine, keys, trial) if trial.parts else keys
    found = getattr(modern, call)(x, *given, **arguments.get(call, {}))
    if "select" in call:
        good = definitions.are_keys(found, wanted)
    elif call == "topk":
        good = definitions.is_top(found, k, largest=how == "largest")
    elif call == "threshold":
        good = definitions.is_threshold(found, k, how)
    else:
        good = definitions.is_median(found, of_numbers=call == "nanmedian")
    bits = f"u{keys.dtype.itemsize}"
    return good and not bool((keys.view(bits) != definitions.keys.view(bits)).any())


if __name__ == "__main__":
    main()
