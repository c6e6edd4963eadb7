"""The simulator of kernels in a page: the scripts that read, run, trace and check a kernel."""

KERNEL_SCRIPTS = tuple(
    f"kernels/{name}.js"
    for name in ("tokens", "expressions", "statements", "evaluate", "operations", "memory", "machine", "trace", "verdict")
)
"""In the order in which they stand in a page. They show nothing, and need no other script."""
