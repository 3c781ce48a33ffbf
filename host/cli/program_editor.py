"""The editor in which a person types programs: several lines, colours, the programs before."""

from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.output import ColorDepth, create_output
from pygments.lexers.javascript import TypeScriptLexer

_PROMPT: Final = "gg> "
_CONTINUED: Final = "... "


class ProgramEditor:
    """Enter begins a new line, Ctrl-D ends the program. At an empty one Ctrl-D and Ctrl-C leave."""

    def __init__(self, *, styled: bool) -> None:
        self._session: Final = PromptSession[str](
            multiline=True,
            key_bindings=_bindings(),
            lexer=PygmentsLexer(TypeScriptLexer) if styled else None,
            color_depth=None if styled else ColorDepth.DEPTH_1_BIT,
            prompt_continuation=_CONTINUED,
            output=create_output(always_prefer_tty=True),
        )

    def __call__(self) -> str | None:
        while True:
            try:
                return self._session.prompt(_PROMPT, handle_sigint=False)
            except EOFError:
                return None
            except KeyboardInterrupt:
                if not self._session.default_buffer.text.strip():
                    return None


def _bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("c-d")
    def end(event: KeyPressEvent) -> None:
        buffer = event.app.current_buffer
        if buffer.text.strip():
            buffer.validate_and_handle()
        else:
            event.app.exit(exception=EOFError)

    return bindings
