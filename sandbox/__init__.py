"""Runs untrusted programs, each in a worker process that the host can lose without harm."""
