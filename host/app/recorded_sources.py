"""Keeps the sources of one agent's programs and scripts in the session record."""

from dataclasses import dataclass

from host.events import SessionRecord


@dataclass(frozen=True)
class RecordedSources:
    """Saves into the record under the agent's id; paths are relative to the record."""

    record: SessionRecord
    agent_id: str

    def program(self, turn: int, *, as_sent: str, as_run: str) -> str:
        return self.record.save_program(self.agent_id, turn, as_sent=as_sent, as_run=as_run)

    def rerun(self, turn: int, ordinal: int, *, source: str) -> str:
        return self.record.save_program(
            self.agent_id, turn, as_sent=source, as_run=source, suffix=f"rerun-{ordinal}"
        )

    def script(self, turn: int, ordinal: int, *, source: str) -> str:
        return self.record.save_program(
            self.agent_id, turn, as_sent=source, as_run=source, origin="onUse", suffix=f"on-use-{ordinal}"
        )
