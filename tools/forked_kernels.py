"""Kernels that are forked from a process which has loaded what each of them needs.

To start a kernel and to import NumPy, SciPy and Matplotlib takes longer than many a page runs: of a
page that does nothing else, 1.2 s of the processor, and 0.3 s where it is forked. A server loads
them once, and every kernel begins as a copy of it. The server loads nothing of the project, so what
a page is seen to use stays its own, and it has one thread, or a copy might wait for ever for what
another thread held. Where processes cannot be copied safely, which is everywhere but on Linux,
Jupyter starts kernels its own way.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import cache
from typing import Any

from jupyter_client import AsyncKernelManager
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner
from nbclient import NotebookClient

CAN_FORK = sys.platform == "linux"
# The variables that count when Python and NumPy start; the others may change in the copy.
AT_THE_START = ("PYTHONPATH", "PYTHONHASHSEED", "OPENBLAS_NUM_THREADS")
# It is no module of the project, because that would count as used by each page. Every line that it
# reads asks for a kernel, and is answered with the number of the kernel's process. The kernels end
# when they see that the server has, and it ends when whoever asks has gone.
SERVER = """
import gc, importlib, json, os, signal, sys
os.environ["JPY_PARENT_PID"] = str(os.getpid())
os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as a kernel does
from ipykernel.kernelapp import launch_new_instance
names = "ipykernel.ipkernel numpy scipy.linalg scipy.optimize scipy.sparse scipy.special"
for name in [*names.split(), "matplotlib.figure", "matplotlib.backends.backend_svg"]:
    importlib.import_module(name)
gc.collect()
gc.freeze()
def reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
signal.signal(signal.SIGCHLD, reap)
for line in sys.stdin:
    asked, kernel = json.loads(line), os.fork()
    if kernel:
        print(kernel, flush=True)
        continue
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.chdir(asked["folder"])
    os.environ.update(asked["environment"])
    sys.argv = ["ipykernel_launcher", *asked["arguments"]]
    launch_new_instance()
    break
"""


class Client(NotebookClient):
    """A client whose kernel is forked where that can be."""

    def create_kernel_manager(self) -> AsyncKernelManager:
        """Make a manager that does not start its kernel's process itself."""
        manager = super().create_kernel_manager()
        if CAN_FORK:
            manager.provisioner = Forked(kernel_spec=manager.kernel_spec, parent=manager)
        return manager


class Forked(LocalProvisioner):
    """What starts and ends a forked kernel."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Have a kernel forked that runs with a command's arguments, in a session of its own."""
        environment = kwargs["env"]
        asked = {
            "arguments": cmd[cmd.index("ipykernel_launcher") + 1 :],
            "environment": environment,
            "folder": str(kwargs["cwd"]),
        }
        server = _server(*((name, environment.get(name, "")) for name in AT_THE_START))
        try:
            server.stdin.write(json.dumps(asked) + "\n")
            server.stdin.flush()
            self.process = Process(int(server.stdout.readline()))
        except (BrokenPipeError, ValueError) as error:
            _server.cache_clear()  # the next kernel is forked from another
            raise RuntimeError("the process that kernels are forked from has ended") from error
        self.pid = self.pgid = self.process.pid
        return self.connection_info


class Process:
    """A process that is no child of this one: what a provisioner asks of it."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """Return None while the process is there, and 0 when it has gone."""
        try:
            self.send_signal(0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self) -> int:
        """Return 0: whoever waits has seen that the process has gone."""
        return 0

    def send_signal(self, number: int) -> None:
        """Send the process a signal."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)


@cache
def _server(*variables: tuple[str, str]) -> subprocess.Popen[str]:
    """Return the process from which kernels with these variables are forked."""
    return subprocess.Popen(
        [sys.executable, "-P", "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **dict(variables)},
        text=True,
    )
