"""Skills: notes with code that people write, kept in folders."""
