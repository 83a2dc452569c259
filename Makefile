# Everything a developer does here; `make help` lists it.
#
# .venv is made from pinned and hashed requirements. A stamp inside it carries a checksum of all that
# decides its content, so nothing is installed twice and no change goes unnoticed.

PYTHON ?= python3
JOBS ?= 2
SOAK ?= 3600
FUZZ ?= 3600
SBOM ?= build/sbom.json
VSIX ?= dist
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
# Extras stay in the pins: where pip meets `coverage[toml]` and only `coverage` is pinned, it takes the newest and then refuses it.
LOCK := $(VENV)/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --no-strip-extras --overrides requirements/without-torch.txt

stamp = $(VENV)/$(1)-$(shell (pwd; cat requirements/$(1).txt requirements/torch.txt pyproject.toml src/assay/__init__.py 2> /dev/null) | cksum | cut -d' ' -f1)
RUN := $(call stamp,run)
DEV := $(call stamp,dev)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test quick slow hunt lint types format bench site site-parts vsix vscode-parts release test-floors docs docs-refresh lock upgrade browser postgres sbom fuzz fuzz-guided faults soak clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# --- for everybody ---------------------------------------------------------------------------------

DEMO := audit examples/submission
DEMO_REPORT := build/demo/report.html

demo: $(RUN) ## run the bundled example and write its report
	@mkdir -p $(dir $(DEMO_REPORT)) && rm -f $(DEMO_REPORT)
	@$(VENV)/bin/assay $(DEMO) -o - -o $(DEMO_REPORT) || test $$? -eq 1 # 1: there are findings, as there should be here
	@echo "The same as a page for the browser: $(CURDIR)/$(DEMO_REPORT)"

# --- for those who change the code -----------------------------------------------------------------

# The CI asks for COVERAGE=yes: tracing takes almost as long again, and the floor is in pyproject.toml.
test: $(DEV) browser postgres site-parts vscode-parts lint types ## lint, types and all tests (COVERAGE=yes: with the coverage floor, as in CI)
	$(PY) -m pytest --numprocesses $(JOBS) $(if $(COVERAGE),--cov --cov-report= --cov-fail-under=0)
	$(if $(COVERAGE),$(PY) -m coverage report)

# The tests that name a changed module, or else the nearest package above it; changed test files; the architecture and the rules.
BASE ?= main
quick: $(DEV) lint types ## lint, types and the tests nearest to what changed since BASE (main)
	@tests="tests/test_architecture.py tests/test_readability.py"; \
	for file in $$({ git diff --name-only --diff-filter=d $(BASE); git ls-files --others --exclude-standard; } | sort -u); do \
		case $$file in \
		tests/*/test_*.py | tests/test_*.py) tests="$$tests $$file" ;; \
		src/assay/*) \
			name=$$(echo "$${file%.*}" | sed 's|^src/||; s|/__init__$$||; s|/|.|g'); \
			until near=$$(grep -rlwF "$$name" tests --include='test_*.py') || [ "$$name" = assay ]; do name=$${name%.*}; done; \
			[ "$$name" = assay ] || tests="$$tests $$(echo $$near)" ;; \
		esac; \
	done; \
	tests=$$(printf '%s\n' $$tests | sort -u); echo "$$tests"; \
	$(PY) -m pytest --quiet -x --numprocesses $(JOBS) $$tests

# One or two test files for each extra; torch is not among the floors, so no tests of slides.
FLOORS := build/floors
FLOOR_TESTS := tests/comparison/test_compare_command.py tests/report/test_report_documents.py tests/corpus/test_results.py \
	tests/corpus/test_store.py tests/leakage/data tests/scores/test_folds.py tests/scores/test_sheets.py \
	tests/editor/test_language_server.py tests/reproduction/test_store_studies.py tests/web/test_web_scores.py tests/test_interface.py

test-floors: $(DEV) postgres ## test the lowest allowed version of every dependency, in an environment of its own
	@mkdir -p $(FLOORS)
	$(VENV)/bin/uv pip compile pyproject.toml --quiet --resolution lowest-direct --python-version 3.11 --all-extras --no-header \
		--no-emit-index-url --no-emit-find-links --overrides requirements/without-torch.txt --output-file $(FLOORS)/floors.txt
	$(VENV)/bin/uv venv --quiet --clear --python $(PY) $(FLOORS)/environment
	$(VENV)/bin/uv pip install --quiet --python $(FLOORS)/environment/bin/python --requirement $(FLOORS)/floors.txt \
		--constraint $(FLOORS)/floors.txt axe-core-python hatchling httpx hypothesis pandas pytest pytest-xdist selenium
	$(VENV)/bin/uv pip install --quiet --python $(FLOORS)/environment/bin/python --no-deps --no-build-isolation --editable .
	$(FLOORS)/environment/bin/python -m pytest -p no:cacheprovider -o filterwarnings= $(FLOOR_TESTS)

slow: $(DEV) ## the reduced pipelines of three papers on slides, each run whole
	$(PY) -m pytest tests/slides/slow_reduced_runs.py

hunt: $(DEV) ## the same tests with new random examples
	HYPOTHESIS_PROFILE=hunt $(PY) -m pytest --numprocesses $(JOBS)

lint: $(DEV) ## ruff: rules and format
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types: $(DEV) ## mypy, strictly
	$(PY) -m mypy

format: $(DEV) ## let ruff put right what it can
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: $(DEV) ## run every measurement in bench/
	@for script in bench/*.py; do echo "== $$script"; $(PY) $$script || exit 1; done

sbom: $(DEV) ## write the bill of materials (CycloneDX) of what runs into build/sbom.json (SBOM=file)
	@mkdir -p $(dir $(SBOM))
	@sed "s/^dynamic = .*/version = \"$$($(PY) -c 'import assay; print(assay.__version__)')\"/" pyproject.toml > $(VENV)/pyproject.toml
	$(PY) -W ignore -m cyclonedx_py requirements requirements/run.txt --pyproject $(VENV)/pyproject.toml --output-reproducible \
		--short-PURLs --output-file $(SBOM)
	@echo "Bill of materials: $(abspath $(SBOM))"

fuzz: $(DEV) ## feed every reader far more random input than the tests do
	HYPOTHESIS_PROFILE=fuzz $(PY) -m pytest tests/fuzz

fuzz-guided: $(DEV) ## fuzz every reader for an hour (FUZZ=seconds), guided by coverage, with limits on memory and time
	$(PIP) --require-hashes --no-deps --upgrade --target $(VENV)/fuzz -r requirements/fuzz.txt
	PYTHONPATH=tests/fuzz:tests:$(VENV)/fuzz $(PY) tests/fuzz/guided.py --seconds $(FUZZ)

faults: $(DEV) ## refuse every single write of the study store and of the corpus store
	FAULTS=all $(PY) -m pytest tests/corpus/test_corpus_faults.py tests/reproduction/test_study_faults.py

soak: $(DEV) ## read and judge hostile and ordinary material for an hour (SOAK=seconds), with flat memory
	PYTHONPATH=tests/fuzz:tests $(PY) bench/other/soak.py $(SOAK)

site: $(DEV) site-parts ## build the static site (Assay in a browser, no server) into build/site-static
	$(VENV)/bin/assay site build/site-static --pyodide $(PARTS)/node_modules/pyodide --wheels $(PARTS)/wheels

vsix: $(DEV) vscode-parts ## build the VS Code extension into dist
	$(PY) tools/build_vsix.py $(VSIX) $(VSCODE)

RELEASE := dist/release

release: ## build and check wheel, sdist, site, VS Code extension, bill of materials and changelog; publish nothing
	@rm -rf $(RELEASE) build/site-static && mkdir -p $(RELEASE)
	@$(MAKE) --no-print-directory site
	@$(MAKE) --no-print-directory sbom SBOM=$(RELEASE)/sbom.json
	@$(MAKE) --no-print-directory vsix VSIX=$(RELEASE)
	$(PY) tools/release.py $(RELEASE) build/site-static

docs: $(DEV) ## build the documentation into build/site
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --quiet
	@echo "Documentation: $(CURDIR)/build/site/index.html"

docs-refresh: $(DEV) ## rewrite the outputs shown in README and docs as they are now
	$(PY) docs/run_examples.py

lock: $(VENV)/bin/uv ## pin again after a change of dependencies; keeps the other pins
	$(LOCK) --group dev --all-extras $(UPGRADE) --output-file requirements/dev.txt
	$(LOCK) --group build --extra serve --extra corpus --extra postgres $(UPGRADE) --constraint requirements/dev.txt --output-file requirements/run.txt
	$(LOCK) --group build $(UPGRADE) --constraint requirements/dev.txt --output-file requirements/core.txt

upgrade: ## pin again, everything to its newest version
	@$(MAKE) --no-print-directory lock UPGRADE=--upgrade

clean: ## remove what was built (but not .venv)
	rm -rf build dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests docs bench -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment -------------------------------------------------------------------------------

define CHECK_PYTHON
import sys
if sys.version_info < (3, 11):
    sys.exit("Assay needs Python 3.11 or newer; %s is %d.%d. If you have a newer one: make PYTHON=python3.12 ..."
             % ((sys.executable,) + sys.version_info[:2]))
try:
    import ensurepip, venv
except ImportError:
    sys.exit("%s cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv" % sys.executable)
endef
export CHECK_PYTHON

define install
@echo "Installing requirements/$(1).txt into $(VENV) ..."
@$(PIP) --require-hashes --requirement requirements/$(1).txt
@$(PIP) --no-deps --no-build-isolation --editable .
endef

$(PY):
	@command -v $(PYTHON) > /dev/null || { echo "There is no $(PYTHON) here; Assay needs Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -c "$$CHECK_PYTHON"
	@$(PYTHON) -m venv --clear $(VENV)

$(RUN): | $(PY)
	$(call install,run)
	@rm -f $(VENV)/run-*
	@touch $@

$(DEV): | $(PY)
	$(call install,dev)
	@$(PIP) --requirement requirements/torch.txt
	@rm -f $(VENV)/run-* $(VENV)/dev-*
	@touch $@ $(RUN)

$(VENV)/bin/uv: | $(PY)
	@$(PIP) uv

PARTS := build/site-parts
PARTS_DONE := $(PARTS)/$(shell cat requirements/site/* 2> /dev/null | cksum | cut -d' ' -f1)

site-parts: $(PARTS_DONE) ## make sure that Pyodide is there for the static site and its tests

$(PARTS_DONE): | $(PY)
	@command -v npm > /dev/null || { echo "The static site needs npm. On Debian, as root: apt-get install npm" >&2; exit 1; }
	@echo "Installing Pyodide into $(PARTS) ..."
	@rm -rf $(PARTS) && mkdir -p $(PARTS)/wheels && cp requirements/site/package*.json $(PARTS)
	@npm ci --prefix $(PARTS) --no-audit --no-fund --silent
	@$(PY) -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
		--implementation cp --abi cp314 --abi none --python-version 314 --platform pyemscripten_2026_0_wasm32 \
		--dest $(PARTS)/wheels --requirement requirements/site/wheels.txt
	@touch $@

VSCODE := build/vscode-parts
VSCODE_DONE := $(VSCODE)/$(shell cat editors/vscode/package*.json 2> /dev/null | cksum | cut -d' ' -f1)

vscode-parts: $(VSCODE_DONE) ## make sure that the language client is there for the VS Code extension and its tests

$(VSCODE_DONE):
	@command -v npm > /dev/null || { echo "The VS Code extension needs npm. On Debian, as root: apt-get install npm" >&2; exit 1; }
	@rm -rf $(VSCODE) && mkdir -p $(VSCODE) && cp editors/vscode/package*.json $(VSCODE)
	@npm ci --prefix $(VSCODE) --omit dev --ignore-scripts --no-audit --no-fund --silent
	@touch $@

browser: ## make sure that there is a Chromium for the tests that need one
	@if command -v chromium > /dev/null && command -v chromedriver > /dev/null; then exit 0; \
	elif [ "$$(id -u)" -eq 0 ] && command -v apt-get > /dev/null; then \
		echo "Installing chromium and chromium-driver ..."; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium chromium-driver > /dev/null; \
	else \
		echo "The tests need chromium and chromedriver on the PATH. On Debian, as root: apt-get install chromium chromium-driver" >&2; \
		exit 1; \
	fi

postgres: ## make sure that there is a PostgreSQL server for the tests that need one
	@if command -v initdb > /dev/null || ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1; then exit 0; \
	elif [ "$$(id -u)" -eq 0 ] && command -v apt-get > /dev/null; then \
		echo "Installing postgresql ..."; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql > /dev/null; \
	else \
		echo "The tests need a PostgreSQL server. On Debian, as root: apt-get install postgresql" >&2; \
		exit 1; \
	fi
