"""Located diagnostics as a model and an operator read them."""

from runtime_js.units import Diagnostic

__all__ = ["Diagnostic"]
