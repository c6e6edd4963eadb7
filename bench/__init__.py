"""Benchmarks: each checks the answers before it times, and records the device that it ran on.

A benchmark is a module or a package of its name: `python -m bench.drawing.ladder --help`. `shared/`
holds what several of them need, `papers/` the numbers that the papers print, `records/` the
results. `python -m bench.fill` writes figures of the records into the pages, by formulas.
"""
