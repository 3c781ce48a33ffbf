"""Builders that several test modules share."""
