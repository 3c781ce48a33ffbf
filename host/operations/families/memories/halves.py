"""What becomes of the code of a memory: it loads where programs run, and is left alone by tools.

A tool has no way to say anything about code, so a write there carries none, an update leaves both halves as
they are, a read gives the body alone and nothing runs. Where the agent writes programs besides, a read loads.
"""

from typing import Final, Protocol

from host.core.errors import Refusal
from host.core.module_keys import Carrier
from host.memories import Memory, MemoryDraft
from host.operations.services import Caller, CodeHalves, PreparedHalves


class Halves(Protocol):
    """Both halves of the code of a memory, as one way to make calls treats them."""

    keeps_code: bool
    """Whether an update leaves them as they are."""

    def check(self, draft: MemoryDraft) -> None:
        """Refuses, before a memory is created, code that no compiler is given."""
        ...

    def prepare_write(self, draft: MemoryDraft) -> PreparedHalves | None:
        """Compiles them before they are stored. Raises `Refusal` for what does not compile."""
        ...

    def prepare_read(self, memory: Memory) -> PreparedHalves | None:
        """Compiles those that a read is about to load."""
        ...

    def load(self, prepared: PreparedHalves | None) -> None:
        """Loads what was prepared."""
        ...

    def unload(self, slug: str) -> None:
        """Takes the module of a memory away."""
        ...


def halves_of(caller: Caller) -> Halves:
    """How the calls of this caller treat them."""
    if caller.code is None:
        return _LeftAlone()
    return _ReadAlone(caller.code) if caller.origin == "tool" else _Loaded(caller.code)


class _Loaded:
    keeps_code = False

    def __init__(self, code: CodeHalves) -> None:
        self._code: Final = code

    def check(self, draft: MemoryDraft) -> None:
        self._code.refuse_deep_nesting(draft.name, draft.code, draft.on_use)

    def prepare_write(self, draft: MemoryDraft) -> PreparedHalves | None:
        self._code.refuse_over_use_limit(draft.on_use)
        self.check(draft)
        prepared = self._code.prepare(_carrier(draft.name), draft.code, draft.on_use)
        if prepared.problems:
            raise Refusal("invalid-argument", prepared.problems, kind="code_does_not_compile")
        return prepared

    def prepare_read(self, memory: Memory) -> PreparedHalves | None:
        if not (memory.code or memory.on_use):
            return None
        self._code.refuse_over_use_limit(memory.on_use)
        return self._code.prepare(_carrier(memory.name), memory.code, memory.on_use)

    def load(self, prepared: PreparedHalves | None) -> None:
        if prepared is not None:
            self._code.load(prepared)

    def unload(self, slug: str) -> None:
        self._code.unload(_carrier(slug))


class _ReadAlone(_Loaded):
    """A tool beside programs: what it writes says nothing of code."""

    keeps_code = True

    def check(self, draft: MemoryDraft) -> None:
        pass

    def prepare_write(self, draft: MemoryDraft) -> None:
        return None


class _LeftAlone:
    keeps_code = True

    def check(self, draft: MemoryDraft) -> None:
        pass

    def prepare_write(self, draft: MemoryDraft) -> None:
        return None

    def prepare_read(self, memory: Memory) -> None:
        return None

    def load(self, prepared: PreparedHalves | None) -> None:
        pass

    def unload(self, slug: str) -> None:
        pass


def _carrier(slug: str) -> Carrier:
    return Carrier("memory", slug)
