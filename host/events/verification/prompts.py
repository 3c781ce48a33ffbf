"""Whether the prompts that the events add up to are those that were sent."""

import hashlib
import json
from collections.abc import Iterator
from typing import Final

from host.core.text import counted
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import Prompt, PromptMessage
from host.events.verification.check import Check, Problems


class PromptsCheck:
    """Keeps the latest prompt of each agent; its messages are masked as they were sent."""

    def __init__(self) -> None:
        self._prompts: Final[dict[str, _PromptFold]] = {}
        self._problems: Final = Problems()
        self._count = 0

    def add(self, stamped: StampedEvent) -> None:
        event = stamped.event
        if not isinstance(event, Prompt):
            return
        self._count += 1
        prompt = self._prompts.setdefault(stamped.agent_id, _PromptFold())
        prompt.add(event)
        where = f"event {stamped.seq}, turn {event.turn}: "
        if event.messages != len(prompt):
            self._problems.add(f"{where}messages is {event.messages}, and the events add up to {len(prompt)}")
        elif event.prompt_sha256 != prompt.sha256:
            told = "is not that of the messages that the events add up to"
            self._problems.add(f"{where}promptSha256 {told}")

    def conclude(self, reader: RecordReader) -> Check:
        return self._problems.as_check("prompts", f"hashes of {counted(self._count, 'prompt')}")


class _PromptFold:
    """One agent's prompt, a line for each message, hashed as it grows."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._hash = hashlib.sha256()

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def add(self, prompt: Prompt) -> None:
        if prompt.dropped:
            dropped = frozenset(prompt.dropped)
            kept = [line for place, line in enumerate(self._lines) if place not in dropped]
            self._lines, self._hash = [], hashlib.sha256()
            self._append(kept)
        self._append([_line(message) for message in prompt.new_messages])

    def _append(self, lines: list[bytes]) -> None:
        for line in lines:
            self._lines.append(line)
            self._hash.update(line)


def _line(message: PromptMessage) -> bytes:
    text = json.dumps([*_parts(message)], separators=(",", ":"))
    return f"{text}\n".encode("ascii")


def _parts(message: PromptMessage) -> Iterator[object]:
    yield message.role
    yield message.text
    for image in message.images:
        yield {"mediaType": image.media_type, "sha256": image.sha256}
    for call in message.tool_calls:
        yield {"id": call.id, "name": call.name, "arguments": call.arguments}
    if message.answers is not None:
        yield {"answers": message.answers}
