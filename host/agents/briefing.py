"""What an agent that is started gets of the context of the one that starts it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from host.context import MAX_SUBAGENT_TOKENS, ContextPacket, estimate_tokens, subagent_packet
from host.core.context_item import ContextItem
from host.core.errors import Refusal
from host.core.text import quoted


@dataclass(frozen=True, kw_only=True)
class Briefing:
    """What a subagent begins with: its own task, last of the packet's tasks, and before it those that it is
    a part of; and handles of the files that the one which started it has open, beneath `files`.
    """

    packet: ContextPacket
    spawner: str
    files: Path | None = None

    @property
    def wider_tasks(self) -> Sequence[ContextItem]:
        return self.packet.task[:-1]


def briefing_of(packet: ContextPacket, prompt: str, *, spawner: str, files: Path | None) -> Briefing:
    """The packet of a subagent of an agent that has this one. Where the tasks that it is a part of have no
    room they are left out, the farthest first.

    Raises `Refusal` for a prompt that has no room itself.
    """
    for left_out in range(len(packet.task) + 1):
        child = subagent_packet(replace(packet, task=packet.task[left_out:]), prompt)
        if child.completion_state != "blocked-escalated":
            return Briefing(packet=child, spawner=spawner, files=files)
    raise Refusal(
        "limit-exceeded",
        f"The prompt {quoted(prompt, max_chars=40)} has about {estimate_tokens(prompt):,} of"
        f" {MAX_SUBAGENT_TOKENS:,} tokens; say what is to be done, and hand over the rest in a file, a memory"
        " or a message.",
        kind="prompt_tokens",
    )
