"""Takes directories out of the sight of a command, done by its process before it executes anything.

Two ways, either of which holds for whatever the command starts. Mounts: an empty directory that cannot be
entered lies over each, in a mount namespace of the command's own. Rules: Landlock allows reading and writing
of all that is there beside them. That works where namespaces are forbidden, as in most containers, but in the
directories that lead to a hidden one no entry can be made, renamed or removed.

Neither can be undone from within, and no process outside can be looked into by who is inside. Linux alone.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

from sandbox.confine import forbid_new_privileges, prctl

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

__all__ = ["hide_by_mounts", "hide_by_rules"]

_CLONE_NEWNS: Final = 0x0002_0000
_CLONE_NEWUSER: Final = 0x1000_0000
_MS_RDONLY: Final = 1
_MS_REC: Final = 0x4000
_MS_SLAVE: Final = 0x8_0000

_PR_CAPBSET_DROP: Final = 24
_CAPABILITY_VERSION: Final = 0x2008_0522
# What root could undo a mount with, or get around it: file handles, modules, raw I/O, ptrace, mounts, device
# nodes, perf, BPF, checkpoints.
_UNDOING: Final = (2, 16, 17, 19, 21, 27, 38, 39, 40)

_LANDLOCK_CREATE_RULESET: Final = 444
_LANDLOCK_ADD_RULE: Final = 445
_LANDLOCK_RESTRICT_SELF: Final = 446
_LANDLOCK_VERSION: Final = 1
_LEAST_VERSION: Final = 2  # the first one under which files can be moved between directories
_TRUNCATE_VERSION: Final = 3
_PATH_BENEATH: Final = 1
_OF_FILES: Final = 1 << 1 | 1 << 2  # write, read
_OF_DIRECTORIES: Final = sum(
    1 << n for n in range(4, 14)
)  # remove and make entries, move between directories
_TRUNCATE: Final = 1 << 14


def hide_by_mounts(paths: Sequence[str]) -> None:
    """Raises `OSError` where the system allows no such namespace; the process is of no use then."""
    _refuse_elsewhere()
    user, group = os.geteuid(), os.getegid()
    _call("unshare", ctypes.c_int(_CLONE_NEWNS if user == 0 else _CLONE_NEWNS | _CLONE_NEWUSER))
    if user != 0:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
    _mount(b"/", None, _MS_REC | _MS_SLAVE, None)
    for path in paths:
        _mount(os.fsencode(path), b"tmpfs", _MS_RDONLY, b"size=4k,nr_inodes=1,mode=000")
    if user == 0:  # who is another one loses them all by executing
        _give_up_capabilities()


def hide_by_rules(paths: Sequence[str]) -> None:
    """Raises `OSError` where the kernel has no Landlock, or too early a form of it."""
    _refuse_elsewhere()
    hidden = frozenset(map(os.path.realpath, paths))
    for path in hidden:
        os.stat(path)  # what is not there would be allowed as soon as it is
    version = _system_call(_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _LANDLOCK_VERSION)
    if version < _LEAST_VERSION:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
    of_files = _OF_FILES | (_TRUNCATE if version >= _TRUNCATE_VERSION else 0)
    handled = ctypes.create_string_buffer(struct.pack("=Q", of_files | _OF_DIRECTORIES), 8)
    rules = _system_call(_LANDLOCK_CREATE_RULESET, handled, ctypes.c_size_t(8), 0)
    for path, is_directory in _beside("/", hidden):
        try:
            place = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:  # it is gone, or not this user's to look at
            continue
        allowed = of_files | (_OF_DIRECTORIES if is_directory else 0)
        rule = ctypes.create_string_buffer(struct.pack("=Qi", allowed, place), 12)
        _system_call(_LANDLOCK_ADD_RULE, ctypes.c_int(rules), _PATH_BENEATH, rule, 0)
        os.close(place)
    forbid_new_privileges()
    _system_call(_LANDLOCK_RESTRICT_SELF, ctypes.c_int(rules), 0)
    os.close(rules)


def _beside(folder: str, hidden: frozenset[str]) -> Iterator[tuple[str, bool]]:
    """The topmost entries that neither are hidden nor lead to what is, and whether each is a directory."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.path in hidden or entry.is_symlink():
            continue
        if any(path.startswith(f"{entry.path}/") for path in hidden):
            yield from _beside(entry.path, hidden)
        else:
            yield entry.path, entry.is_dir(follow_symlinks=False)


def _give_up_capabilities() -> None:
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION, 0), 8)
    sets = ctypes.create_string_buffer(24)
    _call("capget", header, sets)
    words = list(struct.unpack("=6I", sets.raw))  # effective, permitted, inheritable: low halves, then high
    for capability in _UNDOING:
        prctl(_PR_CAPBSET_DROP, capability, doing="give up a capability")
        for place in range(3):
            words[3 * (capability // 32) + place] &= ~(1 << capability % 32)
    _call("capset", header, ctypes.create_string_buffer(struct.pack("=6I", *words), 24))


def _refuse_elsewhere() -> None:
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _mount(path: bytes, kind: bytes | None, flags: int, data: bytes | None) -> None:
    _call("mount", b"none", path, kind, ctypes.c_ulong(flags), data)


def _system_call(number: int, *arguments: object) -> int:
    return _call("syscall", ctypes.c_long(number), *arguments)


def _call(name: str, *arguments: object) -> int:
    result: int = getattr(_LIBC, name)(*arguments)
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


_LIBC: Final = ctypes.CDLL(None, use_errno=True)
