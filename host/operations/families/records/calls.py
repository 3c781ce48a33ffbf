"""What carries out the calls of the record store, and what the record says of them."""

from collections.abc import Callable
from typing import Final, TypeVar

from host.core.errors import ApiErrorCode, Refusal
from host.events import RecordKept, RecordRead, RecordReading
from host.operations.families.records.arguments import (
    PassageDraft,
    PutArguments,
    RecallArguments,
    SearchRecordsArguments,
)
from host.operations.families.records.results import RecordPut, RecordsFound, RecordsStatus, of_envelope
from host.operations.model import NoArguments
from host.operations.services import Caller, Records
from host.records import Found, Refused

T = TypeVar("T")
# Of every other refusal the arguments are to blame.
_CODES: Final[dict[str, ApiErrorCode]] = {
    "G6_E_MEMORY_FULL": "limit-exceeded",
    "G6_E_MEMORY_STORE": "io-error",
    "G6_E_MEMORY_NOT_FOUND": "not-found",
}


def put(caller: Caller, arguments: PutArguments) -> RecordPut:
    given: dict[str, object] = {
        "text": arguments.text,
        "source": arguments.source,
        "kind": arguments.kind or "note",
        "tags": arguments.tags or (),
        "stale_after": arguments.stale_after,
        "passage": _passage(arguments.passage),
    }
    records = _records_of(caller)
    record, envelope = _answered(lambda: records.put(given, turn=caller.turn))
    answer = RecordPut.model_validate(of_envelope(envelope))
    caller.emit(RecordKept(id=record.id, kind=record.kind, existed=answer.existed, turn=caller.turn))
    return answer


def search(caller: Caller, arguments: SearchRecordsArguments) -> RecordsFound:
    records, tags, kind = _records_of(caller), tuple(arguments.tags or ()), arguments.kind
    found = _answered(
        lambda: records.search(arguments.query, top_k=arguments.top_k, tags=tags, kind=kind, turn=caller.turn)
    )
    caller.emit(
        record_read_event(
            found, "records.search", query=arguments.query, tags=tags, kind=kind, turn=caller.turn
        )
    )
    return _found(found)


def recall(caller: Caller, arguments: RecallArguments) -> RecordsFound:
    records, tags, kind = _records_of(caller), tuple(arguments.tags or ()), arguments.kind
    ids = tuple(arguments.record_ids or ())
    found = _answered(
        lambda: records.recall(
            record_ids=ids,
            tags=tags,
            kind=kind,
            proposed=arguments.proposed or False,
            limit=arguments.limit,
            turn=caller.turn,
        )
    )
    caller.emit(
        record_read_event(found, "records.recall", asked_ids=ids, tags=tags, kind=kind, turn=caller.turn)
    )
    return _found(found)


def status(caller: Caller, _: NoArguments) -> RecordsStatus:
    return RecordsStatus.model_validate(of_envelope(_answered(_records_of(caller).status)))


def record_read_event(
    found: Found,
    operation: RecordReading,
    *,
    query: str | None = None,
    asked_ids: tuple[str, ...] = (),
    tags: tuple[str, ...] = (),
    kind: str | None = None,
    left_out: int = 0,
    turn: int,
) -> RecordRead:
    """What was read, as the event that reports it. `found` has what was served."""
    return RecordRead(
        operation=operation,
        query=query,
        asked_ids=asked_ids,
        tags=tags,
        kind=kind,
        current=tuple(hit.record.id for hit in found.current),
        stale=tuple(hit.record.id for hit in found.stale),
        superseded=tuple(hit.record.id for hit in found.superseded),
        held_back=found.held_back,
        more=found.more,
        left_out=left_out,
        unreadable=found.unreadable,
        turn=turn,
    )


def _found(found: Found) -> RecordsFound:
    return RecordsFound.model_validate(of_envelope(found.envelope))


def _passage(given: str | PassageDraft | None) -> object:
    if not isinstance(given, PassageDraft):
        return given
    return {"text": given.text, "provenance": given.provenance or {}}


def _records_of(caller: Caller) -> Records:
    if caller.records is None:
        raise Refusal("unavailable", "This agent has no record store.", kind="no_records")
    return caller.records


def _answered(ask: Callable[[], T]) -> T:
    """What the store answers. A refusal of the store is one of the call, under a code that programs know."""
    try:
        return ask()
    except Refused as refused:
        code = _CODES.get(refused.code, "invalid-argument")
        raise Refusal(code, f"{refused.code}: {refused.message}", kind=refused.code) from refused
