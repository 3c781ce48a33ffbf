"""The skillbook in runs: what an agent begins with, and what is learned when a run has ended."""
