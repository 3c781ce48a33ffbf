"""Whether the files under `programs/` are the texts that were sent and that ran."""

from dataclasses import dataclass
from typing import Final

from host.core.hashing import sha256_of
from host.core.scrubbing import PLACEHOLDER
from host.core.text import counted
from host.events.errors import RecordUnreadable
from host.events.layout import PROGRAMS
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import CodeExecution, MemoryRevision, ModelReply, SessionSummary
from host.events.verification.check import Check, Problems

_MARKS: Final = ("[masked:", PLACEHOLDER)


@dataclass(frozen=True, slots=True)
class _Text:
    """A file, the event that names it, and the hash that it has to have; one of a reply is that as masked."""

    path: str
    seq: int
    sha256: str


class ProgramsCheck:
    """Each text that ran by its hash, each text as sent by the reply's.

    A file is masked, and the hash of what ran is not. So a file with a mark of it is held against the
    originals that the events have hashes of, and counted where none fits.
    """

    def __init__(self) -> None:
        self._ran: Final[list[_Text]] = []
        self._sent: Final[list[_Text]] = []
        self._replies: Final[dict[str, ModelReply]] = {}
        self._originals: Final[set[str]] = set()
        self._ended_well = False

    def add(self, stamped: StampedEvent) -> None:
        event = stamped.event
        match event:
            case CodeExecution(source_path=str(path)):
                self._ran.append(_Text(path, stamped.seq, event.sha256))
                self._add_sent(path, stamped)
            case ModelReply():
                self._replies[stamped.agent_id] = event
            case SessionSummary(status=status):
                self._ended_well = status != "internal_error"
        if isinstance(event, ModelReply | MemoryRevision):
            self._originals.update(original.sha256 for original in stamped.originals)

    def conclude(self, reader: RecordReader) -> Check:
        problems = Problems()
        masked = sum(self._is_masked(text, reader, problems) for text in self._ran)
        for text in self._sent:
            content = _content(text, reader, problems)
            if content is not None and sha256_of(content) != text.sha256:
                problems.add(f"{text.path} is not the text of event {text.seq}")
        named = {text.path for text in self._ran}
        if self._ended_well:
            for path in sorted(_texts(reader) - named):
                problems.add(f"{path} is a text that no event names")
        told = f", {masked} of them masked and not compared" if masked else ""
        return problems.as_check("programs", f"hashes of {counted(len(named), 'text')}{told}")

    def _add_sent(self, path: str, stamped: StampedEvent) -> None:
        """A program that was the whole reply. That of a call of a tool stands in its arguments."""
        reply = self._replies.get(stamped.agent_id)
        event = stamped.event
        assert isinstance(event, CodeExecution)
        if reply is None or reply.turn != event.turn or reply.tool_calls:
            return
        if event.origin == "program" and not event.rerun:
            sent = f"{path.removesuffix('.ts')}.sent.txt"
            self._sent.append(_Text(sent, stamped.seq, sha256_of(reply.text)))

    def _is_masked(self, text: _Text, reader: RecordReader, problems: Problems) -> bool:
        """Whether nothing can be said of the file's text; a wrong one is added to the problems."""
        content = _content(text, reader, problems)
        if content is None or (found := sha256_of(content)) == text.sha256:
            return False
        if any(mark in content for mark in _MARKS):
            return text.sha256 not in self._originals
        problems.add(f"{text.path}: its SHA-256 is {found}, and event {text.seq} has {text.sha256}")
        return False


def _content(text: _Text, reader: RecordReader, problems: Problems) -> str | None:
    try:
        return reader.program(text.path)
    except RecordUnreadable as error:
        problems.add(f"event {text.seq}: {error}")
        return None


def _texts(reader: RecordReader) -> set[str]:
    """The texts as run, relative to the record; those as sent stand beside them."""
    return {str(path.relative_to(reader.directory)) for path in (reader.directory / PROGRAMS).rglob("*.ts")}
