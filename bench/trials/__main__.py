"""Random trials of the functions that select on a GPU: every answer checked, and the slowest named.

    python -m bench.trials --output bench/records/trials-….json
    python -m bench.trials --first 1234 --trials 1           # the trial of this seed again

The seed of a trial draws everything: the type, the number of keys (its logarithm is evenly spread
up to 2^24; 1 trial in 100 has nearly 2^26), the data (the papers' and hostile ones), where the
first key is, the function, and its rank or count. The answer is compared with a sort on the device,
bit for bit where the function promises bits. The keys must not have changed, unless the result
takes their place.

`select`, `median` and `nanmedian` are timed, in turns with `max` of the same keys, which is one
read. A trial is compared with the trials of its class: keys of the same width, whose numbers differ
by a factor of less than 1.42, because any selection of more keys takes longer. A class mixes types,
data, ranks, functions and alignments, so `worst_ratio`, its longest time over its median time, says
what these cost; size may account for 1.2 of it. Up to 2^12 keys, which one block reads, are one
class. A class with fewer than 10 timed trials has no ratio: of the `timed` trials, the summary says
how many were `compared`. The slowest trial of a class is measured again, until the slowest is one
that was measured twice. The shorter time counts, because slow data are slow twice;
`first_worst_ratio` is the ratio before that.

A wrong answer or an error has a row with the seed, and the command fails at the end. The trials end
after 20 errors.
"""

import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import asdict

import click

from bench.shared.machines import Machine, opened
from bench.shared.options import COUNT, Options, command, option, output_option
from bench.shared.record import Row, begun, tell
from bench.trials.classes import TIMED, Timed, classes, summary, timed
from bench.trials.trial import Trial, drawn, keys_of, right

MOST_ERRORS = 20
"""After so many errors no trial is begun: the device does not work any more."""


@command(__doc__)
@option("--trials", type=COUNT, default=10_000, help="number of trials")
@option("--seconds", type=float, default=480.0, help="no trial begins later than this")
@option("--first", type=int, default=0, help="seed of the first trial; the next ones follow")
@option("--most", type=COUNT, default=1 << 24, show_default="2^24", help="keys of usual trials")
@option("--repeats", type=int, default=5, help="of a call in a turn; the median counts")
@option("--turns", type=int, default=3, help="of a call and `max`; the median counts")
@output_option
def main(options: Options) -> None:
    """Run the trials; fail if an answer is wrong."""
    machine = opened("cuda")
    record = begun("trials", machine.described())
    tell(record, measurements(machine, options), options.output)
    if failed := [row["seed"] for row in record["rows"] if row["row"] in ("wrong", "error")]:
        raise click.ClickException(f"wrong answers or errors, with the seeds {failed}")


def measurements(machine: Machine, options: Options) -> Iterator[Row]:
    """Run trials; yield a row for each that fails, then for each class, and a summary."""
    started, done, times = time.monotonic(), 0, list[Timed]()
    failed = {"wrong": 0, "error": 0}
    for seed in range(options.first, options.first + options.trials):
        if time.monotonic() - started > options.seconds or failed["error"] == MOST_ERRORS:
            break
        trial, done = drawn(seed, options.most), done + 1
        found = ran(machine, trial, options)
        if isinstance(found, Timed):
            times.append(found)
        elif found is not None:
            failed[found["row"]] += 1
            yield found
    rows = [] if failed["error"] == MOST_ERRORS else list(classes(machine, times, options))
    yield from rows
    took = {"seconds": time.monotonic() - started}
    yield {"row": "summary", "trials": done, **failed, **took, **summary(rows)}


def ran(machine: Machine, trial: Trial, options: Options) -> Timed | Row | None:
    """Run a trial; return its time if it is a timed one, or a row if it fails."""
    try:
        keys = keys_of(machine, trial)
        if right(machine, trial, keys):
            return timed(machine, trial, keys, options) if trial.call in TIMED else None
    except Exception as error:  # whatever it is, it belongs to this seed
        traceback.print_exc(file=sys.stderr)
        return {"row": "error", **asdict(trial), "error": f"{type(error).__name__}: {error}"}
    return {"row": "wrong", **asdict(trial)}


if __name__ == "__main__":
    main()
