"""A session record being written: one directory per run, from which the run can be shown and replayed.

The events are the record. `run.json` says what was run, `programs/` keeps each text that ran, under a name
that a person finds, and `agents/` is derived from the events. Every text is masked before it is written.
"""

import hashlib
import json
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from host.core.clock import Clock
from host.core.errors import system_reason
from host.core.masking import Masker
from host.core.moments import moment_text
from host.events.encoding import mask_fields, mask_value
from host.events.errors import RecordNotCreated, RecordUnwritable
from host.events.fold_modules import MODULE_EVENTS, ModuleFold
from host.events.layout import (
    EVENTS_FILE,
    FORMAT_VERSION,
    LOCK_FILE,
    RUN_FILE,
    defect_file,
    module_file,
    program_stem,
)
from host.events.lock import RecordLock
from host.events.log import EventLog
from host.events.private_files import make_directory, replace_file, write_new
from host.events.stamped import Original
from host.events.types import RunOrigin


class SessionRecord:
    """The one writer of a record. Made by `create`; a context manager. Events go to its `log`.

    Whatever cannot be written raises `RecordUnwritable`. Safe to use from several threads.
    """

    def __init__(self, path: Path, *, log: EventLog, lock: RecordLock, masker: Masker) -> None:
        self.path: Final = path
        self.log: Final = log
        self._lock: Final = lock
        self._masker: Final = masker
        self._modules: Final = ModuleFold()
        self._module_files: Final[dict[Path, bytes]] = {}
        for kind in MODULE_EVENTS:
            log.subscribe(self._modules.add, to=kind)

    @classmethod
    def create(
        cls,
        out: Path,
        *,
        run_id: str,
        config: Mapping[str, Any],
        gg_version: str,
        clock: Clock,
        masker: Masker,
    ) -> Self:
        """Begins a record in `out`, which must be absent or an empty directory.

        `config` is the configuration as used, a JSON object. Raises `RecordNotCreated`, or `RecordLocked`
        where another process is faster; then nothing of this attempt is left.
        """
        header = _header(run_id, config, gg_version, clock, masker)
        with ExitStack() as undo:
            try:
                _claim(out, undo)
                lock = RecordLock(out)
                undo.callback((out / LOCK_FILE).unlink)
                undo.callback(lock.release)
                if not write_new(out / RUN_FILE, _pretty(header)):
                    raise RecordNotCreated(out, "another process began one there just now")
                undo.callback((out / RUN_FILE).unlink)
                log = EventLog(out / EVENTS_FILE, run_id=run_id, clock=clock, masker=masker)
            except RecordUnwritable as error:
                raise RecordNotCreated(out, error.reason) from error
            except OSError as error:
                raise RecordNotCreated(out, f"{system_reason(error)}; name another with --out") from error
            undo.pop_all()
        return cls(out, log=log, lock=lock, masker=masker)

    def save_program(
        self,
        agent_id: str,
        turn: int,
        *,
        as_sent: str,
        as_run: str,
        origin: RunOrigin = "program",
        suffix: str = "",
    ) -> str:
        """Keeps a text that is about to run; its path, relative to the record, goes on `code_execution`.

        A program is kept as sent, too. What runs beside it in the turn has a suffix. A name that is taken
        gets `-2`, `-3`, …
        """
        stem = program_stem(agent_id, turn, suffix)
        make_directory(self.path / stem.parent)
        numbered = (stem if n == 1 else stem.with_name(f"{stem.name}-{n}") for n in count(1))
        name = next(name for name in numbered if write_new(self.path / f"{name}.ts", self._masked(as_run)))
        if origin == "program":
            replace_file(self.path / f"{name}.sent.txt", self._masked(as_sent))
        return f"{name}.ts"

    def save_defect_input(self, sha256: str, text: str) -> str:
        """Keeps what gg failed on, so that it can be reproduced; its path, relative to the record."""
        path = defect_file(sha256)
        make_directory(self.path / path.parent)
        replace_file(self.path / path, self._masked(text))
        return str(path)

    def write_module_state(self, agent_id: str) -> None:
        """Brings the agent's files under `agents/` up to the events. For turn boundaries."""
        self._write_states(self._modules.states(agent_id))

    def write_module_states(self) -> None:
        """The same for all agents, for the end of the run: others have come and gone since their turns."""
        self._write_states(self._modules.states())

    def close(self) -> None:
        """Writes what is left and lets go of the lock, in any case."""
        try:
            self.log.close()
        finally:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write_states(self, states: Mapping[tuple[str, str], Mapping[str, Any]]) -> None:
        contents = {self.path / module_file(*holder): _pretty(state) for holder, state in states.items()}
        digests = {path: hashlib.sha256(content).digest() for path, content in contents.items()}
        changed = [path for path, digest in digests.items() if self._module_files.get(path) != digest]
        if changed:
            self.log.flush()  # no file says what the events do not, wherever the process is killed
        for path in changed:
            make_directory(path.parent)
            replace_file(path, contents[path])
            self._module_files[path] = digests[path]

    def _masked(self, text: str) -> bytes:
        return self._masker.mask(text).encode("utf-8", "surrogatepass")


def _claim(out: Path, undo: ExitStack) -> None:
    if not out.exists():
        if out.parent.exists() and not out.parent.is_dir():
            raise RecordNotCreated(out, f"{out.parent} is not a directory; name another with --out")
        out.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):  # made by another process meanwhile, and looked at below
            out.mkdir(mode=0o700)
            undo.callback(_remove_if_empty, out)
    if not out.is_dir():
        raise RecordNotCreated(out, "it is not a directory; name another with --out")
    if any(out.iterdir()):
        raise RecordNotCreated(out, "it is not empty; name an absent or an empty directory with --out")
    out.chmod(0o700)


def _remove_if_empty(directory: Path) -> None:
    with suppress(OSError):  # another process began its record in it
        directory.rmdir()


def _header(
    run_id: str, config: Mapping[str, Any], gg_version: str, clock: Clock, masker: Masker
) -> dict[str, Any]:
    originals: list[Original] = []
    masked_config = mask_value(config, masker.mask, "config", originals)
    return {
        "formatVersion": FORMAT_VERSION,
        "id": run_id,
        "createdAt": moment_text(clock.now()),
        "ggVersion": gg_version,
        "config": masked_config,
        **mask_fields(originals),
    }


def _pretty(value: object) -> bytes:
    return (json.dumps(value, indent=2, allow_nan=False) + "\n").encode("ascii")
