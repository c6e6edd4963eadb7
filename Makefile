# make demo   sorts a million keys on the best device here, and shows it
# make test   runs every check

PYTHON ?=
VENV := .venv/bin
export PYTHON

.PHONY: help demo test lint types check soak bench notebooks format clean

help:
	@sed -n 's/^# //p' Makefile

demo: .venv/ready-plots
	$(VENV)/python -m shadersort.demo

test: lint types check notebooks

# make lint   checks style (ruff)
lint: .venv/ready-dev
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .

# make types  checks types (mypy --strict)
types: .venv/ready-dev
	$(VENV)/mypy

# make check  runs the tests and the examples of the docstrings
check: .venv/ready-dev
	$(VENV)/python -m pytest

# make soak   tries every guarantee of the stream summaries on 20,000 streams, not 2,000
soak: .venv/ready-dev
	SHADERSORT_STREAMS=20000 $(VENV)/python -m pytest tests/streams

# make notebooks  runs the notebooks
notebooks: .venv/ready-dev
	$(VENV)/python -m pytest --nbmake notebooks

# make bench  measures this machine, into bench/records/sort-here.json
bench: .venv/ready-plots
	$(VENV)/python -m bench.sort --output bench/records/sort-here.json

# make format puts the source into its form
format: .venv/ready-dev
	$(VENV)/ruff format .
	$(VENV)/ruff check --fix .

# make clean  removes what the others made
clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis demo.png

.venv/ready-%: pyproject.toml scripts/setup
	scripts/setup $*
	touch $@
