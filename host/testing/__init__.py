"""Doubles that keep the contracts of what they stand for, for the tests of gg and of whoever builds on it."""

from host.testing.clock import FakeClock
from host.testing.embedder import ConceptEmbedder
from host.testing.events import CapturedEvents

__all__ = ["CapturedEvents", "ConceptEmbedder", "FakeClock"]
