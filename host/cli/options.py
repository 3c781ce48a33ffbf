"""Options that several commands have, written once."""

from typing import Final

import click

json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")
quiet_option: Final = click.option("-q", "--quiet", is_flag=True, help="Print no progress.")
