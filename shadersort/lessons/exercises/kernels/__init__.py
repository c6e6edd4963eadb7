"""The language of the lessons' kernels: one text that is simulated here, and is GLSL and CUDA C."""
