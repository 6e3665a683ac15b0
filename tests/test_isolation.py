"""What holds a student's process: attacks and bombs on every path, with Python's hooks removed.

The hooks only answer with sentences, so they are taken out of the process here: what is left is
bubblewrap, or Landlock, and the filter of system calls. The same program also runs with nothing to
hold it, where every attack must succeed; else its failure elsewhere would say nothing.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mlnotes.checks import _landlock, _limits, _seccomp, isolation, sandbox
from mlnotes.checks.__main__ import main as checks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="isolation is that of Linux")

# The ways on which every attack is tried: what holds the process, and what is taken away from it.
FILTER, NEW_LANDLOCK = "the filter", "what Landlock learned after version 1"
WAYS = {
    "bubblewrap": ("bubblewrap", ""),
    "bubblewrap alone": ("bubblewrap", FILTER),
    "landlock": ("landlock", ""),
    "old landlock": ("landlock", NEW_LANDLOCK),
}
NOTHING = ("hooks", FILTER)

# Each of them raises if it fails, and returns if it succeeds.
ATTACKS = {
    "read the secret": "open(secret).read()",
    "read the sheet": "open(sheet).read()",
    "import the package": "sys.path.insert(0, root); sys.modules.pop('mlnotes', 0); "
    "import mlnotes.perceptron",
    "read the parent's command": "open(f'/proc/{parent}/cmdline').read(1)[0]",
    "read the parent's environment": "open(f'/proc/{parent}/environ').read()",
    "list the secret's folder": "os.listdir(os.path.dirname(secret))",
    "link to the secret": "os.symlink(secret, 'a'); open('a').read()",
    "hard link to the secret": "os.link(secret, 'b'); open('b').read()",
    "write beside the secret": "open(secret + '.new', 'w')",
    "empty a file": "os.open(foreign, os.O_RDONLY | os.O_TRUNC)",
    "cut a file": "os.truncate(foreign, 1)",
    "remove a file": "os.remove(removed)",
    "chmod": "os.chmod(foreign, 0o640)",
    "chown": "os.chown(foreign, os.getuid(), os.getgid())",
    "utime": "os.utime(foreign, (1, 1))",
    "setxattr": "os.setxattr(foreign, 'user.mlnotes', b'1')",
    "chmod a library": "os.chmod(library, os.stat(library).st_mode)",
    "utime a library": "os.utime(library, ns=times(library))",
    "chown a library": "os.chown(library, -1, -1)",
    "prlimit": "resource.prlimit(victim, resource.RLIMIT_NOFILE, (50, 50))",
    "prlimit by its number": "call('prlimit64', victim, 7, pair, None)",
    "setpriority": "os.setpriority(os.PRIO_PROCESS, victim, 5)",
    "setpriority of the parent": "os.setpriority(os.PRIO_PROCESS, parent, nice)",
    "sched_setaffinity": "os.sched_setaffinity(victim, {min(os.sched_getaffinity(0))})",
    "sched_setaffinity of the parent": "os.sched_setaffinity(parent, os.sched_getaffinity(0))",
    "sched_setscheduler": "os.sched_setscheduler(victim, os.SCHED_BATCH, os.sched_param(0))",
    "signal by a pidfd": "signal.pidfd_send_signal(os.pidfd_open(victim), signal.SIGCONT)",
    "signal by a number": "os.kill(victim, signal.SIGCONT)",
    "signal by owning a pipe": "own(victim)",
    "read the memory of another": "os.read(os.open(f'/proc/{victim}/mem', os.O_RDONLY), 0)",
    "trace another": "call('ptrace', 0x4206, victim, 0, 0)",
    "connect to this machine": "socket.create_connection(('127.0.0.1', port), 2)",
    "kill": "os.kill(victim, signal.SIGKILL)",
}
# What succeeds under bubblewrap without its filter stays within the sandbox.
ATTACK = f"""
import ctypes, fcntl, os, resource, signal, socket, struct, sys

NUMBERS = dict(prlimit64={_seccomp.NUMBERS["x86_64"]["prlimit64"]}, ptrace=101)
if os.uname().machine == "aarch64":
    NUMBERS = dict(prlimit64=261, ptrace=117)

def call(name, *arguments):
    library = ctypes.CDLL(None, use_errno=True)
    parts = [a if isinstance(a, bytes) else ctypes.c_long(a or 0) for a in arguments]
    if library.syscall(ctypes.c_long(NUMBERS[name]), *parts) < 0:
        raise OSError(ctypes.get_errno(), name)

def times(path):
    found = os.stat(path)
    return found.st_atime_ns, found.st_mtime_ns

def own(pid):
    receiver, sender = os.pipe()
    fcntl.fcntl(receiver, fcntl.F_SETOWN, pid)
    fcntl.fcntl(receiver, 10, signal.SIGCONT)
    if fcntl.fcntl(receiver, fcntl.F_GETOWN) != pid:
        raise OSError("not owned")

def f(**given):
    pair = struct.pack("QQ", 50, 50)
    names = dict(given, pair=pair, call=call, times=times, own=own, ctypes=ctypes, os=os,
                 resource=resource, signal=signal, socket=socket, sys=sys)
    done = []
    for attack in {list(ATTACKS.values())!r}:
        try:
            exec(attack, names)
            done.append(1)
        except (OSError, ImportError):
            done.append(0)
    return done
"""


def needed(kind: str) -> None:
    """Skip a test of what this machine lacks, or fail where it must not lack it."""
    if kind not in isolation.available():
        reason = f"{kind} is missing here: {isolation.why_no_bubblewrap()}"
        if os.environ.get("MLNOTES_REQUIRE_SANDBOX") == "1":
            pytest.fail(reason)
        pytest.skip(reason)


def child_without(folder: Path, taken: str) -> Path:
    """Return a copy of the child without hooks, and without something else that holds it."""
    folder.mkdir()
    for name in sandbox.TOOLS:
        shutil.copy(sandbox.CHILD.with_name(f"{name}.py"), folder)
    changes = [("_child", "fence(work, job)", "pass")]
    if taken == FILTER:
        changes.append(("_seccomp", "if not is_known():", "if True:"))
        changes.append(("_child", 'if job["filtered"] and not filtered:', "if False:"))
    if taken == NEW_LANDLOCK:
        changes.append(("_landlock", "return max(0, _call(", "return min(1, _call("))
    # The name tells its process from all others.
    child = folder / f"_child_{uuid.uuid4().hex}.py"
    shutil.copy(sandbox.CHILD, child)
    for name, old, new in changes:
        path = child if name == "_child" else folder / f"{name}.py"
        text = path.read_text()
        head, _, tail = text.rpartition(old)
        assert head, old
        path.write_text(head + new + tail)
    return child


def processes(mark: str) -> list[int]:
    """Return the processes whose command has a mark in it."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


@contextlib.contextmanager
def held(way: tuple[str, str], folder: Path) -> Iterator[str]:
    """Let programs be run without hooks on one way; yield the mark of their processes."""
    kind, taken = way
    with pytest.MonkeyPatch.context() as patch:
        child = child_without(folder / "checks", taken)
        patch.setattr(sandbox, "CHILD", child)
        patch.setattr(isolation, "chosen", lambda: kind)
        yield child.stem


@contextlib.contextmanager
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    victim = subprocess.Popen(["sleep", "600"])
    try:
        yield victim
    finally:
        victim.kill()
        victim.wait()


def state(pid: int, file: Path) -> list[Any]:
    """Return all that an attack might change: of a process and of a file."""
    import resource

    of_process = [
        os.getpriority(os.PRIO_PROCESS, pid),
        os.sched_getaffinity(pid),
        os.sched_getscheduler(pid),
        resource.prlimit(pid, resource.RLIMIT_NOFILE),
    ]
    found = file.stat()
    of_file = [file.read_text(), found.st_mode, found.st_mtime_ns, os.listxattr(file)]
    return [*of_process, *of_file]


def attacked(way: tuple[str, str], folder: Path) -> tuple[dict[str, bool], bool]:
    """Return which attacks succeeded, and whether everything is as it was."""
    for name in ("secret", "foreign", "removed"):
        (folder / name).write_text(f"the {name}")
    (folder / "foreign").chmod(0o600)
    with held(way, folder), sleeper() as victim, socket.create_server(("127.0.0.1", 0)) as server:
        before = state(victim.pid, folder / "foreign")
        case = {
            **{name: str(folder / name) for name in ("secret", "foreign", "removed")},
            "sheet": str(sandbox.PACKAGE / "checks" / "sheets" / "sample.py"),
            "root": str(sandbox.PACKAGE.parent),
            "library": np.__file__,
            "parent": os.getpid(),
            "nice": os.getpriority(os.PRIO_PROCESS, 0),
            "victim": victim.pid,
            "port": server.getsockname()[1],
        }
        ((done,),) = sandbox.run(ATTACK, "f", [case], ["done"], seconds=30)
        time.sleep(0.1)
        untouched = victim.poll() is None and state(victim.pid, folder / "foreign") == before
        untouched = untouched and (folder / "removed").exists()
    return {name: bool(d) for name, d in zip(ATTACKS, done, strict=True)}, untouched


@pytest.fixture(scope="module", params=WAYS)
def outcome(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, bool], bool]:
    way = WAYS[request.param]
    needed(way[0])
    return attacked(way, tmp_path_factory.mktemp("attacked"))


def test_every_attack_succeeds_where_nothing_holds_the_program(tmp_path: Path) -> None:
    done, untouched = attacked(NOTHING, tmp_path)
    if os.geteuid() not in (0, os.stat(np.__file__).st_uid):
        done = {name: d for name, d in done.items() if not name.endswith("a library")}
    assert [name for name, succeeded in done.items() if not succeeded] == []
    assert not untouched


def test_no_attack_succeeds_where_the_system_holds_it(
    outcome: tuple[dict[str, bool], bool],
) -> None:
    done, untouched = outcome
    assert [name for name, succeeded in done.items() if succeeded] == []
    assert untouched


@pytest.fixture(params=["bubblewrap", "landlock"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Programs run without hooks; what else holds them does."""
    needed(request.param)
    with held((request.param, ""), tmp_path) as mark:
        yield mark


# Whatever each of them fills or starts, it is stopped or refused, and nothing is left of it.
BOMBS = {
    "[threading.Thread(target=time.sleep, args=(60,)).start() for _ in range(10**5)]": "f ",
    "bytearray(10**11)": "more than 256 megabytes",
    "[open(str(k), 'w').write('x' * 10**7) for k in range(10**4)]": "f ",
    "[open(str(k), 'w').close() for k in range(10**9)]": "f ",
    "[os.dup(0) for _ in range(10**4)]": "Too many open files",
    "[os.write(fd, b'x' * 2**20) for _ in range(100) for fd in pipes()]": "too large to read",
    "sys.setrecursionlimit(10**9); deep()": "f ",
    "while True: pass": "still running after 2 seconds",
    "os.kill(os.getpid(), signal.SIGSTOP)": "still running after 2 seconds",
    "ctypes.string_at(0)": "SIGSEGV",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_ends_with_its_process(way: str, bomb: str) -> None:
    source = f"""
import ctypes, os, signal, stat, sys, threading, time

def pipes():
    return [fd for fd in range(3, 100) if is_pipe(fd)]

def is_pipe(fd):
    try:
        return stat.S_ISFIFO(os.fstat(fd).st_mode)
    except OSError:
        return False

def deep():
    return deep()

def f(x):
    {bomb}
    while True:
        time.sleep(1)
"""
    with pytest.raises(sandbox.Contained, match=re.escape(BOMBS[bomb])):
        sandbox.run(source, "f", [{"x": 1.0}], ["x"], seconds=2, megabytes=256)
    # The kernel takes a moment to remove what was killed.
    deadline = time.monotonic() + 20
    while processes(way) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes(way) == []


# What starts a process or a program, or keeps memory that no limit counts.
REFUSED = (
    "os.fork()",
    "os.execv(sys.executable, [sys.executable])",
    "os.posix_spawn(sys.executable, [sys.executable], {})",
    "_posixsubprocess.fork_exec([b'x'], (sys.executable.encode(),), True, (), None, None, "
    "*[-1] * 6, *os.pipe(), True, False, -1, None, None, None, -1, os.setsid, False)",
    "os.memfd_create('a')",
    "_socket.socket(2, 2)",
    "_socket.socketpair()",
    "os.mknod('/dev/sda', 0o600)",
    "os.chroot('.')",
)


def test_the_filter_refuses_processes_and_lets_threads_run(way: str) -> None:
    """A process could leave the group that is ended with the answer, and outlive it."""
    source = f"""
import _posixsubprocess, _socket, os, sys, threading

def f(x):
    done = []
    for call in {REFUSED!r}:
        try:
            eval(call)
            done.append(1)
        except OSError:
            done.append(0)
    thread = threading.Thread(target=done.append, args=(x,))
    thread.start()
    thread.join()
    return done
"""
    ((done,),) = sandbox.run(source, "f", [{"x": 7.0}], ["done"])
    assert list(done) == [0] * len(REFUSED) + [7]
    assert processes(way) == []


def test_what_a_process_started_ends_with_a_killed_grader(way: str, tmp_path: Path) -> None:
    """Kill the grader while an answer runs that asks not to be ended with it."""
    answer = (
        "import ctypes, time\n"
        "def f(x):\n"
        "    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\n"
        "    time.sleep(600)\n"
    )
    grader = (
        "from pathlib import Path\n"
        "from mlnotes.checks import isolation, sandbox\n"
        f"sandbox.CHILD = Path({str(sandbox.CHILD)!r})\n"
        f"isolation.chosen = lambda: {isolation.chosen()!r}\n"
        f"sandbox.run({answer!r}, 'f', [{{'x': 1.0}}], ['x'], seconds=600)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", grader])
    try:
        assert _becomes(lambda: len(processes(way)) > 1 and _sleeps(processes(way)[-1]))
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert _becomes(lambda: processes(way) == [])


def _becomes(holds: Any, seconds: float = 60.0) -> bool:
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if holds():
            return True
        time.sleep(0.05)
    return False


def _sleeps(pid: int) -> bool:
    """Say whether a process is asleep in the answer: all libraries are loaded by then."""
    with contextlib.suppress(OSError):
        return (
            "clock_nanosleep" in Path(f"/proc/{pid}/wchan").read_text()
            or "hrtimer" in Path(f"/proc/{pid}/wchan").read_text()
        )
    return False


def test_a_process_that_should_be_held_and_is_not_runs_nothing(way: str) -> None:
    confine = sandbox.CHILD.with_name("_landlock.py")
    seccomp = sandbox.CHILD.with_name("_seccomp.py")
    broken = confine if isolation.chosen() == "landlock" else seccomp
    broken.write_text("def confine(*places):\n    return 0\n\n\ndef install():\n    return 0\n")
    with pytest.raises(sandbox.Contained, match="the kernel did not"):
        sandbox.run("def f(x):\n    return x\n", "f", [{"x": 1.0}], ["x"])


def test_a_process_that_does_not_start_is_not_the_students_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(isolation, "command", lambda *parts: ["/bin/false"])
    with pytest.raises(OSError, match="did not start"):
        sandbox.run("def f(x):\n    return x\n", "f", [{"x": 1.0}], ["x"])


def test_bubblewrap_is_tried_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine may have it and forbid what it needs, as containers do."""
    tried = isolation.why_no_bubblewrap.__wrapped__
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "not installed" in tried()
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/false")
    assert tried() == "it may not make namespaces here (exit status 1)"
    monkeypatch.setattr(shutil, "which", lambda name: "/nowhere/bwrap")
    assert "does not start" in tried()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert tried() == "it needs Linux"


def test_the_report_says_what_this_machine_has_and_what_is_not_protected(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checks(["isolation"]) == 0
    printed = capsys.readouterr().out
    used = isolation.chosen()
    assert f"Programs are held by {isolation.NAMES[used]}." in printed
    monkeypatch.setattr(isolation, "why_no_bubblewrap", lambda: "it is not installed")
    monkeypatch.setattr(_landlock, "version", lambda: 3)
    assert isolation.available() == ["landlock", "hooks"]
    assert "Landlock: available, version 3" in isolation.report()
    assert "not protected" not in isolation.report()
    monkeypatch.setattr(_landlock, "version", lambda: 0)
    assert isolation.available() == ["hooks"]
    assert "hooks in Python alone" in isolation.report()
    assert "read and change your files" in isolation.report()


def test_what_is_computed_with_values_has_limits() -> None:
    assert _limits.within_limits(lambda: {"a": [1]}, 5, 100) == {"a": [1]}
    for bomb in (lambda: np.ones(10**10).sum(), lambda: time.sleep(60), lambda: os._exit(0), set):
        with pytest.raises(_limits.Exceeded):
            _limits.within_limits(bomb, 1, 256)


@pytest.mark.parametrize("machine", _seccomp.NUMBERS)
def test_every_call_of_the_filter_has_a_rule_and_a_number(machine: str) -> None:
    lines = _seccomp.program(machine, 1)
    numbers = list(_seccomp.NUMBERS[machine].values())
    assert len(set(numbers)) == len(numbers)
    assert len(lines) < 4096, "the longest filter that Linux takes"
    tested = [k for k, line in enumerate(lines) if line[0] == _seccomp.EQUAL]
    # Every jump lands inside, and every block ends in an answer.
    for k in tested:
        for jump in lines[k][1:3]:
            assert k + 1 + jump < len(lines)
    ends = [lines[k + lines[k][2]][0] for k in tested if lines[k][3] in numbers and lines[k][2] > 1]
    assert set(ends) == {_seccomp.ANSWER}
