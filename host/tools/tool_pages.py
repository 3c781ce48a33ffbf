"""Pages of documentation of tools, as a program reads them."""

from host.tools.declarations import MODULE, described, failures, summary
from host.tools.model import Namespace, TypedTool
from host.tools.sample_arguments import sample_arguments


def render_page(typed: TypedTool) -> str:
    """Signature, what it does, failures, types, import line and a call."""
    namespace = typed.tool.namespace
    fails = [f"- `{code}` when {when}." for code, when in failures(typed.tool)]
    given = "" if "()" in typed.signature else sample_arguments(typed.tool.parameters)
    return "\n\n".join(
        part
        for part in (
            typed.signature,
            described(typed.tool),
            "\n".join(["Fails with:", *fails]),
            "\n".join(typed.declarations),
            f"{_import(namespace)}\nawait {namespace}.{typed.identifier}({given});",
        )
        if part
    )


def render_namespace_page(namespace: Namespace) -> str:
    """What the tools are for, the signature and the first line of each."""
    calls = [f"- `{typed.signature}`: {summary(typed.tool)}" for typed in namespace.tools]
    return "\n\n".join(part for part in (namespace.brief, "\n".join(calls), _import(namespace.name)) if part)


def _import(namespace: str) -> str:
    return f'import {{ {namespace} }} from "{MODULE}"'
