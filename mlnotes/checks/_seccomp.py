"""A filter of system calls: what a student's process may not ask of the kernel, whatever it runs.

Namespaces and Landlock decide which files a process reaches. This filter sees to the rest: it stays
one process, leaves others alone, opens no socket, and changes neither owner, mode, times nor
attributes of any file. Calls younger than the list are said not to exist, so that libraries fall
back to older ones. The module uses the standard library alone, because a student's process loads it
by its path.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable

# Names of calls by what they do, and their numbers where the filter knows the machine.
NUMBERS: dict[str, dict[str, int]] = {
    "x86_64": {
        # Starting a process or a program.
        **{"fork": 57, "vfork": 58, "execve": 59, "execveat": 322, "unshare": 272, "setns": 308},
        # Reaching another process: signals, memory, limits, scheduling.
        **{"tkill": 200, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297, "ptrace": 101},
        **{"pidfd_send_signal": 424, "pidfd_open": 434, "pidfd_getfd": 438, "kcmp": 312},
        **{"process_vm_readv": 310, "process_vm_writev": 311, "process_madvise": 440},
        **{"process_mrelease": 448, "migrate_pages": 256, "move_pages": 279, "setpriority": 141},
        **{"sched_setaffinity": 203, "sched_setparam": 142, "sched_setscheduler": 144},
        **{"sched_setattr": 314, "ioprio_set": 251},
        # Talking to others, or keeping memory that no limit counts and that stays behind.
        **{"socket": 41, "socketpair": 53, "io_uring_setup": 425, "shmget": 29, "msgget": 68},
        **{"semget": 64, "mq_open": 240, "memfd_create": 319, "memfd_secret": 447},
        # Changing what is said of a file.
        **{"chmod": 90, "fchmod": 91, "fchmodat": 268, "chown": 92, "fchown": 93, "lchown": 94},
        **{"fchownat": 260, "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280},
        **{"setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197},
        **{"lremovexattr": 198, "fremovexattr": 199, "truncate": 76},
        # Changing the machine.
        **{"mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "bpf": 321},
        **{"perf_event_open": 298, "userfaultfd": 323, "keyctl": 250, "add_key": 248},
        **{"request_key": 249, "open_by_handle_at": 304},
        # Those of which some uses are allowed, and the one that installs this filter.
        **{"clone": 56, "kill": 62, "tgkill": 234, "prlimit64": 302, "prctl": 157, "fcntl": 72},
        **{"open": 2, "openat": 257, "openat2": 437, "ioctl": 16, "clone3": 435, "seccomp": 317},
    },
    "aarch64": {
        **{"execve": 221, "execveat": 281, "unshare": 97, "setns": 268},
        **{"tkill": 130, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240, "ptrace": 117},
        **{"pidfd_send_signal": 424, "pidfd_open": 434, "pidfd_getfd": 438, "kcmp": 272},
        **{"process_vm_readv": 270, "process_vm_writev": 271, "process_madvise": 440},
        **{"process_mrelease": 448, "migrate_pages": 238, "move_pages": 239, "setpriority": 140},
        **{"sched_setaffinity": 122, "sched_setparam": 118, "sched_setscheduler": 119},
        **{"sched_setattr": 274, "ioprio_set": 30},
        **{"socket": 198, "socketpair": 199, "io_uring_setup": 425, "shmget": 194, "msgget": 186},
        **{"semget": 190, "mq_open": 180, "memfd_create": 279, "memfd_secret": 447},
        **{"fchmod": 52, "fchmodat": 53, "fchown": 55, "fchownat": 54, "utimensat": 88},
        **{"setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14},
        **{"lremovexattr": 15, "fremovexattr": 16, "truncate": 45},
        **{"mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "bpf": 280},
        **{"perf_event_open": 241, "userfaultfd": 282, "keyctl": 219, "add_key": 217},
        **{"request_key": 218, "open_by_handle_at": 265},
        **{"clone": 220, "kill": 129, "tgkill": 131, "prlimit64": 261, "prctl": 167, "fcntl": 25},
        **{"openat": 56, "openat2": 437, "ioctl": 29, "clone3": 435, "seccomp": 277},
    },
}
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# The first call that is younger than the list.
YOUNGER = 451
# A second table of calls on x86-64, with other numbers.
X32 = 0x40000000

CLONE_THREAD = 0x10000
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
F_SETOWN, F_SETSIG, F_SETOWN_EX = 8, 10, 15
SET_MODE_FILTER, ALL_THREADS = 1, 1

# Instructions of the filter's language: opcodes, and what a filter answers.
LOAD, AND, EQUAL, AT_LEAST, ANY_BIT, ANSWER = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000

Instruction = tuple[int, int, int, int]
YES: Instruction = (ANSWER, 0, 0, ALLOW)


def refusal(reason: int = errno.EPERM) -> Instruction:
    """Return the instruction that lets a call fail with an error."""
    return (ANSWER, 0, 0, REFUSE | reason)


def argument(position: int) -> Instruction:
    """Return the instruction that loads the lower half of an argument."""
    return (LOAD, 0, 0, 16 + 8 * position)


def only(position: int, value: int) -> list[Instruction]:
    """Allow a call whose argument has one value."""
    return [argument(position), (EQUAL, 0, 1, value), YES, refusal()]


def never(position: int, values: Iterable[int]) -> list[Instruction]:
    """Allow a call unless its argument is one of some values."""
    tests = [part for value in values for part in ((EQUAL, 0, 1, value), refusal())]
    return [argument(position), *tests, YES]


def unless_cut(position: int) -> list[Instruction]:
    """Refuse to empty a file that is only opened for reading, which old Landlock lets through."""
    tested = os.O_ACCMODE | os.O_TRUNC
    return [argument(position), (AND, 0, 0, tested), (EQUAL, 0, 1, os.O_TRUNC), refusal(), YES]


def rules(pid: int) -> dict[str, list[Instruction]]:
    """Return what becomes of each call; a process may signal and limit itself."""
    conditional = {
        "clone": [argument(0), (ANY_BIT, 0, 1, CLONE_THREAD), YES, refusal()],
        "clone3": [refusal(errno.ENOSYS)],  # hides what it is asked for: clone is used instead
        "openat2": [refusal(errno.ENOSYS)],
        "ioctl": [refusal(errno.ENOTTY)],
        "kill": only(0, pid),
        "tgkill": only(0, pid),
        "prlimit64": only(0, 0),
        "prctl": never(0, [PR_SET_PDEATHSIG]),
        "fcntl": never(1, [F_SETOWN, F_SETSIG, F_SETOWN_EX]),
        "open": unless_cut(1),
        "openat": unless_cut(2),
        "seccomp": [YES],
    }
    names = dict.fromkeys(name for table in NUMBERS.values() for name in table)
    return {name: conditional.get(name, [refusal()]) for name in names}


def program(machine: str, pid: int) -> list[Instruction]:
    """Return the filter for a kind of machine and a process."""
    blocks = rules(pid)
    out: list[Instruction] = [
        # Calls of another kind of machine have other numbers; none is made by mistake.
        *((LOAD, 0, 0, 4), (EQUAL, 1, 0, ARCHITECTURES[machine]), (ANSWER, 0, 0, KILL)),
        *((LOAD, 0, 0, 0), (AT_LEAST, 0, 1, X32), (ANSWER, 0, 0, KILL)),
        *((AT_LEAST, 0, 1, YOUNGER), refusal(errno.ENOSYS)),
    ]
    for name, number in NUMBERS[machine].items():
        out += [(EQUAL, 0, len(blocks[name]), number), *blocks[name]]
    return [*out, YES]


def is_known() -> bool:
    """Say whether the calls of this machine are known here."""
    return platform.machine() in NUMBERS and struct.calcsize("P") == 8


def install() -> bool:
    """Install the filter for all threads of this process, for good; say whether it holds."""
    if not is_known():
        return False
    machine = platform.machine()
    lines = program(machine, os.getpid())
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    whole = struct.pack("HxxxxxxP", len(lines), ctypes.addressof(code))
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    number = ctypes.c_long(NUMBERS[machine]["seccomp"])
    argument_buffer = ctypes.create_string_buffer(whole)
    mode, flags = ctypes.c_uint(SET_MODE_FILTER), ctypes.c_uint(ALL_THREADS)
    return bool(library.syscall(number, mode, flags, argument_buffer) == 0)
