"""What happened in a run: typed events, the log they are written to, the record, and its readers."""
