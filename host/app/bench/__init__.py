"""Benchmarks of the parts that a turn is made of; each figure is printed beside the goal it has."""

from host.app.bench.compile_figures import compile_figures
from host.app.bench.figures import Figure, Machine, this_machine
from host.app.bench.sandbox_figures import sandbox_figures

__all__ = ["Figure", "Machine", "compile_figures", "sandbox_figures", "this_machine"]
