"""The kernels of the pages on a GPU: their costs, which the simulator says, and speed."""

import pytest

from bench.gpu.microscope import KERNELS, LAUNCH, SETTING, TEXTS
from bench.shared.record import Library
from tests.web.test_kernels import Run, executor

__all__ = ["executor"]

COUNT = """
(kernels, launch, setting) => Object.fromEntries(Object.entries(kernels).map(([name, text]) => {
    const { steps, faults } = traceKernel(readKernel(text, setting), launch, 0, 1e7), found = {};
    if (faults.length) throw new Error(name);
    for (const { accesses } of warpInstructions(steps, setting.threads)) {
        for (const { space, way, sectors, ways } of accesses) {
            const sum = (found[`${space} ${way}`] ??= {});
            const costs = sectors ? { sectors } : { wavefronts: ways, conflicts: ways - 1 };
            for (const [what, some] of Object.entries(costs)) sum[what] = (sum[what] ?? 0) + some;
        }
    }
    return [name, found];
}))
"""
"""Adds up what each kind of access costs, in all warps."""


@pytest.mark.slow
def test_kernels_cost_what_the_simulator_says(executor: Run) -> None:
    launch = {"keys": LAUNCH.keys.tolist(), "result": LAUNCH.result.tolist(), "numbers": []}
    launch["blocks"] = LAUNCH.blocks
    setting = {"threads": SETTING.threads, "numbers": [], "constants": {}}
    found = executor(COUNT, TEXTS, launch, setting)
    assert found == {name: kernel["simulated"] for name, kernel in KERNELS.items()}


def test_a_gpu_counted_what_the_simulator_says() -> None:
    rows = Library()["microscope-nvidia-h200"].rows
    assert {row["kernel"] for row in rows} == KERNELS.keys()
    assert len(KERNELS) >= 20
    for row in rows:
        simulated, counted = row["simulated"], row["counted"]
        stored = KERNELS[row["kernel"]]["simulated"].get(row["access"], {})
        assert simulated == stored.get(row["what"], 0)
        if "atomic" not in row["access"]:
            assert abs(simulated - counted) <= 0.01 * max(simulated, counted), row
