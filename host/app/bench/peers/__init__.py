"""gg beside other sandboxes: the same work, measured in one run."""

from host.app.bench.peers.comparison import Comparison, PeerNote, compare, peer_notes

__all__ = ["Comparison", "PeerNote", "compare", "peer_notes"]
