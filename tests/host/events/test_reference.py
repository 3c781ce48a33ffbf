"""The reference names every type and field, and its example is a line that can be read."""

import json
import re
from pathlib import Path

from host.events import EVENT_TYPES, render_events_reference
from host.events.encoding import decode_line, stamped_fields

PAGE = Path(__file__).parents[3] / "docs" / "events.md"


def test_every_type_has_its_section_and_every_field_a_row() -> None:
    sections = re.split(r"^### ", render_events_reference(), flags=re.MULTILINE)[1:]

    assert [section.split("`")[1] for section in sections] == list(EVENT_TYPES)
    for section, model in zip(sections, EVENT_TYPES.values(), strict=True):
        for info in model.model_fields.values():
            assert f"| `{info.alias}` |" in section
            assert str(info.description) in section


def test_a_section_says_what_stands_on_disk() -> None:
    assert (
        "### `context_breakdown`\n"
        "\n"
        "What the prompt was made of.\n"
        "\n"
        "| field | value | meaning |\n"
        "|---|---|---|\n"
        "| `turn` | integer | Turn of the agent, from 1; 0 before its first. |\n"
        "| `purpose` | `turn`, `summary` | What is asked for: `turn`, a reply to carry out, or `summary`,"
        " a text to go on from. |\n"
        "| `bands` | object of BandSize | Size by band; bands without a message are absent. |\n"
        "| `tokens` | integer or null | What the whole window takes by its counter, with 4 tokens a message"
        " and the margin. |\n"
        "| `windowTokens` | integer or null | The most that it may take before it is rewritten, where it ever"
        " is. |\n"
        "| `contextWindow` | integer or null | That of the model, in tokens, where known. |\n"
        "| `counter` | text or null | How its tokens are counted. |\n"
        "| `marginPercent` | integer or null | What is added to the counter's figure. |\n"
        "\n"
        "BandSize: One band's share of a prompt.\n"
        "\n"
        "| field | value | meaning |\n"
        "|---|---|---|\n"
        "| `messages` | integer | Number of messages. |\n"
        "| `chars` | integer | Code points of their texts, and of the calls in them. |\n"
        "| `tokens` | integer | Estimate of their tokens. |\n"
    ) in render_events_reference()


def test_the_example_of_the_page_is_an_event() -> None:
    (example,) = re.findall(r"```json\n(.*?)\n```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)

    assert stamped_fields(decode_line(example.encode())) == json.loads(example)
