"""Kernels that students write: one text that is GLSL and CUDA C, and runs without a GPU.

Why compute shaders, and not the CUDA simulator of numba? Both run without a GPU, and both have
shared memory, barriers and atomics. But the simulator runs Python: the student would never see a
compiler, nor write a line that a GPU takes. It starts a thread of the operating system for each
thread of a block, so a block of 64 takes longer than thousands of keys do here. Its threads take
turns by chance, so a missing barrier is found in one run, and not in the next. And it would be a
dependency of its own. A compute shader runs wherever the other lessons run: Mesa's llvmpipe is the
OpenGL of a machine without a GPU. It takes the threads of a block in a fixed order, which `running`
changes on purpose, so that a missing barrier is found in every run.
"""
