"""First code of every child: `python -I -S launch.py SPEC`, with SPEC a JSON object.

`parent` is the pid of the process that starts it. A compiler's spec has `argv`, the program to become,
`env` and `rlimits`; a worker's has `worker`. What a child must give up it gives up here, after exec: no
Python code runs between fork and exec in the host.
"""

import os
import sys

# The package's front door is for hosts and would load the parent's half: enter beside it.
_PACKAGE = type(sys)("sandbox")
_PACKAGE.__path__ = [os.path.dirname(os.path.abspath(__file__))]
sys.modules["sandbox"] = _PACKAGE

from sandbox.light_json import parse  # noqa: E402 - needs the package above
from sandbox.start import become, enter  # noqa: E402 - as well

_SPEC = parse(sys.argv[1])
enter(_SPEC["parent"])
if "argv" in _SPEC:
    become(_SPEC)

# Last, so that only the engine is found there; a compiler's launcher never loads it.
sys.path.append(_SPEC["worker"]["engine_directory"])

from sandbox.worker import serve  # noqa: E402 - needs the path above

serve(_SPEC)
