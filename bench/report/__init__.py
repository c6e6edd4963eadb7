"""The report: every table and figure of the papers, as printed and as measured here.

`python -m bench.report` writes it from records alone, so it is the same wherever it is written.
"""
