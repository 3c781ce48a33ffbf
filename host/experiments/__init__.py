"""Experiments: the same task in several arms, side by side."""
