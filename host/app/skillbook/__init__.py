"""What is done with skillbooks: by which measures skills are compared, and who decides."""

from host.app.skillbook.asked_model import model_decider, model_plan
from host.app.skillbook.embedding_measure import EmbeddingMeasure, embedding_measure
from host.app.skillbook.model_decider import ModelDecider, question_text

__all__ = [
    "EmbeddingMeasure",
    "ModelDecider",
    "embedding_measure",
    "model_decider",
    "model_plan",
    "question_text",
]
