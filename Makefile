# Two commands do everything on a fresh machine: `make book` and `make test`.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
HOST_PATH := $(PATH)
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Where this is set every kernel, build and test compiles the packages anew, for seconds each time.
unexport PYTHONDONTWRITEBYTECODE
# Installers and kernels write into the home; where that cannot be they are given one.
ifneq ($(shell test -w "$$HOME" && echo writable),writable)
export HOME := $(CURDIR)/_build/home
endif

.DEFAULT_GOAL := help
.PHONY: help setup book pdf epub epubcheck serve chapter preview check test test-all test-lowest coverage assignments assignments-check nbgrader notebooks certificates lint bench lighthouse licences lock clean

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do printf '%-24s %s\n' "$$name" "$$text"; done

setup:  ## create .venv from the lock files (every other command does this first)
	@export PATH="$(HOST_PATH)"; command -v $(PYTHON) >/dev/null 2>&1 || { echo "mlnotes: there is no '$(PYTHON)' here: install Python 3.11 or later, or name yours with 'make PYTHON=...'." >&2; exit 1; }
	@mkdir -p "$(HOME)"
	@PATH="$(HOST_PATH)" $(PYTHON) tools/bootstrap.py

book: setup  ## execute the chapters and build the site in _build/html
	@python -m tools.build

pdf: book  ## print the book to _build/html/mlnotes.pdf, with Chromium
	@python -m tools.take_along pdf

epub: book  ## write the book to _build/html/mlnotes.epub
	@python -m tools.take_along epub

epubcheck: epub  ## let the standard's checker judge the EPUB (needs Java)
	@python -m tools.epubcheck

serve: book  ## serve the built site on localhost (PORT=8000)
	@python -m tools.serve --port $(PORT)

chapter: setup  ## write the files of a new chapter (NAME=kernels)
	@python -m tools.chapter $(NAME)

preview: setup  ## build the pages of one chapter alone, in seconds (NAME=kernels)
	@python -m tools.preview $(NAME)

check: setup  ## run all that concerns one chapter: its pages, its tests (NAME=kernels)
	@SYMPY_CACHE_SIZE=10000 python -m tools.check $(NAME)

# SymPy remembers a thousand results of each function by default, few for a whole suite of proofs.
test: setup  ## run all tests: package, chapters, built site, pages in a browser
	@SYMPY_CACHE_SIZE=10000 python -m pytest -n auto --dist worksteal $(ARGS)

test-all: setup  ## run all tests with all changed derivations and all modes of all pages, of which `make test` takes a quarter by turns
	@MLNOTES_TURN=all SYMPY_CACHE_SIZE=10000 python -m pytest -n auto --dist worksteal $(ARGS)

test-lowest: setup  ## test the package with the lowest versions that pyproject.toml allows
	@python -m tools.lowest $(ARGS)

# Pages, the set-up and changed derivations run no line of the package that other tests leave out.
ELSEWHERE := $(foreach name,test_browser* test_build test_project test_setup test_site,--ignore-glob='tests/$(name).py')
# Compiled loops are invisible to it, so they run as plain Python.
coverage: setup  ## measure which branches of the package the tests take; fails below 95 %
	@NUMBA_DISABLE_JIT=1 SYMPY_CACHE_SIZE=10000 python -m pytest -n auto --dist worksteal --cov --cov-report=term-missing:skip-covered $(ELSEWHERE) $(ARGS)
	@python -m tools.branches

assignments: setup  ## make every assignment in _build/assignments: notebooks, autograder, rubric
	@python -m tools.assignments make $(ARGS)

assignments-check: setup  ## say what holds a student's program on this machine
	@python -m mlnotes.checks isolation

nbgrader: setup  ## grade one sheet with nbgrader itself, in an environment of its own (NAME=adaboost)
	@python -m tools.nbgrader $(NAME)

notebooks: book  ## run every notebook where only the package is installed (ARGS=perceptron)
	@python -m tools.notebooks $(ARGS)

certificates: setup  ## search for the proofs of the theorems and record their certificates (ARGS=perceptron)
	@python -m mlnotes.proof $(ARGS)
	@python -m mlnotes.proof.sympy_view
	@python -m tools.scopes

lint: setup  ## ruff and mypy
	@ruff check . && ruff format --check . && mypy

bench: setup  ## measure every estimator against scikit-learn
	@python -m benchmarks $(ARGS)

lighthouse: book  ## print Lighthouse's four scores for a chapter page
	@python -m tools.lighthouse

licences: setup  ## list the licences of all that is installed; fails on one that is not known to fit
	@python -m tools.licences

lock: setup  ## resolve the dependencies anew and write the lock files
	@python -m tools.lock

clean:  ## remove everything that the other commands made
	rm -rf _build .venv node_modules book/api book/concordance book/errata book/ledger genindex.md build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*
