"""The text that a skill is found and compared by, and the hash that tells whether it says something else."""

import unicodedata

from host.core.hashing import sha256_of
from host.skillbook.model import Skill


def embedding_text(skill: Skill) -> str:
    """The issue, the insight and the keywords, a blank line between them; what is absent is left out."""
    keywords = f"Keywords: {', '.join(skill.keywords)}" if skill.keywords else ""
    parts = (skill.issue, skill.insight or "", keywords)
    return "\n\n".join(part for part in parts if part)


def text_hash(skill: Skill) -> str:
    """SHA-256 of the issue and the insight in NFC, with every run of white space as one space."""
    parts = (unicodedata.normalize("NFC", part) for part in (skill.issue, skill.insight or ""))
    return sha256_of("\n".join(" ".join(part.split()) for part in parts))
