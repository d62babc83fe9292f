# Two commands on a fresh machine: `make demo` runs the main job, `make test` passes the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Processes that share the tests.
WORKERS ?= 2

.PHONY: demo test slow integrity lint format docs install clean

$(VENV)/.run: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "PassNet needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e .
	touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev,docs,triton,numba,data,models]'
	touch $@

install: $(VENV)/.run

demo: $(VENV)/.run
	$(BIN)/passnet agent data/demo.txt --author distill --device cpu --graphs 1 --precision 5%

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
	$(MAKE) integrity

# What takes more than a few seconds each; on a quiet machine.
slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m 'slow and not gpu and not integrity'

# Cheats and honest passes of every class and ending, by one process because they are timed; drop `not slow` for all.
integrity: $(VENV)/.dev
	PASSNET_FUZZ_S=4 $(BIN)/python -m pytest -m 'integrity and not slow and not gpu' tests/integrity

# The documentation as a site, in build/site.
docs: $(VENV)/.run
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[docs]'
	NO_MKDOCS_2_WARNING=true $(BIN)/python -m mkdocs build --strict

clean:
	rm -rf $(VENV) runs build .pytest_cache .mypy_cache .ruff_cache .hypothesis
