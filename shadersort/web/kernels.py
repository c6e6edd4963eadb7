"""The scripts of a page with kernels: they show nothing, and need no other script."""

KERNEL_SCRIPTS = tuple(
    f"kernels/{name}.js"
    for name in (
        *("tokens", "expressions", "statements", "evaluate", "operations"),
        *("memory", "machine", "trace", "verdict"),
    )
)
"""What reads, runs, traces and checks a kernel, in the order in which scripts stand in a page."""

GPU_SCRIPTS = ("gpu/compute.js", "kernels/wgsl.js", "kernels/run_on_gpu.js")
"""What translates a kernel into WGSL, and runs it by WebGPU; these stand after the others."""
