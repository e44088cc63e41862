# Two commands do all the set-up: `make compare` and `make test`. Python 3.11 or newer and a C++ compiler are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: compare test test-full lint pins clean

compare: $(VENV)/installed ## run the main job with its defaults; ARGS="resnet50 --batch 8" asks for more
	@$(BIN)/trivet compare $(ARGS)

test: $(VENV)/installed-dev lint ## pass every test, the real frameworks included
	@$(BIN)/pytest

test-full: $(VENV)/installed-dev lint ## the full matrices as well
	@$(BIN)/pytest -m "full or not full"

lint: $(VENV)/installed-dev ## style, types, import rules
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

pins: $(VENV)/installed ## refresh the frameworks' pinned sets
	@$(BIN)/trivet env pins --refresh

clean: ## remove the virtual environment
	rm -rf $(VENV)

# --no-compile: Python compiles what trivet imports when it first does, and the rest never.
$(VENV)/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("trivet needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; set PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else None'
	@echo "setting up $(VENV), about 20 s"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev]'
	@touch $@
