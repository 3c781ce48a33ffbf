"""What is done with skillbooks: by which measures skills are compared, and who decides."""

from host.app.skillbook.embedding_measure import EmbeddingMeasure, embedding_measure

__all__ = ["EmbeddingMeasure", "embedding_measure"]
