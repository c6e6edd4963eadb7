"""The kernel microscope beside the hardware: what it says kernels cost, and what a GPU counts.

    python -m bench.gpu.microscope --output bench/records/microscope-….json

`kernels.json` has kernels in the language of the exercises, and what the pages' simulator says of
each: sectors of global memory, wavefronts and bank conflicts of shared memory. Here they run in
CUDA, through volatile pointers, so that the compiler merges no accesses. Nsight Compute counts.
"""

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from bench.gpu.counters import profile
from bench.shared.benchmark import benchmark
from bench.shared.data import ensure
from bench.shared.machines import opened
from bench.shared.options import Options, option
from bench.shared.record import Row
from shadersort.lessons.exercises.kernels.dialect import Setting, cuda
from shadersort.lessons.exercises.kernels.simulator import Launch, simulate

KERNELS: dict[str, Any] = json.loads(
    Path(__file__).with_name("kernels.json").read_text(encoding="utf-8")
)
TEXTS = {name: "\n".join(kernel["text"]) for name, kernel in KERNELS.items()}
SETTING = Setting(threads=128)
LAUNCH = Launch(np.arange(1 << 15) * 2654435761 >> 7 & 0xFFFFF, np.zeros(1 << 15, int), 4)

COUNTERS = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "global read sectors",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": "global write sectors",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum": "global atomic sectors",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": "shared read wavefronts",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum": "shared write wavefronts",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum": "shared atomic wavefronts",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": "shared read conflicts",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum": "shared write conflicts",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum": "shared atomic conflicts",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": "shared read wavefronts",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum": "shared write wavefronts",
}
"""Counters of Nsight Compute, and what the simulator calls the same."""


def on_profiler(_: Options) -> AbstractContextManager[Row]:
    """Describe the GPU and the profiler."""
    said = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=False).stdout
    return nullcontext({**opened("cuda").described(), "ncu": said.split("Version ")[-1].strip()})


@benchmark("microscope", __doc__, on=on_profiler)
@option("--inside", is_flag=True, hidden=True, help="run the kernels for the profiler")
def main(_: Row, options: Options) -> Iterator[Row]:
    """Yield what each kernel costs by the simulator and by the counters, where either is not 0."""
    if options.inside:
        run_kernels()
        return
    words, same = ["bench.gpu.microscope", "--inside"], dict(zip(COUNTERS, COUNTERS, strict=True))
    launches = profile(words, KERNELS, same)
    for launch, (name, stored) in zip(launches, KERNELS.items(), strict=True):
        assert launch["launch"] == name
        for counter, meaning in COUNTERS.items():
            access, what = meaning.rsplit(" ", 1)
            row = {"kernel": name, "access": access, "what": what, "counter": counter}
            simulated, counted = stored["simulated"].get(access, {}).get(what, 0), launch[counter]
            if simulated or counted:
                yield {**row, "simulated": simulated, "counted": int(counted)}


def run_kernels() -> None:
    """Run every kernel in CUDA, once, and check its result."""
    import cupy

    keys = cupy.asarray(LAUNCH.keys.astype(np.int32))
    for name, text in TEXTS.items():
        kernel = cupy.RawModule(code=cuda_text(name)).get_function(name)
        result = cupy.asarray(LAUNCH.result.astype(np.int32))
        cupy.cuda.runtime.profilerStart()
        kernel((LAUNCH.blocks,), (SETTING.threads,), (keys, np.int32(keys.size), result))
        cupy.cuda.runtime.profilerStop()
        (expected,) = simulate(text, SETTING, LAUNCH, orders=1).results
        ensure((result.get() == expected).all(), name)


def cuda_text(name: str) -> str:
    """Return a kernel in CUDA C, by its name, whose arrays are all volatile."""
    text = cuda(TEXTS[name], SETTING).replace(" kernel(", f" {name}(")
    text = re.sub(r"(?<=__shared__ )|(?=int\* (?:keys|result))", "volatile ", text)
    return re.sub(r"(atomic\w+\()&", r"\1(int*)&", text)


if __name__ == "__main__":
    main()
