"""Kernels that students write: one text that is GLSL and CUDA C, and runs without a GPU.

Why compute shaders, and not the CUDA simulator of numba? Both run without a GPU, and both have
shared memory, barriers and atomics. But the simulator runs Python: the student would never see a
compiler, nor write a line that a GPU takes. It starts a thread of the operating system for each
thread of a block. So the sum of 3,000 keys by 47 blocks took 4.6 s in the simulator of numba 0.68,
and 2 ms here, in four orders of the threads (two cores of 2026). Its threads take turns as the
system likes, and nobody can set their order. And numba with llvmlite would be 200 MB to install.

A compute shader runs wherever the other lessons run: Mesa's llvmpipe is the OpenGL of a machine
without a GPU. It takes the threads of a block in a fixed order, which `running` changes on
purpose, so that a missing barrier is found in every run. It lets each thread loop 65,535 times at
most, so an endless loop there is a wrong result, and not a wait. What macOS has, OpenGL 4.1, is
not enough.
"""
