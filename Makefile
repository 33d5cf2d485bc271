# `make play` and `make test` set everything up by themselves; `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TOOLS := $(VENV)/tools.stamp
INSTALLED := $(VENV)/installed.stamp
CPU_FILE := $(VENV)/cpu
CORE := python/obscuro/_core.abi3.so
PAGE := python/obscuro/web/static/index.html
NODE_MODULES := frontend/node_modules/.stamp

# Folders are listed too: theirs is the only time stamp that a deleted or renamed file leaves.
RUST_SOURCES := $(shell find crates \( -name '*.rs' -o -name Cargo.toml -o -type d \) -not -path '*/benches*' -not -path '*/tests*') \
	Cargo.toml Cargo.lock .cargo/config.toml
PAGE_SOURCES := $(shell find frontend \( -name node_modules -prune \) -o \( -type f -o -type d \) -print)
PYTHON_PATHS := $(wildcard python tests examples benches docs)
MYPY_PATHS := $(foreach dir,python tests examples benches,$(if $(shell find $(dir) -name '*.py' 2>/dev/null),$(dir)))

# The processor to build for. It is remembered until another one is given; a machine without AVX2
# and BMI2 gets the plain one by itself. Anything but the baseline overrides .cargo/config.toml.
BASELINE := x86-64-v3
CPU ?= $(or $(shell cat $(CPU_FILE) 2>/dev/null),$(shell scripts/baseline-cpu $(BASELINE)))
ifneq ($(CPU),$(BASELINE))
ifneq ($(CPU),)
export RUSTFLAGS := $(RUSTFLAGS) -C target-cpu=$(CPU)
endif
endif

export VIRTUAL_ENV := $(CURDIR)/$(VENV)
# One interpreter for all cargo commands: another one would rebuild the binding.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONPATH PYTHONHOME CONDA_PREFIX

##@ Use

.PHONY: play
play: build page ## Play in the browser (ARGS="--port 9000" passes options)
	@$(BIN)/obscuro play --web $(ARGS)

.PHONY: play-terminal
play-terminal: build ## Play a game in the terminal (ARGS="--color black" passes options)
	@$(BIN)/obscuro play $(ARGS)

.PHONY: bench
bench: build ## Print all benchmark tables (ARGS="perft" runs the benchmarks of that name)
	@$(BIN)/python benches/run.py $(ARGS)

.PHONY: peers
peers: build ## Install what the benchmarks compare with: OpenSpiel, LiteEFG, JAX
	$(BIN)/maturin develop --release --extras dev,peers

##@ Develop

.PHONY: build
build: $(INSTALLED) $(CORE) ## Set up .venv and build the native core into it (CPU=x86-64 for old machines)

.PHONY: page
page: $(PAGE) ## Build the page that is played on in the browser

.PHONY: test
test: test-rust test-python ## Run all tests (ARGS="-k belief" passes options to pytest)

.PHONY: test-rust
test-rust: $(TOOLS)
	cargo test --workspace --exclude obscuro-benches --lib --tests
	cargo test --workspace --exclude obscuro-benches --doc

.PHONY: test-python
test-python: build page
	$(BIN)/pytest -m "not e2e" $(ARGS)

.PHONY: test-browser
test-browser: build page ## Play on the page in a real browser (needs Chromium)
	$(BIN)/python -m pip install --quiet 'playwright>=1.50'
	$(BIN)/pytest -m e2e tests/e2e $(ARGS)

.PHONY: check
check: check-rust check-python check-page ## Run all linters and type checkers

.PHONY: check-rust
check-rust: $(TOOLS)
	cargo metadata --locked --format-version 1 > /dev/null
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

.PHONY: check-python
check-python: build
	$(BIN)/ruff format --check $(PYTHON_PATHS)
	$(BIN)/ruff check $(PYTHON_PATHS)
	$(BIN)/mypy --strict $(MYPY_PATHS)
	$(BIN)/python -m mypy.stubtest obscuro._core --mypy-config-file pyproject.toml --allowlist tests/stubtest-allowlist.txt

.PHONY: check-page
check-page: $(NODE_MODULES)
	cd frontend && npm run --silent check

.PHONY: format
format: $(INSTALLED) $(NODE_MODULES) ## Format all code and fix what the linter can fix
	cargo fmt --all
	$(BIN)/ruff check --fix-only --quiet $(PYTHON_PATHS)
	$(BIN)/ruff format $(PYTHON_PATHS)
	cd frontend && npm run --silent format

.PHONY: pictures
pictures: build ## Draw the pictures of the documentation again
	$(BIN)/python docs/pictures/draw.py

.PHONY: reference
reference: build ## Write docs/api.md again, the list of all public names
	$(BIN)/python docs/reference.py

.PHONY: wheel
wheel: $(TOOLS) page ## Build a wheel into dist/
	$(BIN)/maturin build --release --locked --strip --out dist

.PHONY: clean
clean: ## Remove everything that was built, the virtual environment included
	rm -rf $(VENV) $(CORE) target dist results
	rm -rf frontend/node_modules $(dir $(PAGE))
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find $(PYTHON_PATHS) -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help
help: ## Print this list
	@awk 'BEGIN { FS = ":.*## " } \
		/^##@ / { printf "\n%s\n", substr($$0, 5) } \
		/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# What the targets above stand on.

$(TOOLS): Makefile
	@command -v cargo > /dev/null || { echo "cargo is missing: install Rust 1.90 or later" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "$(PYTHON) is older than Python 3.10: name another one, as in make PYTHON=python3.12" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'maturin>=1.9,<2'
	@touch $@

# The whole package with the tools for its development, editable: its Python files need no install.
$(INSTALLED): $(TOOLS) pyproject.toml
	$(BIN)/maturin develop --release --extras dev
	@echo $(CPU) > $(CPU_FILE)
	@touch $(CORE) $@

# Only the native core, when only Rust has changed.
$(CORE): $(RUST_SOURCES) $(CPU_FILE) | $(INSTALLED)
	$(BIN)/maturin develop --release --skip-install
	@touch $@

# The page, only when its sources have changed.
$(PAGE): $(PAGE_SOURCES) $(NODE_MODULES)
	cd frontend && npm run --silent build
	@touch $@

$(NODE_MODULES): frontend/package.json frontend/package-lock.json
	@command -v npm > /dev/null || { echo "npm is missing: install Node.js 20 or later" >&2; exit 1; }
	cd frontend && npm ci --silent --no-audit --no-fund
	@touch $@

.PHONY: force
$(CPU_FILE): force | $(INSTALLED)
	@test "$$(cat $@)" = "$(CPU)" || echo $(CPU) > $@
