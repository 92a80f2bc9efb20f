# Everything sets itself up in .venv; nothing but Python 3.11 or newer is needed.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python

.PHONY: help demo test test-all bench docs docs-console wheel lint format clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(BIN)/uv:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

.venv/installed: $(BIN)/uv pyproject.toml
	$(INSTALL) -e ".[exact,plot]" --group dev
	@touch $@

.venv/interop: .venv/installed
	$(INSTALL) -e ".[exact,plot,interop]" --group dev
	@touch $@

.venv/peers: .venv/interop
	$(INSTALL) -e ".[exact,plot,bench]" --group dev
	@touch $@

demo: .venv/installed  ## solve Leduc, train an agent for Cheat, draw what they learn
	$(BIN)/python examples/demo.py
	$(BIN)/python examples/demo_cheat.py

test: .venv/interop  ## the tests that every change must pass
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest -m "not slow" -n auto --dist loadfile

test-all: .venv/interop  ## all tests, the slow ones too
	$(BIN)/python -m pytest -n auto --dist loadfile

bench: .venv/peers  ## us and our peers in one run; writes docs/benchmarks/
	$(BIN)/python benchmarks/core.py
	$(BIN)/python benchmarks/sampling.py
	$(BIN)/python benchmarks/cheat.py
	$(BIN)/python benchmarks/hands.py
	$(BIN)/python benchmarks/holdem.py
	$(BIN)/python benchmarks/spots.py
	$(BIN)/python benchmarks/compiling.py

.venv/docs: .venv/interop
	$(INSTALL) -e ".[exact,plot,interop]" --group dev --group docs
	@touch $@

docs: .venv/docs  ## the reference site, into build/docs; a warning is an error
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "build/docs/index.html"

wheel: .venv/installed  ## build the wheel, and try it on every Python that is here
	$(BIN)/python benchmarks/try_wheel.py

docs-console: .venv/installed  ## run the commands that the docs show, and write what they print
	$(BIN)/python tests/docs/console.py --write

lint: .venv/installed  ## style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: .venv/installed  ## put the code into shape
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:  ## remove what make has made
	rm -rf .venv build dist docs/reference .pytest_cache .mypy_cache .ruff_cache demo.png figure-1.png leduc.strategy cheat.strategy
