"""How well similar skills are found, and how fast among many."""

from host.app.bench.skillbook.calibration import Calibration, Offer, calibrate
from host.app.bench.skillbook.calibration_set import KINDS, CalibrationSet, JudgedPair, load_calibration_set

__all__ = [
    "KINDS",
    "Calibration",
    "CalibrationSet",
    "JudgedPair",
    "Offer",
    "calibrate",
    "load_calibration_set",
]
