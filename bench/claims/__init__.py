"""The papers' claims in words: what no other benchmark measures, and what each claim comes to.

`bench/papers/claims/` has the claims as data. `python -m bench.claims` measures what other records
have not: `minimising`, `bucketing`, `many_ranks`, `summaries` and `times` are its parts. `claim`
and `sources` compute a verdict from records; a module for each paper says which figures to take.
"""
