"""Carries out one operation of the store by its name and JSON arguments, for callers that speak JSON."""

from collections.abc import Mapping
from typing import Any, Final

from host.core.envelope import Envelope, Refused
from host.records.arguments import refused_input, told_type
from host.records.embedder import Embedder
from host.records.integrity.check import Progress
from host.records.op_table import OPS, Op, Parameter, ParameterType, op_named
from host.records.store import Store

__all__ = ["OPS", "REMOTE_OPS", "Op", "Parameter", "ParameterType", "invoke", "invoke_hybrid", "op_named"]

REMOTE_OPS: Final[Mapping[str, Op]] = {name: op for name, op in OPS.items() if op.is_remote}
"""Those that MCP has."""


def invoke(store: Store, op: object, args: object, ops: Mapping[str, Op] = OPS) -> Envelope:
    """The answer of an operation, or its refusal; `Refused` is not raised.

    Args:
        args: a mapping of names to JSON values, where null is as good as absent.
        ops: those that the caller has.
    """
    try:
        named = op_named(op, ops)
        return _answer(store, named.name, _arguments(named, args))
    except Refused as refused:
        return refused.envelope


def invoke_hybrid(
    store: Store, args: object, *, embedder: Embedder, progress: Progress | None = None
) -> Envelope:
    """The answer of a hybrid search, which takes the arguments of a search, or its refusal."""
    try:
        given = _arguments(OPS["search"], args)
        return store.search_hybrid(**given, embedder=embedder, progress=progress).envelope
    except Refused as refused:
        return refused.envelope


def _arguments(op: Op, args: object) -> dict[str, Any]:
    if not isinstance(args, Mapping):
        raise refused_input(
            f"args of {op.name} is {told_type(args)}; it has to be an object of arguments by name"
        )
    op.refuse_unknown(args)
    given = {name: value for name, value in args.items() if value is not None}
    # What is missing is told as what is blank is, by the code that the operation has for it.
    blank = {parameter.name: "" for parameter in op.parameters if parameter.is_required}
    return {**blank, **given}


def _answer(store: Store, op: str, args: dict[str, Any]) -> Envelope:
    match op:
        case "put":
            return store.put(**args)[1]
        case "search":
            return store.search(**args).envelope
        case "recall":
            return store.recall(**args).envelope
        case "forget":
            return store.forget(**args)
        case "approve":
            return store.approve(**args)
        case "supersede":
            return store.supersede(**args)
        case "unblock":
            return store.unblock(**args)
        case _:
            return store.status()
