"""How well similar skills are found, and how fast among many."""

from host.app.bench.skillbook.calibration import Calibration, Offer, calibrate
from host.app.bench.skillbook.calibration_set import KINDS, CalibrationSet, JudgedPair, load_calibration_set
from host.app.bench.skillbook.detection import SIZES, detection_figures

__all__ = [
    "KINDS",
    "SIZES",
    "Calibration",
    "CalibrationSet",
    "JudgedPair",
    "Offer",
    "calibrate",
    "detection_figures",
    "load_calibration_set",
]
