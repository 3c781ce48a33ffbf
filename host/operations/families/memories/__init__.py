"""The memories family: an agent's own notes, and the code they carry."""

from host.operations.families.memories.limits import limit_notes
from host.operations.families.memories.native_shapes import native_fields
from host.operations.families.memories.recording import memory_revision_event, memory_state_event
from host.operations.families.memories.rows import FAMILY

__all__ = ["FAMILY", "limit_notes", "memory_revision_event", "memory_state_event", "native_fields"]
