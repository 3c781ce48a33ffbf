"""The formats in which ACE has written skillbooks: read and written without loss."""
