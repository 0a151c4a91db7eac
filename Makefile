# Two commands for a fresh machine that has Python and make: `make demo` and `make test`.
PYTHON ?= python3
DEMO_VENV := .demo-venv
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint generate snapshots bench clean

demo: $(DEMO_VENV)/.installed
	@echo '$$ trainergen check examples/valid --release 2.3'
	@$(DEMO_VENV)/bin/trainergen check examples/valid --release 2.3
	@echo
	@echo '$$ trainergen check examples/faulty --release 2.3     # exit code 1: the cluster would refuse these'
	@$(DEMO_VENV)/bin/trainergen check examples/faulty --release 2.3; test $$? -eq 1
	@echo
	@echo '$$ trainergen explain trainjob.spec.trainer.numProcPerNode'
	@$(DEMO_VENV)/bin/trainergen explain trainjob.spec.trainer.numProcPerNode

$(DEMO_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(DEMO_VENV)
	$(DEMO_VENV)/bin/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

test: $(VENV)/.installed
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: $(VENV)/.installed
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.drift --check

generate: $(VENV)/.installed
	$(BIN)/python -m tools.drift

snapshots: $(VENV)/.installed
	$(BIN)/python -m pytest --snapshot-update

bench: $(VENV)/.installed
	$(BIN)/python -m pytest -n0 -m bench tests/bench

clean:
	rm -rf $(VENV) $(DEMO_VENV) build dist
