# make demo   sorts a million keys on the best device here, and shows it
# make test   runs the checks, in less than 8 minutes on two cores
# make test-all  runs the slow tests, too, and explores with fresh seeds (MINUTES=10)

PYTHON ?=
VENV := .venv/bin
export PYTHON
unexport PYTHONDONTWRITEBYTECODE  # the tests start hundreds of processes: compile each module once

.PHONY: help demo test test-all lint types check slow size gpu memcheck soak bench report reproduce reproduce-gpu \
	notebooks lessons solutions lessons-check nbgrader site web format clean

help:
	@sed -n 's/^# //p' Makefile

demo: .venv/ready-plots
	$(VENV)/python -m shadersort demo --force

test: lint types check lessons-check

test-all: test slow soak

# make lint   checks style (ruff), and which module may import which (import-linter)
lint: .venv/ready-dev
	$(VENV)/ruff format --check .
	$(VENV)/ruff check .
	$(VENV)/lint-imports

# make types  checks types (mypy --strict)
types: .venv/ready-dev
	$(VENV)/mypy

# make check  runs the tests and the examples of the docstrings, on every core; names the slowest
check: .venv/ready-dev
	$(VENV)/python -m pytest -n auto --durations=20

# make slow   runs the tests that make test leaves out: every type and architecture, forks, windows, browsers
slow: .venv/ready-dev
	$(VENV)/python -m pytest -n auto --durations=20 -m "slow and not gpu"

# make size   prints the lines of each room beside its budget
size: .venv/ready-dev
	$(VENV)/python -m scripts.size

# make gpu    runs the tests that need a GPU, by a process for each core
gpu: .venv/ready-dev
	$(VENV)/python -m pytest -m gpu -n auto --dist worksteal

# make memcheck  runs every kernel under compute-sanitizer, which comes with CUDA
memcheck: .venv/ready-dev
	compute-sanitizer --tool memcheck --error-exitcode 1 \
		$(VENV)/python -m pytest -m gpu tests/modern/test_memory.py

# make soak   explores every property of the tests, with a fresh seed a round, until MINUTES are over or a
#             round fails; "make soak SEED=7" repeats one round
MINUTES ?= 10
soak: .venv/ready-dev
	end=$$(( $$(date +%s) + 60 * $(MINUTES) )); \
	while seed=$(or $(SEED),$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')); echo "SEED=$$seed"; \
		SHADERSORT_SOAK=$$seed $(VENV)/python -m pytest -q -n auto --hypothesis-seed=$$seed \
			-m "(hypothesis or explores) and not gpu" || exit 1; \
		[ -z "$(SEED)" ] && [ $$(date +%s) -lt $$end ]; do :; done

# make notebooks  opens the lessons in JupyterLab
notebooks: .venv/ready-notebooks
	$(VENV)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) notebooks/index.ipynb

# make lessons  builds the students' notebooks of the lessons whose sources have changed
lessons: .venv/ready-dev
	$(VENV)/python -m scripts.lessons build

# make solutions  builds the solved notebooks, and questions with answers, into notebooks/solutions, in about two minutes
solutions: .venv/ready-dev
	$(VENV)/python -m scripts.lessons build --solved

# make lessons-check  runs every lesson with dots and solved, and checks the verdicts of its exercises
lessons-check: .venv/ready-dev
	$(VENV)/python -m scripts.lessons check

# make nbgrader  has nbgrader, from an environment of its own, grade every lesson; it takes ten minutes
nbgrader: .venv/ready-dev
	$(VENV)/python -m venv build/nbgrader
	build/nbgrader/bin/pip install --quiet nbgrader
	NBGRADER=$(CURDIR)/build/nbgrader/bin/nbgrader $(VENV)/python -m pytest -m nbgrader tests/lessons/test_nbgrader.py

# make site   builds the site: lessons, report, errata and the reference, into build/site. Its lessons run
#             in the browser, by Pyodide: PYODIDE= is a folder with its files, or their address if not the
#             public one. For teachers SOLUTIONS=1 adds the solved notebooks that "make solutions" has built
site: .venv/ready-site report
	$(VENV)/python -m scripts.site $(PYODIDE)

# make web    builds the site, serves it on this machine until Ctrl-C, and opens it in a browser
web: site
	(sleep 1; $(VENV)/python -m webbrowser http://127.0.0.1:8000/) &
	$(VENV)/python -m http.server --bind 127.0.0.1 --directory build/site 8000

# make bench  measures this machine, into bench/records/sort-here.json
bench: .venv/ready-plots
	$(VENV)/python -m bench.drawing.sort --output bench/records/sort-here.json

# make report  writes every table, figure and claim of the papers from the records: docs/reproduced.md, and
#             build/report/ with the figures; it measures nothing
report: .venv/ready-plots
	$(VENV)/python -m bench.report

# make reproduce  measures the papers' tables with NumPy on this machine, in a minute or two, into
#             build/report/reproduced.html
reproduce: .venv/ready-plots
	$(VENV)/python -m bench.reproduce --device numpy --output bench/records/reproduce-here.json
	$(VENV)/python -m bench.report --here

# make reproduce-gpu  measures what needs a GPU on that of this machine (tables, curves, adversaries,
#             claims and streams; on an H200 in less than 20 minutes), into build/report/reproduced.html; it
#             times each call of tables and curves once, where the repository's records have medians
HERE := bench/records
STREAMS := bench.streams --keys 1e7 --dtype float16 --turns 1 --sorter numpy --sorter pbsn-blend \
	--sorter pbsn-compute --sorter cuda --epsilon 1e-2 --epsilon 1e-3 --epsilon 1e-4
reproduce-gpu: .venv/ready-plots .venv/ready-cuda
	$(VENV)/python -m bench.reproduce --device cuda --repeats 1 --output $(HERE)/reproduce-gpu-here.json
	$(VENV)/python -m bench.curves --device cuda --repeats 1 --output $(HERE)/curves-here.json
	$(VENV)/python -m bench.adversaries --device cuda --output $(HERE)/adversaries-here.json
	$(VENV)/python -m bench.claims --device cuda --output $(HERE)/claims-here.json
	$(VENV)/python -m $(STREAMS) --workload quantiles --workload frequencies \
		--output $(HERE)/streams-figures-here.json
	$(VENV)/python -m $(STREAMS) --workload sliding-quantiles --window 1e7 \
		--output $(HERE)/streams-sliding-quantiles-here.json
	$(VENV)/python -m $(STREAMS) --workload sliding-frequencies --window 1e6 \
		--output $(HERE)/streams-sliding-frequencies-here.json
	$(VENV)/python -m bench.report --here

# make format puts the source into its form
format: .venv/ready-dev
	$(VENV)/ruff format .
	$(VENV)/ruff check --fix .

# make clean  removes what the others made
clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .grimp_cache .import_linter_cache demo.png

.venv/ready-%: pyproject.toml scripts/setup
	scripts/setup $*
	touch $@
