"""`gg completion`: the script by which a shell completes commands, options and names."""

from typing import Final

import click
from click.shell_completion import get_completion_class

from host.cli.options import examples, quiet_option
from host.cli.output import Output

_SHELLS: Final = ("bash", "zsh", "fish")


@click.command(
    short_help="Print the completion script of a shell.",
    epilog=examples(
        "bash, in ~/.bashrc:   source <(gg completion bash)",
        "zsh, in ~/.zshrc:     source <(gg completion zsh)",
        "fish:                 gg completion fish > ~/.config/fish/completions/gg.fish",
        title="To install it:",
    ),
)
@click.argument("shell", type=click.Choice(_SHELLS))
@quiet_option
@click.pass_context
def completion(context: click.Context, shell: str, quiet: bool) -> None:
    """Print the script by which a shell completes what follows gg: commands, options, files, ids of records
    and, after --memory, slugs.
    """
    kind = get_completion_class(shell)
    assert kind is not None, "click knows the shells that are offered"
    script = kind(context.find_root().command, {}, "gg", "_GG_COMPLETE").source()
    Output(quiet=quiet).data(script)
