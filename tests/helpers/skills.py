"""Skills on the disk, with as little written as a test needs."""

from pathlib import Path

PARSE = (
    "/** Splits a line. */\nexport function parse(line: string): string[] {\n  return line.split(',');\n}\n"
)


def write_skill(
    directory: Path,
    name: str,
    body: str = "How it is done.",
    *,
    description: str | None = None,
    code: str | None = None,
    on_use: str | None = None,
) -> None:
    """Writes a skill as a folder of `directory`."""
    folder = directory / name
    folder.mkdir(parents=True)
    (folder / "skill.md").write_text(prose(body, description or f"About {name}."), encoding="utf-8")
    for file, text in (("skill.ts", code), ("on-use.ts", on_use)):
        if text is not None:
            (folder / file).write_text(text, encoding="utf-8")


def prose(body: str = "How it is done.", description: str = "What it is about.") -> str:
    """A file of prose."""
    return f"---\ndescription: {description}\n---\n\n{body}\n"
