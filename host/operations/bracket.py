"""The bracket: the one place through which every call of a program passes.

open record → grant → budget → validate → do → close record. What a call meets becomes an envelope. A fault of
gg's own is latched, and the call that met it is refused as `io-error`. One thing is raised: that the record
cannot be written, since nothing may be done that is not recorded.
"""

import json
from collections.abc import Callable
from typing import Final, Protocol

from pydantic import BaseModel

from host.core.clock import Clock
from host.core.errors import HostDefect, Refusal
from host.core.text import format_over, utf8_length
from host.events import ApiCall
from host.operations.binding import bind
from host.operations.grants import Grants
from host.operations.model import Operation
from host.operations.services import Caller

MAX_RESULT_BYTES: Final = 8 * 2**20
VALUE_CAP: Final = "value_cap"


class DefectLatch(Protocol):
    """Where a fault of gg's own is recorded; the first one ends the run."""

    def record(self, defect: HostDefect) -> None: ...


class Bracket:
    """Answers the calls of one agent's programs.

    `refuse_over_run_time` refuses once the run's time is spent. It is asked before each call that a
    capability grants; those that every agent has, which report and end, stay possible.
    """

    def __init__(
        self, *, grants: Grants, latch: DefectLatch, clock: Clock, refuse_over_run_time: Callable[[], None]
    ) -> None:
        self._grants: Final = grants
        self._latch: Final = latch
        self._clock: Final = clock
        self._refuse_over_run_time: Final = refuse_over_run_time

    def answer(
        self,
        caller: Caller,
        operation_id: str,
        arguments_json: str,
        locate: Callable[[], str | None],
        *,
        refusal: Refusal | None = None,
    ) -> str:
        """Carries out one call and records it.

        Returns the envelope as JSON text. `locate` says where in the model's source the call stands; it is
        asked for failed calls alone. `refusal` is why the call cannot be carried out if it is granted. Raises
        `RecordUnwritable`.
        """
        started = self._clock.monotonic()
        failure: Refusal | None = None
        try:
            envelope = self._carry_out(self._grants.find(operation_id), caller, arguments_json, refusal)
        except Refusal as refused:
            failure = refused
        except Exception as error:  # the guest must get an envelope, whatever broke on this side
            self._latch.record(HostDefect.of("operation", operation_id, error))
            failure = Refusal("io-error", f"{self._grants.spelling(operation_id)} could not be carried out.")
        if failure is not None:
            envelope = self._envelope(operation_id, failure)
        place = None if failure is None else self._place(operation_id, locate)
        duration_us = round((self._clock.monotonic() - started) * 1e6)
        caller.emit(self._call(caller, operation_id, failure, place, duration_us))
        return envelope

    def _carry_out(
        self, operation: Operation, caller: Caller, arguments_json: str, refusal: Refusal | None
    ) -> str:
        if caller.origin == "onUse" and not operation.in_on_use:
            raise Refusal(
                "unavailable",
                f"{operation.spelling} is not available to an onUse script.",
                kind="not_in_on_use",
            )
        if operation.capability:
            self._refuse_over_run_time()
        if refusal is not None:
            raise refusal
        result = operation.run(caller, bind(operation, arguments_json))
        envelope = f'{{"ok":{_to_json(result)}}}'
        size = utf8_length(envelope)
        if size > MAX_RESULT_BYTES:
            raise Refusal(
                "limit-exceeded",
                f"Value: {format_over(size, MAX_RESULT_BYTES)}.",
                kind=VALUE_CAP,
            )
        return envelope

    def _envelope(self, operation_id: str, failure: Refusal) -> str:
        spelling = self._grants.spelling(operation_id)
        error: dict[str, str] = {"code": failure.code, "operation": spelling, "message": failure.message}
        if failure.kind == VALUE_CAP:
            error["ceiling"] = "value"  # the sandbox's own word: uncaught, it is a ceiling that was hit
        return f'{{"error":{_to_json(error)}}}'

    def _place(self, operation_id: str, locate: Callable[[], str | None]) -> str | None:
        try:
            return locate()
        except Exception as error:  # a call is recorded, whatever its stack looks like
            self._latch.record(HostDefect.of("operation", operation_id, error))
            return None

    def _call(
        self,
        caller: Caller,
        operation_id: str,
        failure: Refusal | None,
        place: str | None,
        duration_us: int,
    ) -> ApiCall:
        known = operation_id in self._grants.operations
        return ApiCall(
            turn=caller.turn,
            operation=operation_id if known else self._grants.spelling(operation_id),
            ok=failure is None,
            code=None if failure is None else failure.code,
            message=None if failure is None else failure.message,
            duration_us=duration_us,
            origin=caller.origin,
            place=place,
        )


_scalar_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _to_json(result: object) -> str:
    if isinstance(result, BaseModel):
        return result.model_dump_json(by_alias=True, exclude_none=True)
    if isinstance(result, list):
        return f"[{','.join(map(_to_json, result))}]"
    return _scalar_json(result)
