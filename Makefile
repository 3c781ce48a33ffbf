.DEFAULT_GOAL := check
.PHONY: help install check lint format test test-slow fuzz golden docs wheel demo

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: ## install gg in editable form, with what its tests need
	pip install -e '.[test]'

check: lint test ## lint and the fast tests (the default)

lint: ## format and rules by ruff, types by mypy
	ruff format --check
	ruff check
	mypy

format: ## format the tree, mend what ruff can mend
	ruff format
	ruff check --fix

test: ## the fast tests
	pytest

test-slow: ## all tests
	pytest --run-slow -n 2

fuzz: ## 10,000 hostile frames and programs, drawn from SEED
	pytest --run-slow -n 2 --fuzz-examples 10000 --fuzz-seed $(or $(SEED),1) tests/sandbox/test_fuzz.py \
		tests/sandbox/test_fuzz_frames.py tests/e2e/test_hostile_programs.py tests/e2e/test_hostile_records.py

golden: ## rewrite the golden files and show what changed
	pytest --update-golden
	git diff --stat

docs: ## fill the generated regions of the documentation
	python docs/build.py

wheel: ## build a wheel into dist
	pip wheel --no-deps --wheel-dir dist .

demo: ## run the quickstart
	gg run fixtures/quickstart
