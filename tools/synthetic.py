"""Write a book of many chapters, to see how long it takes: `python -m tools.synthetic FOLDER`.

The project is copied, and chapters that have all four pages are copied within it under other names
until there are as many as were asked for: pages, module, theorems with their certificates, tests,
statements and errata of the sources, letters. A copy proves, runs and tests what its model does, so
that the book takes what a real one of that length would. In the folder

    make book; make book; make test ARGS="-p tools.times"; python -m tools.times

then say how long a build takes, cold and warm, how long the tests, and which of them. With nine
real chapters and 23 copies, 243 pages, a cold build took 486 s of the processor, of which 77 s in
one process alone, so that two quiet cores need somewhat less than five minutes; a build with
nothing to do took 1.4 s.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path

import yaml

from tools import contents
from tools.paths import ROOT

CHAPTERS = 32
# Files and folders that belong to one chapter alone.
OWN = (
    *("book/{}.md", "book/{}", "mlnotes/{}.py", "mlnotes/{}", "mlnotes/theorems/{}.py"),
    "mlnotes/_solvers/{}.py",
    *("mlnotes/theorems/certificates/{}.json", "mlnotes/theorems/certificates/definedness/{}.json"),
    *("mlnotes/theorems/sympy/{}.json", "book/sources/concordance/{}.yml"),
    *("book/sources/errata/{}.yml", "book/sources/counterexamples/{}.py"),
    *("tests/test_{}.py", "tests/test_exercises_{}.py", "tests/proof/test_theorems_{}.py"),
    *("tests/proof/scopes/{}.txt", "tests/sources/{}.txt", "tests/benchmark_{}.py"),
)
# Where a chapter gives a name that is used once in the whole book.
NAMING = re.compile(
    r"(?::label: |:name: |    name: |^\(|\$\$ ?\(|@proves\(\"|^- id: |exercise(?:-start)?\} "
    r"|\{erratum\} )([a-z]+-[\w-]+)",
    re.MULTILINE,
)
SETTING = re.compile(r"(\{setting\} |:setting: )([\w-]+)")


def models() -> list[str]:
    """Return the chapters that have all four pages and theorems, in the order of the book."""
    whole = 1 + len(contents.PAGES)
    theorems = ROOT / "mlnotes" / "theorems"
    return [
        name
        for name in contents.titles()
        if len(contents.pages_of(name)) == whole and (theorems / f"{name}.py").exists()
    ]


def written() -> list[str]:
    """Return the chapters that have a page."""
    return [name for name in contents.titles() if contents.pages_of(name)]


def own_files(name: str, root: Path) -> Iterator[Path]:
    """Yield the files that belong to one chapter alone."""
    for place in OWN:
        path = root / place.format(name)
        if path.is_dir():
            yield from (p for p in sorted(path.rglob("*")) if "__pycache__" not in p.parts)
        elif path.exists():
            yield path


def copy_chapter(model: str, number: int, root: Path) -> str:
    """Copy a chapter under another name, with other labels, and return the name."""
    name = f"{model}_copy{number}"
    files = [p for p in own_files(model, root) if p.is_file() and p.suffix != ".npz"]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    labels = {label for text in texts.values() for label in NAMING.findall(text)}
    ours = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(labels)))})(?![\w-])")
    word = re.compile(rf"(?<![\w-]){model}(?![\w-])")
    for path, old in texts.items():
        text = ours.sub(rf"\1-copy{number}", old)
        text = SETTING.sub(rf"\1\2-copy{number}", text)
        text = word.sub(name, text)
        for pattern in ("test_", "test_exercises_", "test_theorems_"):
            text = text.replace(f"{pattern}{model}.py", f"{pattern}{name}.py")
        if path.suffix == ".txt":  # a line for each theorem, sorted by labels, which are others now
            lines = sorted(text.splitlines(keepends=True), key=lambda line: line.partition(":")[0])
            text = "".join(lines)
        place = path.relative_to(root).as_posix()
        target = root / re.sub(rf"(?<![a-z]){model}(?=[./])", name, place)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return name


def extend_plan(root: Path, copies: dict[str, str]) -> None:
    """Put the copies into the plan, each after its model, and their letters beside the model's."""
    plan = yaml.safe_load((root / "book" / "plan.yml").read_text(encoding="utf-8"))
    for part in plan:
        known = {chapter["name"]: chapter for chapter in part["chapters"]}
        for name, model in copies.items():
            if model in known:
                title = f"{known[model]['title']}, {name.removeprefix(model + '_')}"
                part["chapters"].append({**known[model], "name": name, "title": title})
    (root / "book" / "plan.yml").write_text(yaml.safe_dump(plan, allow_unicode=True), "utf-8")
    path = root / "book" / "notation.yml"
    notation = yaml.safe_load(path.read_text(encoding="utf-8"))
    for section in notation.values():
        for name, model in copies.items():
            if isinstance(section, dict) and model in section:
                section[name] = section[model]
    path.write_text(yaml.safe_dump(notation, allow_unicode=True, sort_keys=False), "utf-8")


def write(folder: Path, chapters: int = CHAPTERS) -> dict[str, str]:
    """Write the book and return the copies with their models."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    copies: dict[str, str] = {}
    for number, model in enumerate(cycle(models()), start=1):
        if len(written()) + len(copies) >= chapters:
            break
        copies[copy_chapter(model, number, folder)] = model
    extend_plan(folder, copies)
    subprocess.run([sys.executable, "-m", "tools.contents"], cwd=folder, check=True)
    for command in (["init", "-q"], ["add", "--all"], ["commit", "-q", "-m", "Synthetic book"]):
        author = ["-c", "user.name=mlnotes", "-c", "user.email=mlnotes@localhost"]
        subprocess.run(["git", *author, *command], cwd=folder, check=True)
    return copies


def main(line: Sequence[str] | None = None) -> int:
    """Write the book into a folder that is not there yet."""
    parser = argparse.ArgumentParser(prog="python -m tools.synthetic", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--chapters", type=int, default=CHAPTERS)
    given = parser.parse_args(line)
    if given.folder.exists():
        print(f"{given.folder} is there already; name a new folder", file=sys.stderr)
        return 1
    copies = write(given.folder, given.chapters)
    print(f"{given.folder}: {given.chapters} chapters, {len(copies)} of them copies")
    return 0


if __name__ == "__main__":
    sys.exit(main())
