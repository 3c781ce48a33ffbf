"""What a window has in place of the turns that a compaction took out."""

from host.context.conversation.folding import HEADER


def summary_message(summary: str) -> str:
    """The message of the note: the summary, quoted."""
    quoted = "\n".join(f"> {line}" for line in summary.split("\n"))
    return f"Summary\n----\n{HEADER}\n{quoted}"
