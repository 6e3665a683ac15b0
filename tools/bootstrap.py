"""Set up `.venv` and `node_modules` from the lock files, or say in one sentence what is missing.

Run by every target of the Makefile with whatever Python the user has, so this file must parse on
old interpreters and import nothing but the standard library. Nothing is done when the lock files
have not changed since the last complete set-up, nor the project's place; an incomplete one is
started again from scratch.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
STAMP = os.path.join(VENV, "set-up-complete")
NODE_STAMP = os.path.join(ROOT, "node_modules", ".package-lock.json")  # npm writes it last
LOG = os.path.join(ROOT, "_build", "set-up.log")
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 18
ERROR = re.compile(r"npm error code|error:|ERROR:|  ×")
INPUTS = (
    "requirements/all.lock",
    "requirements/uv.lock",
    "requirements/node.lock",
    "package-lock.json",
    "pyproject.toml",
    "tools/bootstrap.py",
)


class SetUpError(Exception):
    """A sentence that says what went wrong and what to do about it."""


def main():
    """Bring the set-up up to date; return the process's exit status."""
    try:
        check_python(sys.version_info)
        leave_venv()
        fingerprint = describe_inputs()
        if read(STAMP) == fingerprint and os.path.exists(NODE_STAMP):
            return 0
        set_up()
        with open(STAMP, "w") as stamp:
            stamp.write(fingerprint)
        say("set-up complete")
        return 0
    except (SetUpError, OSError) as error:
        sys.stderr.write(f"mlnotes: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("mlnotes: the set-up was interrupted; the next run starts afresh.\n")
        return 130


def check_python(version):
    """Refuse a Python that is too old or that cannot make virtual environments."""
    if tuple(version[:2]) < OLDEST_PYTHON:
        raise SetUpError(
            f"Python {version[0]}.{version[1]} is too old, 3.11 or later is needed: "
            "install one and run 'make PYTHON=python3.12 ...' with its name."
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise SetUpError(
            "this Python has no 'venv' module: install it (Debian and Ubuntu call the package "
            "python3-venv) and run the same command again."
        ) from None


def leave_venv():
    """Start again with the Python that made `.venv`: this one may be about to be removed."""
    if os.path.realpath(sys.prefix) == os.path.realpath(VENV):
        os.execv(sys._base_executable, [sys._base_executable, os.path.abspath(__file__)])


def describe_inputs():
    """Return a fingerprint of all that the set-up depends on."""
    # Programs in a virtual environment name their own place: one that was moved does not run.
    described = "\n".join([platform.python_version(), sys.executable, ROOT])
    digest = hashlib.sha256(described.encode())
    for name in INPUTS:
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def set_up():
    """Make the virtual environment and install everything into it."""
    os.makedirs(os.path.dirname(LOG), exist_ok=True)
    open(LOG, "w").close()
    if os.path.exists(VENV):
        say("removing an incomplete or outdated .venv")
        shutil.rmtree(VENV)
    say("creating .venv")
    run([sys.executable, "-m", "venv", VENV], "could not create .venv")
    say("installing the locked Python packages (about a minute the first time)")
    install("all.lock")
    run(
        [*installer(), "--no-deps", "--no-build-isolation", "--editable", ROOT],
        "could not install the package itself",
    )
    if not has_node():
        say("installing Node, which renders the mathematics")
        install("node.lock")
    say("installing KaTeX and the fonts")
    npm = shutil.which("npm", path=search_path())
    if npm is None:
        raise SetUpError("found 'node' but no 'npm' beside it: install npm and run again.")
    run(
        [npm, "ci", "--ignore-scripts", "--no-progress", "--loglevel=error"],
        "could not install KaTeX and the fonts",
    )


def install(lock):
    """Install a hashed lock file."""
    path = os.path.join(ROOT, "requirements", lock)
    run([*installer(), "--require-hashes", "-r", path], "could not install " + lock)


def installer():
    """Return the install command: uv, which takes seconds, or pip where uv cannot be had."""
    python = venv_program("python")
    uv = shutil.which("uv", path=search_path())
    if uv is None:
        lock = os.path.join(ROOT, "requirements", "uv.lock")
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if attempt([*pip, "--require-hashes", "-r", lock]):
            uv = venv_program("uv")
        else:
            return pip
    return [uv, "pip", "install", "--quiet", "--python", python]


def has_node():
    """Say whether a recent enough Node is on the search path."""
    node = shutil.which("node", path=search_path())
    if node is None:
        return False
    version = subprocess.run([node, "--version"], stdout=subprocess.PIPE, check=False).stdout
    match = re.match(rb"v(\d+)\.", version)
    return bool(match) and int(match.group(1)) >= OLDEST_NODE


def search_path():
    """Return PATH with the virtual environment's programs first."""
    return os.pathsep.join([os.path.dirname(venv_program("python")), os.environ.get("PATH", "")])


def venv_program(name):
    """Return the path of a program in the virtual environment."""
    return os.path.join(VENV, "Scripts" if os.name == "nt" else "bin", name)


def run(command, failure):
    """Run a command, its output going to the log, or raise with the failure's sentence."""
    if not attempt(command):
        lines = [line for line in (read(LOG) or "").splitlines() if line.strip()]
        telling = [line for line in lines if ERROR.match(line)] or lines or ["no output"]
        raise SetUpError(
            f"{failure} ({telling[-1].strip()}). Is there a network connection? "
            f"The whole output is in {os.path.relpath(LOG)}; the next run starts afresh."
        )


def attempt(command):
    """Run a command, its output going to the log, and say whether it succeeded."""
    # Certificates of the system, because networks with a proxy of their own install theirs there.
    environment = dict(os.environ, PATH=search_path(), VIRTUAL_ENV=VENV, UV_SYSTEM_CERTS="1")
    with open(LOG, "ab") as log:
        try:
            status = subprocess.call(
                command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        except OSError as error:
            log.write(str(error).encode() + b"\n")
            return False
    return status == 0


def read(path):
    """Return a file's text, or None where there is no such file."""
    if not os.path.exists(path):
        return None
    with open(path, errors="replace") as file:
        return file.read()


def say(text):
    """Report progress."""
    sys.stdout.write(f"mlnotes: {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
