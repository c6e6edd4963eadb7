"""The papers' tables, measured again: `python -m bench.reproduce`."""
