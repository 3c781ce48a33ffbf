"""The words of TypeScript that are no names."""

from typing import Final

RESERVED_WORDS: Final = frozenset(
    [
        *(
            "arguments",
            "await",
            "break",
            "case",
            "catch",
            "class",
            "const",
            "continue",
            "debugger",
            "default",
        ),
        *("delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function"),
        *("if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package"),
        *("private", "protected", "public", "return", "static", "super", "switch", "this", "throw", "true"),
        *("try", "typeof", "var", "void", "while", "with", "yield"),
    ]
)
"""What strict code cannot bind."""
