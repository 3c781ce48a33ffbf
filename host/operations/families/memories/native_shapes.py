"""What the memory calls take as tools. Nothing there says anything about code."""

from collections.abc import Mapping

from pydantic import Field

from host.memories import MemoryDraft, Strategy
from host.operations.families.memories.shapes import BODY, DESCRIPTION, EXPECTED, NEW, OLD, SLUG
from host.operations.model import Arguments


class WriteMemory(Arguments):
    name: str = Field(description=SLUG)
    description: str = Field(description=DESCRIPTION)
    body: str = Field(description=BODY)

    def draft(self) -> MemoryDraft:
        return MemoryDraft(name=self.name, description=self.description, body=self.body)


class UpdateMemory(WriteMemory):
    expected_revision: int | None = Field(default=None, ge=1, description=EXPECTED)


class CreateMemory(Arguments):
    name: str = Field(description=SLUG)
    description: str | None = Field(default=None, description=DESCRIPTION)
    contents: str = Field(description=BODY)

    def draft(self) -> MemoryDraft:
        return MemoryDraft(name=self.name, description=self.description or "", body=self.contents)


class EditMemory(Arguments):
    name: str = Field(description=SLUG)
    old_string: str = Field(description=OLD)
    new_string: str = Field(default="", description=f"{NEW} Nothing does when it is omitted.")
    expected_revision: int | None = Field(default=None, ge=1, description=EXPECTED)

    @property
    def search(self) -> str:
        return self.old_string

    @property
    def replace(self) -> str:
        return self.new_string


def native_fields(strategy: Strategy) -> Mapping[str, str]:
    """The fields of a memory and of an edit that the tools of a strategy spell otherwise than programs do."""
    body = "body" if strategy.creates == "memories.write_memory" else "contents"
    return {"body": body, "search": "old_string", "replace": "new_string"}
