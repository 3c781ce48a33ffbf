"""`python -m host` is `gg`, for where its script is not on the path."""

from host.cli.main import main

main()
