"""Retrieval of files by keywords, and the loading of what it found."""

from host.context.retrieval.handles import MAX_LOADED_CHARS, LoadedText, load_handle
from host.context.retrieval.retriever import DEFAULT_SUFFIXES, MAX_CANDIDATES, Handle, Retrieval, Retriever

__all__ = [
    "DEFAULT_SUFFIXES",
    "MAX_CANDIDATES",
    "MAX_LOADED_CHARS",
    "Handle",
    "LoadedText",
    "Retrieval",
    "Retriever",
    "load_handle",
]
