"""Where the parts of a session record stand.

```
<record>/            0700, every file 0600
  lock               held while a process writes; names it
  run.json           format version, id, time, version of gg, configuration as used
  events.ndjson      the events; everything else about the run is derived from it
  programs/<agent>/<turn>.ts  .sent.txt
  agents/<agent>/modules/<kind>.json
  workspace/<agent>/ the copy that an agent works on, with the modes of the original
  defects/<hash>.txt
```
"""

import hashlib
import re
from pathlib import PurePosixPath
from typing import Final

FORMAT_VERSION: Final = 1
LOCK_FILE: Final = "lock"
RUN_FILE: Final = "run.json"
EVENTS_FILE: Final = "events.ndjson"
PROGRAMS: Final = "programs"
AGENTS: Final = "agents"
DEFECTS: Final = "defects"

_UNSAFE: Final = re.compile(rb"^\.|[^A-Za-z0-9._-]")
_MAX_NAME_CHARS: Final = 120


def file_name(text: str) -> str:
    """A file name for any text: letters, digits, `-`, `_` and `.` stay, all else is `%XX` of its UTF-8.

    Two texts never share a name. One that grows too long keeps its beginning, then `%~` and a hash.
    """
    encoded = text.encode("utf-8", "surrogatepass")
    name = _UNSAFE.sub(lambda match: b"%%%02X" % match[0][0], encoded).decode("ascii")
    if len(name) > _MAX_NAME_CHARS:
        return f"{name[:80]}%~{hashlib.sha256(encoded).hexdigest()[:24]}"
    return name or "%"


def program_stem(agent_id: str, turn: int, suffix: str = "") -> PurePosixPath:
    """`programs/<agent>/0003`, or `programs/<agent>/0003.<suffix>` for what ran beside the turn's program."""
    name = f"{turn:04d}" + (f".{file_name(suffix)}" if suffix else "")
    return PurePosixPath(PROGRAMS) / file_name(agent_id) / name


def defect_file(sha256: str) -> PurePosixPath:
    """`defects/<hash>.txt`, the input that gg failed on."""
    return PurePosixPath(DEFECTS) / f"{file_name(sha256)}.txt"


def module_file(agent_id: str, kind: str) -> PurePosixPath:
    """`agents/<agent>/modules/<kind>.json`."""
    return PurePosixPath(AGENTS) / file_name(agent_id) / "modules" / f"{file_name(kind)}.json"
