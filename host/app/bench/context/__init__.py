"""Retrieval over many files, and a re-ranker beside the order of the files."""

from host.app.bench.context.measuring import context_figures

__all__ = ["context_figures"]
