"""Launching kernels: compiling them, their workspace, and how their results come back."""
