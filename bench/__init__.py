"""Benchmarks: each checks the answer before it times, and records the device that it ran on."""
