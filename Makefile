# What people do with a clone, one word each; `make` alone lists them. PYTHON=python3.12 make setup takes another Python.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help setup test quick lint format bench site wheel

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: ## environment in .venv, the package in editable form, tools, hooks of git
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q scikit-build-core nanobind pre-commit setuptools wheel
	$(BIN)/pip install -q --no-build-isolation -e '.[test,docs]'
	$(BIN)/pre-commit install

test: ## everything that .ci/run does
	.ci/run

quick: ## under a minute: layers, imports, docstrings, text, instances, labels
	$(BIN)/python -m pytest -q -x -n 2 tests/test_layers.py tests/test_imports.py tests/test_docstrings.py \
		tests/test_site.py tests/text tests/instances tests/labels

lint: ## style and types, nothing is changed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	find kernel bindings -name '*.[ch]pp' -print0 | xargs -0 clang-format --dry-run -Werror

format: ## style, applied; clang-format must be version 14
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	find kernel bindings -name '*.[ch]pp' -print0 | xargs -0 clang-format -i

bench: ## the engine on made-up documents; docs/benchmarks.md has the rest
	$(BIN)/python benchmarks/engine.py documents

site: ## the documentation, strictly, into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q --strict

wheel: ## sdist and wheel, into build/dist, tried in an empty environment without a compiler
	PYTHON=$(PYTHON) scripts/wheel.sh
