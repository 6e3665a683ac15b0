"""The harness finds mistakes that are planted in copies of the kernel.

A sample of them in every run; MLNOTES_LONG=1 plants them all.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kernel_mutants import MUTANTS

import mlnotes.trusted

KERNEL = Path(mlnotes.trusted.__file__).parent
HARNESS = Path(__file__).with_name("kernel_harness.py")
ROUNDS = 400  # about a minute
LONG = bool(os.environ.get("MLNOTES_LONG"))
SAMPLE = list(MUTANTS) if LONG else random.Random(5).sample(sorted(MUTANTS), 12)


def copied(folder: Path) -> Path:
    """Return a copy of the kernel, under a name that no other package has."""
    copy = folder / "mutant"
    shutil.copytree(KERNEL, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def plant(name: str, folder: Path) -> Path:
    """Return a copy of the kernel with one mistake; fail if its place is no longer there."""
    file, old, new = MUTANTS[name]
    copy = copied(folder)
    text = (copy / file).read_text("utf-8")
    assert text.count(old) == 1, f"{name}: {file} has {text.count(old)} places {old!r}; aim it anew"
    (copy / file).write_text(text.replace(old, new), "utf-8")
    return copy


def hunted(kernel: Path, rounds: int) -> str:
    """Return what the harness says about a kernel, in a process of its own."""
    command = [sys.executable, str(HARNESS), str(kernel), str(rounds)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mistake_has_its_place_in_the_kernel(name: str, tmp_path: Path) -> None:
    plant(name, tmp_path)


def test_there_are_enough_mistakes() -> None:
    assert len(MUTANTS) >= 60


@pytest.mark.parametrize("name", SAMPLE)
def test_a_planted_mistake_is_found(name: str, tmp_path: Path) -> None:
    assert hunted(plant(name, tmp_path), ROUNDS).startswith("found:")


def test_the_kernel_itself_is_not_accused(tmp_path: Path) -> None:
    assert hunted(copied(tmp_path), 5).startswith("nothing found")
