"""The masks as programs that know gg's packages as `g6` get them."""

from g6.context import (
    KEPT_TEXT_MASKS,
    mask_emails,
    mask_hosts,
    mask_paths,
    sanitize_stack_trace,
    scrub,
    scrub_report,
)

SOURCE = "def parse(text):\n    api_key = 'sk-abcdefghijklmnopqrstuv'\n    return text\n"


def test_the_key_of_a_source_file_is_masked() -> None:
    assert scrub(SOURCE) == SOURCE.replace("sk-abcdefghijklmnopqrstuv", "[REDACTED]")
    assert [(found.rule, found.line) for found in scrub_report(SOURCE)] == [("key:openai", 2)]
    assert scrub("password = 'hunter2'") == "password = '[REDACTED]'"


def test_each_mask_takes_its_own() -> None:
    text = "ada@example.com /home/ada https://db/x"

    assert mask_emails(text) == "[REDACTED_EMAIL] /home/ada https://db/x"
    assert mask_paths(text) == "ada@example.com ~ https://db/x"
    assert mask_hosts(text) == "ada@example.com /home/ada https://<host>/x"


def test_the_list_of_masks() -> None:
    placeholders = {mask.placeholder for mask in KEPT_TEXT_MASKS}

    assert placeholders == {"[REDACTED]", "[REDACTED_EMAIL]", "<host>", "<ip>", "<temp>", "~"}


def test_a_traceback_is_its_frames() -> None:
    frames = sanitize_stack_trace(
        '  File "/home/ada/a.py", line 3, in f\n    key = "secret"\nValueError: x\n'
    )

    assert [(frame.file, frame.line, frame.function) for frame in frames] == [("~/a.py", 3, "f")]
