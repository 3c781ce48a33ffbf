"""What a study may write, as pydantic models: the tasks, the arms, the check of what came out."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, PlainValidator

from host.launch import Count, Execution, FilledText, Identifier, Line, Seconds, Settings, expected

CHECK_SECS: Final = 60.0


def _check(value: object) -> object:
    words = value if isinstance(value, list) else [value]
    if words and all(isinstance(word, str) and word.strip() for word in words):
        return value
    raise expected("needs a command, as text or as a list of words, or a Python function as module:function")


def _files(value: object) -> object:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, Mapping) and all(isinstance(text, str) for text in value.values()):
        return value
    raise expected('needs a folder, or an object of texts by name such as {"notes.md": "…"}')


def _base(value: object) -> object:
    if isinstance(value, Mapping) or (isinstance(value, str) and value.strip()):
        return value
    raise expected("needs a configuration: its path, or the object itself")


Check = Annotated[Any, PlainValidator(_check)]
Files = Annotated[Any, PlainValidator(_files)]
Base = Annotated[Any, PlainValidator(_base)]


class TaskSettings(Settings):
    """One task of a study."""

    id: Identifier = Field(description="Its name in the report.")
    kind: Line | None = Field(default=None, description="Tasks of one kind are told together.")
    task: FilledText = Field(description="What the root is asked to do.")
    files: Files | None = Field(
        default=None, description="What the agents' directory holds: a folder, or texts by name."
    )
    check: Check | None = Field(default=None, description="Tells whether what came out is correct.")
    check_secs: Seconds | None = Field(default=None, description="Seconds that the check may take.")
    set_: dict[str, Any] = Field(
        default={}, alias="set", description="What this task changes in the configuration, by path."
    )


class ArmSettings(Settings):
    """One way to run every task."""

    id: Identifier = Field(description="Its name in the report.")
    execution: Execution | None = Field(default=None, description="The execution mode of every agent.")
    model: Any = Field(default=None, description="The model of every agent.")
    set_: dict[str, Any] = Field(default={}, alias="set", description="Further changes, by path.")


class CompareSettings(Settings):
    """What may stand beside a configuration's own keys for `gg compare`."""

    arms: list[ArmSettings] | None = Field(
        default=None, min_length=1, description="The arms; both execution modes when absent."
    )
    repeats: Count = Field(default=1, description="Runs of each task in each arm.")
    check: Check | None = Field(default=None, description="The check of tasks that have none.")
    check_secs: Seconds = Field(default=CHECK_SECS, description="Seconds that a check may take.")


class StudySettings(CompareSettings):
    """A study: a configuration, and the tasks that it is given."""

    name: Line | None = Field(default=None, description="The study's name; the folder's when absent.")
    base: Base = Field(description="The configuration, by its path or inline.")
    tasks: list[TaskSettings] | None = Field(
        default=None, min_length=1, description="The tasks; that of the configuration when absent."
    )
