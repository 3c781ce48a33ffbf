"""The event of a command that an agent ran."""

from typing import Literal

from pydantic import Field

from host.events.types.base import EventModel, Milliseconds, RunOrigin, Turn

CommandOutcome = Literal["exited", "killed", "timed_out", "not_started", "lost"]
"""`killed`: a signal ended it. `lost`: the process that watches over it was killed, and it with that."""


class Shell(EventModel):
    """A command was run, or could not be. Written when it has ended, before the `api_call` that it was."""

    turn: Turn
    origin: RunOrigin = Field(
        description="The model's reply, or a script queued by the use of a memory or skill."
    )
    command: str = Field(
        description="The command, its first 2,048 characters. A program and its arguments stand as they would"
        " have to be written for a shell."
    )
    in_shell: bool = Field(description="Whether `/bin/sh` read it; no shell reads a program's arguments.")
    cwd: str = Field(description="The directory that it was to start in.")
    outcome: CommandOutcome = Field(
        description="How it ended: by itself, by a signal, at its time-out, not at all since it could not be"
        " started, or with the process that watched over it."
    )
    exit_code: int | None = Field(default=None, description="Its exit code, where it ended by itself.")
    signal: str | None = Field(default=None, description="The signal that ended it, such as `SIGSEGV`.")
    output: str = Field(description="The end of what it printed, 2,048 characters at most.")
    truncated: bool = Field(description="Whether it printed more than that.")
    duration_ms: Milliseconds = Field(description="From its start to its end; 0 where it was not started.")
