"""The papers' claims in words: what no other benchmark measures, and what each claim comes to.

`bench/papers/claims/` has the claims as data. `python -m bench.claims` measures what other records
have not: its parts are in `measured/`. `claim` and `sources` compute a verdict from records; a
module for each paper says which figures to take.
"""
