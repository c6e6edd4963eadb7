"""What the hardware counts in each launch of a call: bytes, resident warps, and what is busy.

    python -m bench.gpu.counters --output bench/records/counters-….json

Nsight Compute, which comes with CUDA as `ncu`, profiles the calls of `bench.gpu.staged` in another
process. It runs each launch several times, and empties the caches before; so its times are no
measurements of a call.
"""

import csv
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import click

from bench.gpu.staged import data_of, our_calls
from bench.shared.benchmark import benchmark
from bench.shared.hostile import draw
from bench.shared.machines import Machine
from bench.shared.options import COUNT, PATH, Options, option, repeated
from bench.shared.record import Row
from modern.kernels import kernel_names
from modern.launching import launch

DTYPES = ("float32", "float64", "int32")

COUNTERS = {
    "ns": "gpu__time_duration.sum",
    "bytes_read": "dram__bytes_read.sum",
    "bytes_written": "dram__bytes_write.sum",
    "warps_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue_percent": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "shared_percent": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
    "memory_percent": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
}
"""What a row has of a launch, and the counter of Nsight Compute that it comes from."""


@benchmark("counters", __doc__)
@option("--n", type=COUNT, default="2^28", help="number of keys")
@repeated("--dtype", type=click.Choice(DTYPES), help="default: all")
@option("--inside", type=PATH, hidden=True, help="run the calls, and name their launches here")
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield what was counted in every launch, type by type; or be the process that is profiled."""
    if options.inside:
        names = profiled_launches(machine, options.n, options.dtype[0])
        options.inside.write_text(json.dumps(names), encoding="utf-8")
        return
    for dtype in options.dtype or DTYPES:
        with TemporaryDirectory() as folder:
            named = Path(folder) / "launches.json"
            words = ["bench.gpu.counters", "--inside", str(named), "--dtype", dtype]
            counted = profile([*words, "--n", str(options.n)], kernel_names(), COUNTERS)
            names = json.loads(named.read_text(encoding="utf-8"))
        if [row["launch"] for row in counted] != [name for _, name in names]:
            raise click.ClickException("ncu has counted other launches than the calls made")
        for (what, _), row in zip(names, counted, strict=True):
            yield {"data": data_of(dtype), "dtype": dtype, "n": options.n, "what": what, **row}


def profiled_launches(machine: Machine, n: int, dtype: str) -> list[tuple[str, str]]:
    """Run every call once for the profiler; return each launch: the call, and its kernel."""
    launches: list[tuple[str, int]] = []
    runtime, plain = machine.xp.cuda.runtime, launch.Launcher.launch
    keys = draw(machine.xp, data_of(dtype), n, dtype=dtype, seed=1)
    changed = keys.copy()
    for (_, what), call in our_calls(machine, keys, changed).items():

        def noted(launcher: Any, kernel: Any, *shape: Any, what: str = what) -> None:
            launches.append((what, kernel.ptr))
            plain(launcher, kernel, *shape)

        changed[...] = keys
        machine.wait()
        runtime.profilerStart()
        with patch.object(launch.Launcher, "launch", noted):
            machine.waited(call)
        runtime.profilerStop()
    names = {kernel.ptr: key[0] for key, kernel in launch._kernels.items()}
    return [(what, names[address]) for what, address in launches]


def profile(words: Sequence[str], kernels: Iterable[str], counters: Mapping[str, str]) -> list[Row]:
    """Run a module under Nsight Compute; return the kernel and the counters of each launch.

    Launches are counted between `profilerStart` and `profilerStop`.
    """
    with TemporaryDirectory() as folder:
        log = Path(folder) / "ncu.csv"
        command = ["ncu", "--clock-control", "none", "--profile-from-start", "off", "--csv"]
        command += ["--print-units", "base", "--metrics", ",".join(counters.values())]
        command += ["--kernel-name", f"regex:^({'|'.join(kernels)})$", "--log-file", str(log)]
        command += [sys.executable, "-m", *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise click.ClickException("ncu is not installed: it comes with CUDA") from None
        said = log.read_text(encoding="utf-8") if log.exists() else ""
    if done.returncode:
        raise click.ClickException("\n".join((said, done.stdout, done.stderr)).strip())
    fields = {counter: name for name, counter in counters.items()}
    found: dict[str, Row] = {}
    for line in csv.DictReader(line for line in said.splitlines() if line.startswith('"')):
        row = found.setdefault(line["ID"], {"launch": line["Kernel Name"].split("(")[0]})
        row[fields[line["Metric Name"]]] = float(line["Metric Value"].replace(",", ""))
    return list(found.values())


if __name__ == "__main__":
    main()
