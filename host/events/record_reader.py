"""A session record being read: its header, its events, and what is derived from them."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from host.core.regular_files import open_regular
from host.core.text import format_size
from host.events.errors import RecordTooNew, RecordUnreadable
from host.events.fold_agents import AGENT_EVENTS, AgentFold
from host.events.fold_modules import MEMORIES, ModuleFold
from host.events.fold_run import fold_run
from host.events.layout import EVENTS_FILE, FORMAT_VERSION, RUN_FILE, module_file
from host.events.lock import writer_of
from host.events.read import EventReader
from host.events.run_view import AgentView, RunView

MAX_FILE_BYTES: Final = 64 * 2**20
"""Of a file beside the events: a program, the header, the state of a store."""


class RecordReader:
    """Opens a record's directory, or an `events.ndjson` alone. Changes nothing; the record may be in writing.

    Raises `RecordUnreadable` where there is no record, `RecordTooNew` where its format is a later one.
    """

    def __init__(self, path: Path) -> None:
        self.directory: Final = path if path.is_dir() else path.parent
        self.events_path: Final = path / EVENTS_FILE if path.is_dir() else path
        if path.is_dir() and not self.events_path.exists():
            raise RecordUnreadable(path, f"no session record: it holds no {EVENTS_FILE}")
        self._header: Final = _read_header(self.directory / RUN_FILE)
        self._reader: Final = EventReader(self.events_path)

    @property
    def header(self) -> Mapping[str, Any]:
        """What `run.json` says: `formatVersion`, `id`, `createdAt`, `ggVersion`, `config`."""
        if self._header is None:
            raise RecordUnreadable(self.directory / RUN_FILE, "missing, so the configuration is not known")
        return self._header

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration as used, masked."""
        config: Mapping[str, Any] = self.header["config"]
        return config

    @property
    def torn(self) -> bool:
        """Whether the last line of the events was cut short and is dropped."""
        return self._reader.torn

    @property
    def writer(self) -> int | None:
        """The id of the process that writes the record now, 0 if it is not known, `None` if none does."""
        return writer_of(self.directory)

    def events(self) -> EventReader:
        """The events, in order, read anew by each iteration."""
        return self._reader

    def view(self, *, at_turn: int | None = None, agent_id: str | None = None) -> RunView:
        """The run as a person looks at it; with `at_turn`, as it was when that turn of an agent had ended, of
        the one that began first where none is named.
        """
        return fold_run(self._reader, at_turn=at_turn, agent_id=agent_id, torn=self.torn)

    def agents(self) -> tuple[AgentView, ...]:
        """Every agent of the run, without its lines that belong to no turn. Most of the record is skipped.

        Where a line is damaged, what stands before it is told; whoever reads the events meets the damage.
        """
        fold = AgentFold()
        with suppress(RecordUnreadable):
            for stamped in self._reader.of_types(AGENT_EVENTS):
                fold.add(stamped)
        return fold.views()

    def module_state(self, agent_id: str, kind: str = MEMORIES) -> Mapping[str, Any] | None:
        """What the agent's file about its store says, from the events where the file is absent."""
        path = self.directory / module_file(agent_id, kind)
        if path.is_file():
            return _read_object(path)
        return self._module_states.get((agent_id, kind))

    def program(self, source_path: str) -> str:
        """The text that a `code_execution` names, masked as it was written."""
        path = self.directory / source_path
        try:
            path = path.resolve()
            if not path.is_relative_to(self.directory.resolve()):
                raise RecordUnreadable(path, "it lies outside the record")
            return _content(path).decode("utf-8", "surrogatepass")
        except ValueError as error:  # of a path that no system has, or of a text that is no UTF-8
            raise RecordUnreadable(path, str(error)) from error

    @cached_property
    def _module_states(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        fold = ModuleFold()
        for stamped in self._reader:
            fold.add(stamped)
        return fold.states()


def is_record(path: Path) -> bool:
    """Whether a directory has what a session record has, readable or not. A link is none, and neither is what
    cannot be looked at.
    """
    files = (path / RUN_FILE, path / EVENTS_FILE)
    return not os.path.islink(path) and all(os.path.isfile(file) for file in files)


def _read_header(path: Path) -> Mapping[str, Any] | None:
    if not path.is_file():
        return None
    header = _read_object(path)
    version = header.get("formatVersion")
    if type(version) is not int or version < 1:
        raise RecordUnreadable(path, f"formatVersion is {version!r}, not a whole number from 1")
    if version > FORMAT_VERSION:
        raise RecordTooNew(path, found=version, known=FORMAT_VERSION)
    if not isinstance(header.get("config"), dict):
        raise RecordUnreadable(path, "it holds no config")
    return header


def _read_object(path: Path) -> Mapping[str, Any]:
    try:
        value = json.loads(_content(path))
    except (ValueError, RecursionError) as error:
        raise RecordUnreadable(path, str(error)) from error
    if not isinstance(value, dict):
        raise RecordUnreadable(path, "not a JSON object")
    return value


def _content(path: Path) -> bytes:
    try:
        with open_regular(path) as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise RecordUnreadable(path, error.strerror or str(error)) from error
    if len(data) > MAX_FILE_BYTES:
        raise RecordUnreadable(path, f"larger than {format_size(MAX_FILE_BYTES)}")
    return data
