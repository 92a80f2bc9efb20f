# Everything sets itself up in .venv; nothing but Python 3.11 or newer is needed.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python
NODE := $(shell command -v npm 2>/dev/null)
FRONT := cd studio && PATH="$(CURDIR)/studio/node_modules/.bin:$$PATH" &&
DEMO ?= runs
export PYTHONDONTWRITEBYTECODE =  # tests start hundreds of processes: each would read all sources anew

.PHONY: help demo figures test test-all bench studio studio-check chromium compiler docs docs-console wheel lint format clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(BIN)/uv:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

.venv/installed: $(BIN)/uv pyproject.toml
	$(INSTALL) -e ".[exact,plot,studio]" --group dev
	@touch $@

.venv/interop: .venv/installed
	$(INSTALL) -e ".[exact,plot,studio,interop,ray]" --group dev
	@touch $@

.venv/peers: .venv/interop
	$(INSTALL) -e ".[exact,plot,studio,ray,bench]" --group dev
	@touch $@

demo: .venv/installed  ## solve Leduc, train a small agent for Cheat, and open the studio on them
	$(BIN)/ruse solve leduc --iterations 2000 --runs $(DEMO)
	$(BIN)/ruse solve cheat --iterations 300 --runs $(DEMO)
	$(BIN)/ruse studio --runs $(DEMO)

figures: .venv/installed  ## Leduc and Cheat without the studio: solved, judged and drawn
	$(BIN)/python examples/demo.py
	$(BIN)/python examples/demo_cheat.py

studio/node_modules/.installed: studio/package-lock.json
	cd studio && npm install --no-save --silent  # not ci, which asks for the builds of all platforms in the lockfile
	@touch $@

studio: .venv/installed studio/node_modules/.installed  ## build the studio's page into the package (needs Node 20)
	PYTHON=$(CURDIR)/$(BIN)/python npm --prefix studio run --silent types
	$(FRONT) svelte-check --tsconfig ./tsconfig.json --fail-on-warnings && vitest run
	$(FRONT) vite build --logLevel warn

studio-check: .venv/installed  ## the page in the package is the one that its sources make
ifeq ($(NODE),)
	@echo "There is no Node here, so the studio's page is not built anew; it is taken as it is in the package."
else
	@$(MAKE) --silent studio/node_modules/.installed
	mkdir -p build && $(BIN)/python studio/openapi.py > build/openapi.json
	$(FRONT) openapi-typescript ../build/openapi.json --default-non-nullable=false --output ../build/schema.ts
	diff build/schema.ts studio/src/api/schema.ts
	$(FRONT) svelte-check --tsconfig ./tsconfig.json --fail-on-warnings && vitest run
	$(FRONT) vite build --logLevel warn --outDir ../build/static --emptyOutDir
	diff -r build/static src/ruse/studio/static
endif

chromium:  ## the browser that the studio's tests look with, if there is none yet
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
		(apt-get update -qq && apt-get install -y -qq chromium >/dev/null) || \
		echo "Chromium could not be installed: the tests in a browser are left out."

compiler:  ## the C++ compiler by which a processor stands in for a graphics card in the tests, if there is none yet
	@command -v g++ >/dev/null || command -v clang++ >/dev/null || \
		(apt-get update -qq && apt-get install -y -qq g++ >/dev/null) || \
		echo "g++ could not be installed: the tests of the kernels for a graphics card are left out."

test: .venv/interop chromium compiler studio-check  ## the tests that every change must pass
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest -m "not slow" -n auto --dist loadfile

test-all: .venv/interop chromium compiler studio-check  ## all tests, the slow ones too
	$(BIN)/python -m pytest -n auto --dist loadfile

bench: .venv/peers  ## us and our peers in one run; writes docs/benchmarks/
	@failed=; for page in core sampling cheat hands holdem spots compiling studio; do \
		echo "benchmarks/$$page.py"; $(BIN)/python benchmarks/$$page.py || failed="$$failed $$page"; \
	done; if [ -n "$$failed" ]; then echo "A promise is not kept, or the benchmark failed:$$failed"; exit 1; fi

.venv/docs: .venv/interop
	$(INSTALL) -e ".[exact,plot,interop,ray]" --group dev --group docs
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
	rm -rf .venv build dist docs/reference studio/node_modules .pytest_cache .mypy_cache .ruff_cache demo.png figure-1.png leduc.strategy cheat.strategy
