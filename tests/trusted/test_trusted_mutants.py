"""The harness finds mistakes that are planted in copies of the kernel, all of them in one pass."""

from __future__ import annotations

import os
import pickle
import shutil
from pathlib import Path

import kernel_harness
import pytest
from kernel_mutants import MUTANTS

import mlnotes.trusted

KERNEL = Path(mlnotes.trusted.__file__).parent
SECONDS = 60.0  # of processor time, within which a mistake has to be seen


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


def hunted(kernel: Path, seconds: float) -> str:
    """Return what the harness finds wrong with a kernel, in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            found = kernel_harness.verdict(kernel, seconds)
        except BaseException as error:
            found = error
        with os.fdopen(writing, "wb") as out:
            out.write(pickle.dumps(found if isinstance(found, str) else RuntimeError(repr(found))))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        found = pickle.loads(answer.read())
    os.waitpid(child, 0)
    if isinstance(found, Exception):
        raise found
    return str(found)


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mistake_has_its_place_in_the_kernel(name: str, tmp_path: Path) -> None:
    plant(name, tmp_path)


# Shares of the mistakes, for all cores.
SHARES = 12


def test_there_are_enough_mistakes() -> None:
    assert len(MUTANTS) >= 60


@pytest.mark.parametrize("share", range(SHARES))
def test_all_planted_mistakes_are_seen(share: int, tmp_path: Path) -> None:
    mine = list(enumerate(MUTANTS))[share::SHARES]
    unseen = [name for k, name in mine if not hunted(plant(name, tmp_path / str(k)), SECONDS)]
    assert unseen == []


def test_the_kernel_itself_is_not_accused(tmp_path: Path) -> None:
    assert hunted(copied(tmp_path), 3.0) == ""
