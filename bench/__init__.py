"""Benchmarks: each checks the answers before it times, and records the device that it ran on.

A benchmark is a module or a package of its name: `python -m bench.ladder --help`. `shared/` holds
what several of them need, `papers/` the papers' own measurements, and `records/` the results.
"""
