"""The import name of gg's record store for programs that know it as `g6`."""
