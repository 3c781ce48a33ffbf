"""Integrity: what vouches for rows, for their order, and for the file as a whole."""
