"""The record store measured at several sizes, beside a plain scan and SQLite's FTS5."""

from host.app.bench.records.measuring import GOALS_MS, record_figures

__all__ = ["GOALS_MS", "record_figures"]
