"""What becomes of every reply of the corpus, as a table of `docs/replies.md`."""

from tests.helpers.replies import ReplyCase, reply_cases


def render_replies() -> str:
    """A row for each case: its file, the repairs, what the model reads next."""
    rows = ["| reply | healed by | the model reads |", "| --- | --- | --- |"]
    rows += [f"| `{case.name}` | {_healing(case)} | {_outcome(case)} |" for case in reply_cases()]
    return "\n".join(rows)


def _healing(case: ReplyCase) -> str:
    return ", ".join(f"`{id_}`" for id_ in case.healing)


def _outcome(case: ReplyCase) -> str:
    if case.ends:
        return f"nothing: the session ends with {_code(case.ends)}"
    if case.reads in ("Compiler error", "Runtime error"):
        return f"{case.reads}: {_code(case.line)}"
    return f"{case.reads}"


def _code(text: str) -> str:
    mark = "``" if "`" in text else "`"
    return f"{mark}{text.replace('|', chr(92) + '|')}{mark}"
