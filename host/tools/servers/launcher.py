"""Start-up of a server's process: it asks to be killed when the host dies, and becomes the server.

A server that does not look at its input would otherwise outlive a host that was killed. Runs in the child, as
`python launcher.py <pid of the host> <variables to take out> <program> <argument>…`: standard library only.
The program is the path of a file; the environment and the working directory are already those of the server,
but for the variables that Python itself puts in as it starts.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, put_in, program = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    if sys.platform == "linux":
        # Where the kernel refuses, the server ends with its input, as it does elsewhere.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # the host died before the request could hold
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, and so by what it becomes
        signal.signal(ignored, signal.SIG_DFL)
    for name in put_in.split():
        os.unsetenv(name)
    try:
        os.execv(program, sys.argv[3:])
    except OSError as error:
        sys.stderr.write(f"cannot execute {program}: {error.strerror}\n")
        sys.exit(127)  # as a shell says it


if __name__ == "__main__":
    main()
