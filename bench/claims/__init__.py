"""The papers' claims in words: what no other benchmark measures, and what each claim comes to.

`bench/papers/claims/` has the claims as data: words, bounds, and the formulas of their figures,
which `bench/formula.py` computes from records. `computed` has the figures that no formula has,
`outcomes` the verdicts. `python -m bench.claims` measures what other records have not: its parts
are in `measured/`.
"""
