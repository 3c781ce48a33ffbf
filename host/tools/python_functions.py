"""Python functions as tools: arguments checked by the rules of JSON, a limit of time, failures told."""

import inspect
import json
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import anyio
from pydantic import ValidationError

from host.core.errors import Refusal
from host.core.threads import call_in_thread
from host.tools.json_values import MAX_LEVELS, misfit, place
from host.tools.model import LOCAL, Tool, ToolOutput
from host.tools.python_failures import refusal_of
from host.tools.python_mistakes import first_mistake, mistaken, refused, unknown
from host.tools.python_signature import Function, Signature, read_signature
from host.tools.python_types import VALUE, field_name

_NO_FORM: Final = "for which JSON has no form"
_OF_TYPE: Final = re.compile(r"<class '(?:[^']*\.)?(\w+)'>")


def python_tool(function: Function, *, name: str | None = None, timeout_s: float) -> Tool:
    """A typed function, sync or async, as a tool; `name` is its own where that is `None`.

    A sync function runs in a thread of its own, which is left to itself when the time is over; an async one
    in the loop that calls it. Raises `NotATool` with all that keeps the function from being one.
    """
    signature = read_signature(function, name)
    call = _Call(function, signature, timeout_s)
    return Tool(
        namespace=LOCAL,
        name=signature.name,
        description=signature.description,
        parameters=signature.schema,
        returns=signature.returns,
        bind=call.bind,
        run=call.run,
        timeout_s=timeout_s,
        is_local=True,
    )


@dataclass(frozen=True)
class _Returned:
    value: object


@dataclass(frozen=True)
class _Raised:
    error: BaseException


_Outcome = _Returned | _Raised


class _Unfit(Exception):
    """A result that is not of the type that the function promises, or has no form in JSON."""


class _Call:
    """What a tool does with a function."""

    def __init__(self, function: Function, signature: Signature, timeout_s: float) -> None:
        self._function: Final = function
        self._signature: Final = signature
        self._timeout_s: Final = timeout_s
        self._spelling: Final = f"{LOCAL}.{signature.name}"

    def bind(self, given: Mapping[str, object]) -> Mapping[str, object]:
        """The keyword arguments of the function. Raises `Refusal` `invalid-argument`."""
        signature = self._signature
        for name in given:
            if name not in signature.parameters and not signature.takes_others:
                raise unknown(self._spelling, name, signature.parameters)
        given = dict(given)
        if (found := misfit(given)) is not None:
            raise refused(f"{self._spelling}: {place(found.way) or 'the arguments'} {found.fault}.")
        try:
            checked = signature.arguments.model_validate_json(json.dumps(given), strict=True)
        except ValidationError as error:
            raise mistaken(self._spelling, error, given) from error
        bound = dict(checked.__pydantic_extra__ or {})
        for number, name in enumerate(signature.parameters):
            if name in given or name in signature.passed_on:
                bound[name] = getattr(checked, field_name(number))
        return bound

    async def run(self, bound: object) -> ToolOutput:
        """Raises `Refusal`: `limit-exceeded`, `io-error`, or what the function itself chooses."""
        assert isinstance(bound, dict), "what bind gave"
        outcome = await self._outcome(bound)
        match outcome:
            case _Returned(value):
                return ToolOutput(value=value)
            case _Raised(_Unfit() as unfit):
                raise Refusal("io-error", str(unfit), kind="tool") from unfit
            case _Raised(error):
                raise refusal_of(self._spelling, error) from error

    async def _outcome(self, bound: Mapping[str, Any]) -> _Outcome:
        outcomes: list[_Outcome] = []

        async def attempt() -> None:
            outcomes.append(await self._attempt(bound))

        with anyio.move_on_after(self._timeout_s) as scope:
            # In a task of its own: a function that cancels itself must not seem to cancel who called it.
            async with anyio.create_task_group() as group:
                group.start_soon(attempt)
        if outcomes:
            return outcomes[0]
        if scope.cancelled_caught:
            raise Refusal("limit-exceeded", self._late(), kind="tool_time")
        raise Refusal("io-error", f"{self._spelling} failed: it canceled itself.", kind="tool")

    def _late(self) -> str:
        goes_on = "" if self._signature.is_async else " What it had begun may still go on."
        return f"{self._spelling} took longer than its limit of {self._timeout_s:g} s.{goes_on}"

    async def _attempt(self, bound: Mapping[str, Any]) -> _Outcome:
        if not self._signature.is_async:
            outcome = await call_in_thread(
                lambda: self._called(bound), name=f"gg-tool-{self._signature.name}"
            )
            if not (isinstance(outcome, _Returned) and inspect.isawaitable(outcome.value)):
                return outcome
            made: Awaitable[object] = outcome.value
        else:
            made = self._function(**bound)
        try:
            return _Returned(self._written(await made))
        except anyio.get_cancelled_exc_class():
            raise
        except BaseException as error:  # a function that ends the process ends its call alone
            return _Raised(error)

    def _called(self, bound: Mapping[str, Any]) -> _Outcome:
        try:
            value = self._function(**bound)
            return _Returned(value if inspect.isawaitable(value) else self._written(value))
        except BaseException as error:  # nobody would hear of it in this thread
            return _Raised(error)

    def _written(self, value: object) -> object:
        """The result in JSON values. Raises `_Unfit`."""
        holder = self._signature.holder
        given = {VALUE: value}
        try:
            checked = holder.model_validate(given, strict=True)
            written = checked.model_dump(mode="json", by_alias=True, warnings="error")[VALUE]
        except ValidationError as error:
            found = first_mistake(error, given)
            raise self._unfit(found.place, found.told) from error
        except (ValueError, RecursionError) as error:
            raise self._unfit(VALUE, _unwritten(error)) from error
        if (unfit := misfit(written)) is not None:
            raise self._unfit(place((VALUE, *unfit.way)), unfit.fault)
        return written

    def _unfit(self, where: str, fault: str) -> _Unfit:
        """`where` begins with `VALUE`."""
        return _Unfit(f"{self._spelling} failed: its result{where.removeprefix(VALUE)} {fault}.")


def _unwritten(error: ValueError | RecursionError) -> str:
    """Why a value that has the type that is promised cannot be written."""
    if isinstance(error, RecursionError) or "Circular reference" in str(error):
        return "holds itself, or values within one another without end"
    if "depth exceeded" in str(error):
        return f"holds values within one another, more than {MAX_LEVELS} levels"
    if "surrogates not allowed" in str(error):
        return "holds a lone surrogate, which is half a character"
    of_type = _OF_TYPE.search(str(error))
    return f"holds a value of the Python type {of_type[1]}, {_NO_FORM}" if of_type else f"is one {_NO_FORM}"
