"""Hashes of texts and documents, the same wherever they are taken."""

import hashlib
import json
from collections.abc import Mapping


def sha256_of(text: str) -> str:
    """SHA-256 of the text's UTF-8, in which a lone surrogate is encoded like any other code point."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def document_sha256(document: Mapping[str, object]) -> str:
    """SHA-256 of a JSON object, independent of white space and of the order of keys."""
    return sha256_of(json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
