"""ACE's formats of skillbooks: read and written without loss."""
