"""The trusted side of gg."""
