"""Selection: several ranked lists become one within a budget, and one long item becomes a few sentences."""

from host.context.selection.compressing import MAX_COMPRESSED_CHARS, compress
from host.context.selection.fusing import MAX_FUSED, fuse
from host.context.selection.sentences import sentence_spans

__all__ = ["MAX_COMPRESSED_CHARS", "MAX_FUSED", "compress", "fuse", "sentence_spans"]
