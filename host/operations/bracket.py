"""The bracket: the one place through which every call of a program passes.

open record → grant → budget → validate → do → close record. It never raises: what a call meets becomes an
envelope. A fault of gg's own is latched, and the call that met it is refused as `io-error`.
"""

import json
from collections.abc import Callable
from typing import Final, Protocol

from pydantic import BaseModel

from host.core.clock import Clock
from host.core.errors import ApiErrorCode, HostDefect, Refusal
from host.core.text import format_size, utf8_length
from host.events import ApiCall
from host.operations.binding import bind
from host.operations.grants import Grants
from host.operations.model import Operation
from host.operations.services import Caller

MAX_RESULT_BYTES: Final = 8 * 2**20


class DefectLatch(Protocol):
    """Where a fault of gg's own is recorded; the first one ends the run."""

    def record(self, defect: HostDefect) -> None: ...


class Bracket:
    """Answers the calls of one agent's programs.

    `run_time_left` refuses, once the run's time is spent, every call but those that report and end: views,
    documentation and session.
    """

    def __init__(
        self, *, grants: Grants, latch: DefectLatch, clock: Clock, refuse_over_run_time: Callable[[], None]
    ) -> None:
        self._grants: Final = grants
        self._latch: Final = latch
        self._clock: Final = clock
        self._refuse_over_run_time: Final = refuse_over_run_time

    def answer(
        self, caller: Caller, operation_id: str, arguments_json: str, locate: Callable[[], str | None]
    ) -> str:
        """Carries out one call and records it.

        Returns the envelope as JSON text. `locate` says where in the model's source the call stands; it is
        asked for failed calls alone.
        """
        started = self._clock.monotonic()
        code: ApiErrorCode | None = None
        message = ""
        spelling = operation_id
        try:
            operation = self._grants.find(operation_id)
            spelling = operation.spelling
            envelope = self._carry_out(operation, caller, arguments_json)
        except Refusal as refusal:
            code, message = refusal.code, refusal.message
        except HostDefect as defect:
            self._latch.record(defect)
            code, message = "io-error", f"{spelling} could not be carried out."
        except Exception as error:  # the guest must get an envelope, whatever broke on this side
            self._latch.record(HostDefect("operation", f"{operation_id} raised {error!r}"))
            code, message = "io-error", f"{spelling} could not be carried out."
        if code is not None:
            envelope = json.dumps({"error": {"code": code, "operation": spelling, "message": message}})
        caller.emit(
            ApiCall(
                turn=caller.turn,
                operation=operation_id,
                ok=code is None,
                code=code,
                message=message or None,
                duration_us=round((self._clock.monotonic() - started) * 1e6),
                origin=caller.origin,
                place=None if code is None else locate(),
            )
        )
        return envelope

    def _carry_out(self, operation: Operation, caller: Caller, arguments_json: str) -> str:
        if caller.origin == "onUse" and not operation.in_on_use:
            raise Refusal(
                "unavailable",
                f"{operation.spelling} is not available to an onUse script.",
                kind="not_in_on_use",
            )
        if operation.capability:
            self._refuse_over_run_time()
        result = operation.run(caller, bind(operation, arguments_json))
        text = _to_json(result)
        size = utf8_length(text)
        if size > MAX_RESULT_BYTES:
            raise Refusal(
                "limit-exceeded",
                f"Value: {format_size(size)}, limit {format_size(MAX_RESULT_BYTES)}.",
                kind="result_cap",
            )
        return f'{{"ok":{text}}}'


def _to_json(result: object) -> str:
    if isinstance(result, BaseModel):
        return result.model_dump_json(by_alias=True, exclude_none=True)
    if isinstance(result, list):
        return f"[{','.join(map(_to_json, result))}]"
    return json.dumps(result)
