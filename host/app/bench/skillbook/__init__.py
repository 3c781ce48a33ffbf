"""How well similar skills are found, and how fast among many; and whether what is learned helps."""

from host.app.bench.skillbook.calibration import Calibration, Offer, calibrate
from host.app.bench.skillbook.calibration_set import KINDS, CalibrationSet, JudgedPair, load_calibration_set
from host.app.bench.skillbook.detection import SIZES, detection_figures
from host.app.bench.skillbook.learning import LearnedSkill, LearningReport, Tally, measure_learning
from host.app.bench.skillbook.suite import Kind, load_suite

__all__ = [
    "KINDS",
    "SIZES",
    "Calibration",
    "CalibrationSet",
    "JudgedPair",
    "Kind",
    "LearnedSkill",
    "LearningReport",
    "Offer",
    "Tally",
    "calibrate",
    "detection_figures",
    "load_calibration_set",
    "load_suite",
    "measure_learning",
]
