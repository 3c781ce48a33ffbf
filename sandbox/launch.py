"""First code of every child: `python -I -S launch.py SPEC`, with SPEC a JSON object.

`parent` is the pid of the process that starts it, `rlimits` the limits by name, and `argv` the
program to become. Everything a child must give up it gives up here, after exec: no Python code runs
between fork and exec in the host.
"""

import os
import sys
import types

# The package's front door is for hosts and would load the parent's half: enter beside it.
_PACKAGE = types.ModuleType("sandbox")
_PACKAGE.__path__ = [os.path.dirname(os.path.abspath(__file__))]
sys.modules["sandbox"] = _PACKAGE

from sandbox.start import main  # noqa: E402 - needs the package above

main(sys.argv[1])
